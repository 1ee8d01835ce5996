-- The catalog procedures of ODBC (learn.microsoft.com, "Catalog stored procedures"): "PROCEDURE name: parameters", then the batch.

-- PROCEDURE sp_tables: @table_name nvarchar(384) = NULL, @table_owner nvarchar(384) = NULL, @table_qualifier sysname = NULL,
-- @table_type varchar(100) = NULL, @fUsePattern bit = 1;
IF @table_qualifier = '%' AND @table_owner = '' AND @table_name = ''
  SELECT name AS TABLE_QUALIFIER, CAST(NULL AS sysname) AS TABLE_OWNER, CAST(NULL AS sysname) AS TABLE_NAME, CAST(NULL AS varchar(32)) AS TABLE_TYPE,
    CAST(NULL AS varchar(254)) AS REMARKS FROM sys.databases ORDER BY 1;
ELSE IF @table_owner = '%' AND @table_name = ''
  SELECT CAST(NULL AS sysname) AS TABLE_QUALIFIER, name AS TABLE_OWNER, CAST(NULL AS sysname) AS TABLE_NAME, CAST(NULL AS varchar(32)) AS TABLE_TYPE,
    CAST(NULL AS varchar(254)) AS REMARKS FROM sys.schemas ORDER BY 2;
ELSE
  SELECT DB_NAME() AS TABLE_QUALIFIER, s.name AS TABLE_OWNER, o.name AS TABLE_NAME, CAST(CASE o.type WHEN 'U' THEN 'TABLE' ELSE 'VIEW' END AS varchar(32)) AS TABLE_TYPE,
    CAST(NULL AS varchar(254)) AS REMARKS
  FROM sys.all_objects o JOIN sys.schemas s ON s.schema_id = o.schema_id
  WHERE o.type IN ('U', 'V') AND (@table_qualifier IS NULL OR @table_qualifier = DB_NAME())
    AND (@table_name IS NULL OR @fUsePattern = 1 AND o.name LIKE @table_name OR @fUsePattern = 0 AND o.name = @table_name)
    AND (@table_owner IS NULL OR @fUsePattern = 1 AND s.name LIKE @table_owner OR @fUsePattern = 0 AND s.name = @table_owner)
    AND (@table_type IS NULL OR CHARINDEX(CASE o.type WHEN 'U' THEN '''TABLE''' ELSE '''VIEW''' END, @table_type) > 0)
  ORDER BY 4, 1, 2, 3;

-- PROCEDURE sp_columns: @table_name nvarchar(384), @table_owner nvarchar(384) = NULL, @table_qualifier sysname = NULL,
-- @column_name nvarchar(384) = NULL, @ODBCVer int = 2, @fUsePattern bit = 1;
SELECT DB_NAME() AS TABLE_QUALIFIER, s.name AS TABLE_OWNER, o.name AS TABLE_NAME, c.name AS COLUMN_NAME,
  CAST(CASE WHEN c.old_type = 93 AND @ODBCVer <> 3 THEN 11 WHEN c.old_length = 2147483646 THEN -10 WHEN c.old_length = 2147483647 AND c.base_name = 'varchar' THEN -1
    WHEN c.old_length = 2147483647 THEN -4 ELSE c.old_type END AS smallint) AS DATA_TYPE,
  c.type_name + CASE c.is_identity WHEN 1 THEN CASE WHEN c.base_name IN ('decimal', 'numeric') THEN '() identity' ELSE ' identity' END ELSE '' END AS TYPE_NAME,
  ISNULL(c.old_prec, c.prec) AS [PRECISION], ISNULL(c.old_length, c.length) AS LENGTH, CASE WHEN c.old_type = c.data_type THEN c.scale END AS SCALE, c.radix AS RADIX,
  CAST(c.is_nullable AS smallint) AS NULLABLE, CAST(NULL AS varchar(254)) AS REMARKS, LEFT(c.definition, 4000) AS COLUMN_DEF,
  CASE WHEN c.old_type = c.data_type THEN c.sql_type ELSE c.old_type END AS SQL_DATA_TYPE,
  CASE WHEN c.old_type = c.data_type THEN c.sub END AS SQL_DATETIME_SUB,
  CASE WHEN c.is_text = 1 OR c.old_type <> c.data_type THEN ISNULL(c.old_length, c.length) END AS CHAR_OCTET_LENGTH, c.id AS ORDINAL_POSITION,
  CAST(CASE c.is_nullable WHEN 1 THEN 'YES' ELSE 'NO' END AS varchar(254)) AS IS_NULLABLE, c.ss AS SS_DATA_TYPE
FROM sys.spt_columns_odbc_view c JOIN sys.all_objects o ON o.object_id = c.object_id JOIN sys.schemas s ON s.schema_id = o.schema_id
WHERE c.is_parameter = 0 AND (@table_qualifier IS NULL OR @table_qualifier = DB_NAME())
  AND (@fUsePattern = 1 AND o.name LIKE @table_name OR @fUsePattern = 0 AND o.name = @table_name)
  AND (@table_owner IS NULL OR @fUsePattern = 1 AND s.name LIKE @table_owner OR @fUsePattern = 0 AND s.name = @table_owner)
  AND (@column_name IS NULL OR @fUsePattern = 1 AND c.name LIKE @column_name OR @fUsePattern = 0 AND c.name = @column_name)
ORDER BY 1, 2, 3, 17;

-- PROCEDURE sp_columns_100: @table_name nvarchar(384), @table_owner nvarchar(384) = NULL, @table_qualifier sysname = NULL,
-- @column_name nvarchar(384) = NULL, @NameScope int = 0, @ODBCVer int = 2, @fUsePattern bit = 1;
SELECT DB_NAME() AS TABLE_QUALIFIER, s.name AS TABLE_OWNER, o.name AS TABLE_NAME, c.name AS COLUMN_NAME,
  CAST(CASE WHEN c.data_type = 93 AND @ODBCVer <> 3 THEN 11 WHEN c.data_type = 91 AND @ODBCVer <> 3 THEN 9 ELSE c.data_type END AS smallint) AS DATA_TYPE,
  c.type_name + CASE c.is_identity WHEN 1 THEN CASE WHEN c.base_name IN ('decimal', 'numeric') THEN '() identity' ELSE ' identity' END ELSE '' END AS TYPE_NAME,
  c.prec AS [PRECISION], c.length AS LENGTH, c.scale AS SCALE, c.radix AS RADIX, CAST(c.is_nullable AS smallint) AS NULLABLE,
  CAST(NULL AS varchar(254)) AS REMARKS, LEFT(c.definition, 4000) AS COLUMN_DEF, c.sql_type AS SQL_DATA_TYPE, c.sub AS SQL_DATETIME_SUB,
  CASE c.is_text WHEN 1 THEN c.length END AS CHAR_OCTET_LENGTH, c.id AS ORDINAL_POSITION,
  CAST(CASE c.is_nullable WHEN 1 THEN 'YES' ELSE 'NO' END AS varchar(254)) AS IS_NULLABLE,
  CAST(0 AS bit) AS SS_IS_SPARSE, CAST(0 AS bit) AS SS_IS_COLUMN_SET, c.is_computed AS SS_IS_COMPUTED, c.is_identity AS SS_IS_IDENTITY,
  CAST(NULL AS sysname) AS SS_UDT_CATALOG_NAME, CAST(NULL AS sysname) AS SS_UDT_SCHEMA_NAME, CAST(NULL AS nvarchar(4000)) AS SS_UDT_ASSEMBLY_TYPE_NAME,
  CAST(NULL AS sysname) AS SS_XML_SCHEMACOLLECTION_CATALOG_NAME, CAST(NULL AS sysname) AS SS_XML_SCHEMACOLLECTION_SCHEMA_NAME,
  CAST(NULL AS sysname) AS SS_XML_SCHEMACOLLECTION_NAME, c.ss AS SS_DATA_TYPE
FROM sys.spt_columns_odbc_view c JOIN sys.all_objects o ON o.object_id = c.object_id JOIN sys.schemas s ON s.schema_id = o.schema_id
WHERE c.is_parameter = 0 AND (@table_qualifier IS NULL OR @table_qualifier = DB_NAME())
  AND (@fUsePattern = 1 AND o.name LIKE @table_name OR @fUsePattern = 0 AND o.name = @table_name)
  AND (@table_owner IS NULL OR @fUsePattern = 1 AND s.name LIKE @table_owner OR @fUsePattern = 0 AND s.name = @table_owner)
  AND (@column_name IS NULL OR @fUsePattern = 1 AND c.name LIKE @column_name OR @fUsePattern = 0 AND c.name = @column_name)
ORDER BY 1, 2, 3, 17;

-- PROCEDURE sp_pkeys: @table_name sysname, @table_owner sysname = NULL, @table_qualifier sysname = NULL;
SELECT DB_NAME() AS TABLE_QUALIFIER, s.name AS TABLE_OWNER, o.name AS TABLE_NAME, c.name AS COLUMN_NAME, CAST(x.key_ordinal AS smallint) AS KEY_SEQ, k.name AS PK_NAME
FROM sys.key_constraints k JOIN sys.objects o ON o.object_id = k.parent_object_id JOIN sys.schemas s ON s.schema_id = o.schema_id
JOIN sys.index_columns x ON x.object_id = k.parent_object_id AND x.index_id = k.unique_index_id
JOIN sys.columns c ON c.object_id = x.object_id AND c.column_id = x.column_id
WHERE k.type = 'PK' AND x.key_ordinal > 0 AND o.name = @table_name AND (@table_owner IS NULL OR s.name = @table_owner)
  AND (@table_qualifier IS NULL OR @table_qualifier = DB_NAME())
ORDER BY 1, 2, 3, 5;

-- PROCEDURE sp_fkeys: @pktable_name sysname = NULL, @pktable_owner sysname = NULL, @pktable_qualifier sysname = NULL,
-- @fktable_name sysname = NULL, @fktable_owner sysname = NULL, @fktable_qualifier sysname = NULL;
SELECT DB_NAME() AS PKTABLE_QUALIFIER, ps.name AS PKTABLE_OWNER, p.name AS PKTABLE_NAME, pc.name AS PKCOLUMN_NAME,
  DB_NAME() AS FKTABLE_QUALIFIER, fs.name AS FKTABLE_OWNER, o.name AS FKTABLE_NAME, fc.name AS FKCOLUMN_NAME, CAST(x.constraint_column_id AS smallint) AS KEY_SEQ,
  CAST(CASE f.update_referential_action WHEN 0 THEN 1 WHEN 1 THEN 0 ELSE f.update_referential_action END AS smallint) AS UPDATE_RULE,
  CAST(CASE f.delete_referential_action WHEN 0 THEN 1 WHEN 1 THEN 0 ELSE f.delete_referential_action END AS smallint) AS DELETE_RULE,
  f.name AS FK_NAME, i.name AS PK_NAME, CAST(7 AS smallint) AS DEFERRABILITY
FROM sys.foreign_keys f JOIN sys.objects o ON o.object_id = f.parent_object_id JOIN sys.schemas fs ON fs.schema_id = o.schema_id
JOIN sys.objects p ON p.object_id = f.referenced_object_id JOIN sys.schemas ps ON ps.schema_id = p.schema_id
JOIN sys.indexes i ON i.object_id = f.referenced_object_id AND i.index_id = f.key_index_id
JOIN sys.foreign_key_columns x ON x.constraint_object_id = f.object_id
JOIN sys.columns fc ON fc.object_id = x.parent_object_id AND fc.column_id = x.parent_column_id
JOIN sys.columns pc ON pc.object_id = x.referenced_object_id AND pc.column_id = x.referenced_column_id
WHERE (@pktable_name IS NULL OR p.name = @pktable_name) AND (@pktable_owner IS NULL OR ps.name = @pktable_owner)
  AND (@fktable_name IS NULL OR o.name = @fktable_name) AND (@fktable_owner IS NULL OR fs.name = @fktable_owner)
  AND (@pktable_qualifier IS NULL OR @pktable_qualifier = DB_NAME()) AND (@fktable_qualifier IS NULL OR @fktable_qualifier = DB_NAME())
ORDER BY 5, 6, 7, 9;

-- PROCEDURE sp_statistics, sp_statistics_100: @table_name sysname, @table_owner sysname = NULL, @table_qualifier sysname = NULL,
-- @index_name sysname = '%', @is_unique char(1) = 'N', @accuracy char(1) = 'Q';
SELECT DB_NAME() AS TABLE_QUALIFIER, s.name AS TABLE_OWNER, o.name AS TABLE_NAME, CAST(NULL AS smallint) AS NON_UNIQUE, CAST(NULL AS sysname) AS INDEX_QUALIFIER,
  CAST(NULL AS sysname) AS INDEX_NAME, CAST(0 AS smallint) AS TYPE, CAST(NULL AS smallint) AS SEQ_IN_INDEX, CAST(NULL AS sysname) AS COLUMN_NAME,
  CAST(NULL AS char(1)) AS COLLATION, CAST(NULL AS int) AS CARDINALITY, CAST(NULL AS int) AS PAGES, CAST(NULL AS varchar(128)) AS FILTER_CONDITION
FROM sys.objects o JOIN sys.schemas s ON s.schema_id = o.schema_id
WHERE o.type = 'U' AND o.name = @table_name AND (@table_owner IS NULL OR s.name = @table_owner) AND (@table_qualifier IS NULL OR @table_qualifier = DB_NAME())
UNION ALL
SELECT DB_NAME(), s.name, o.name, CASE i.is_unique WHEN 1 THEN 0 ELSE 1 END, o.name, i.name, CASE i.type WHEN 1 THEN 1 ELSE 3 END, x.key_ordinal, c.name,
  CASE x.is_descending_key WHEN 1 THEN 'D' ELSE 'A' END, NULL, NULL, LEFT(i.filter_definition, 128)
FROM sys.objects o JOIN sys.schemas s ON s.schema_id = o.schema_id JOIN sys.indexes i ON i.object_id = o.object_id
JOIN sys.index_columns x ON x.object_id = i.object_id AND x.index_id = i.index_id JOIN sys.columns c ON c.object_id = x.object_id AND c.column_id = x.column_id
WHERE o.type = 'U' AND o.name = @table_name AND (@table_owner IS NULL OR s.name = @table_owner) AND (@table_qualifier IS NULL OR @table_qualifier = DB_NAME())
  AND x.key_ordinal > 0 AND i.name LIKE @index_name AND (@is_unique <> 'Y' OR i.is_unique = 1)
ORDER BY 4, 7, 6, 8;

-- PROCEDURE sp_stored_procedures: @sp_name nvarchar(390) = NULL, @sp_owner nvarchar(384) = NULL, @sp_qualifier sysname = NULL,
-- @fUsePattern bit = 1;
SELECT DB_NAME() AS PROCEDURE_QUALIFIER, s.name AS PROCEDURE_OWNER, CAST(o.name + CASE o.type WHEN 'P' THEN ';1' ELSE ';0' END AS nvarchar(134)) AS PROCEDURE_NAME,
  -1 AS NUM_INPUT_PARAMS, -1 AS NUM_OUTPUT_PARAMS, -1 AS NUM_RESULT_SETS, CAST(NULL AS varchar(254)) AS REMARKS, CAST(2 AS smallint) AS PROCEDURE_TYPE
FROM sys.objects o JOIN sys.schemas s ON s.schema_id = o.schema_id
WHERE o.type IN ('P', 'FN', 'TF', 'IF') AND (@sp_qualifier IS NULL OR @sp_qualifier = DB_NAME())
  AND (@sp_name IS NULL OR @fUsePattern = 1 AND o.name LIKE @sp_name OR @fUsePattern = 0 AND o.name = @sp_name)
  AND (@sp_owner IS NULL OR @fUsePattern = 1 AND s.name LIKE @sp_owner OR @fUsePattern = 0 AND s.name = @sp_owner)
ORDER BY 1, 2, 3;

-- PROCEDURE sp_sproc_columns: @procedure_name nvarchar(390) = '%', @procedure_owner nvarchar(384) = NULL, @procedure_qualifier sysname = NULL,
-- @column_name nvarchar(384) = NULL, @ODBCVer int = 2, @fUsePattern bit = 1;
SELECT DB_NAME() AS PROCEDURE_QUALIFIER, s.name AS PROCEDURE_OWNER, CAST(o.name + CASE o.type WHEN 'P' THEN ';1' ELSE ';0' END AS nvarchar(134)) AS PROCEDURE_NAME,
  CASE c.id WHEN 0 THEN '@RETURN_VALUE' ELSE c.name END AS COLUMN_NAME,
  CAST(CASE WHEN c.id = 0 THEN 5 WHEN c.is_output = 1 THEN 2 ELSE 1 END AS smallint) AS COLUMN_TYPE,
  CAST(CASE WHEN c.old_type = 93 AND @ODBCVer <> 3 THEN 11 WHEN c.old_length = 2147483646 THEN -10 WHEN c.old_length = 2147483647 AND c.base_name = 'varchar' THEN -1
    WHEN c.old_length = 2147483647 AND c.base_name = 'varbinary' THEN -4 ELSE c.old_type END AS smallint) AS DATA_TYPE,
  c.type_name AS TYPE_NAME, ISNULL(c.old_prec, c.prec) AS [PRECISION], ISNULL(c.old_length, c.length) AS LENGTH,
  CASE WHEN c.old_type = c.data_type THEN c.scale END AS SCALE, c.radix AS RADIX, CAST(c.is_nullable AS smallint) AS NULLABLE,
  CAST(NULL AS varchar(254)) AS REMARKS, CAST(NULL AS nvarchar(4000)) AS COLUMN_DEF,
  CASE WHEN c.old_type = c.data_type THEN c.sql_type ELSE c.old_type END AS SQL_DATA_TYPE, CASE WHEN c.old_type = c.data_type THEN c.sub END AS SQL_DATETIME_SUB,
  CASE WHEN c.is_text = 1 OR c.old_type <> c.data_type THEN ISNULL(c.old_length, c.length) END AS CHAR_OCTET_LENGTH, c.id AS ORDINAL_POSITION,
  CAST(CASE c.is_nullable WHEN 1 THEN 'YES' ELSE 'NO' END AS varchar(254)) AS IS_NULLABLE, c.ss AS SS_DATA_TYPE
FROM sys.spt_procedures_odbc_view c JOIN sys.objects o ON o.object_id = c.object_id JOIN sys.schemas s ON s.schema_id = o.schema_id
WHERE (@procedure_qualifier IS NULL OR @procedure_qualifier = DB_NAME())
  AND (@fUsePattern = 1 AND o.name LIKE @procedure_name OR @fUsePattern = 0 AND o.name = @procedure_name)
  AND (@procedure_owner IS NULL OR @fUsePattern = 1 AND s.name LIKE @procedure_owner OR @fUsePattern = 0 AND s.name = @procedure_owner)
  AND (@column_name IS NULL OR @fUsePattern = 1 AND c.name LIKE @column_name OR @fUsePattern = 0 AND c.name = @column_name)
ORDER BY 1, 2, 3, 18;

-- PROCEDURE sp_sproc_columns_100: @procedure_name nvarchar(390) = '%', @procedure_owner nvarchar(384) = NULL, @procedure_qualifier sysname = NULL,
-- @column_name nvarchar(384) = NULL, @ODBCVer int = 2, @fUsePattern bit = 1;
SELECT DB_NAME() AS PROCEDURE_QUALIFIER, s.name AS PROCEDURE_OWNER, CAST(o.name + CASE o.type WHEN 'P' THEN ';1' ELSE ';0' END AS nvarchar(134)) AS PROCEDURE_NAME,
  CASE c.id WHEN 0 THEN '@RETURN_VALUE' ELSE c.name END AS COLUMN_NAME,
  CAST(CASE WHEN c.id = 0 THEN 5 WHEN c.is_output = 1 THEN 2 ELSE 1 END AS smallint) AS COLUMN_TYPE,
  CAST(CASE WHEN c.data_type = 93 AND @ODBCVer <> 3 THEN 11 WHEN c.data_type = 91 AND @ODBCVer <> 3 THEN 9 ELSE c.data_type END AS smallint) AS DATA_TYPE,
  c.type_name AS TYPE_NAME, c.prec AS [PRECISION], c.length AS LENGTH, c.scale AS SCALE, c.radix AS RADIX, CAST(c.is_nullable AS smallint) AS NULLABLE,
  CAST(NULL AS varchar(254)) AS REMARKS, CAST(NULL AS nvarchar(4000)) AS COLUMN_DEF, c.sql_type AS SQL_DATA_TYPE, c.sub AS SQL_DATETIME_SUB,
  CASE c.is_text WHEN 1 THEN c.length END AS CHAR_OCTET_LENGTH, c.id AS ORDINAL_POSITION,
  CAST(CASE c.is_nullable WHEN 1 THEN 'YES' ELSE 'NO' END AS varchar(254)) AS IS_NULLABLE,
  CASE c.base_name WHEN 'table' THEN DB_NAME() END AS SS_TYPE_CATALOG_NAME, CASE c.base_name WHEN 'table' THEN c.type_schema END AS SS_TYPE_SCHEMA_NAME,
  CAST(NULL AS sysname) AS SS_UDT_CATALOG_NAME, CAST(NULL AS sysname) AS SS_UDT_SCHEMA_NAME, CAST(NULL AS nvarchar(4000)) AS SS_UDT_ASSEMBLY_TYPE_NAME,
  CAST(NULL AS sysname) AS SS_XML_SCHEMACOLLECTION_CATALOG_NAME, CAST(NULL AS sysname) AS SS_XML_SCHEMACOLLECTION_SCHEMA_NAME,
  CAST(NULL AS sysname) AS SS_XML_SCHEMACOLLECTION_NAME, c.ss AS SS_DATA_TYPE
FROM sys.spt_procedures_odbc_view c JOIN sys.objects o ON o.object_id = c.object_id JOIN sys.schemas s ON s.schema_id = o.schema_id
WHERE (@procedure_qualifier IS NULL OR @procedure_qualifier = DB_NAME())
  AND (@fUsePattern = 1 AND o.name LIKE @procedure_name OR @fUsePattern = 0 AND o.name = @procedure_name)
  AND (@procedure_owner IS NULL OR @fUsePattern = 1 AND s.name LIKE @procedure_owner OR @fUsePattern = 0 AND s.name = @procedure_owner)
  AND (@column_name IS NULL OR @fUsePattern = 1 AND c.name LIKE @column_name OR @fUsePattern = 0 AND c.name = @column_name)
ORDER BY 1, 2, 3, 18;

-- PROCEDURE sp_procedure_params_100_managed: @procedure_name sysname, @group_number int = 1, @procedure_schema sysname = NULL,
-- @parameter_name sysname = NULL;
SELECT CASE c.id WHEN 0 THEN '@RETURN_VALUE' ELSE c.name END AS PARAMETER_NAME,
  CAST(CASE WHEN c.id = 0 THEN 4 WHEN c.is_output = 1 THEN 2 ELSE 1 END AS smallint) AS PARAMETER_TYPE, c.managed AS MANAGED_DATA_TYPE,
  CASE c.is_text WHEN 1 THEN CASE WHEN c.old_prec IS NULL THEN c.prec ELSE -1 END END AS CHARACTER_MAXIMUM_LENGTH,
  CASE WHEN c.radix IS NOT NULL THEN c.prec END AS NUMERIC_PRECISION, CASE WHEN c.radix IS NOT NULL THEN c.scale END AS NUMERIC_SCALE,
  CASE c.base_name WHEN 'table' THEN DB_NAME() END AS TYPE_CATALOG_NAME, CASE c.base_name WHEN 'table' THEN c.type_schema END AS TYPE_SCHEMA_NAME, c.type_name AS TYPE_NAME,
  CAST(NULL AS sysname) AS XML_CATALOGNAME, CAST(NULL AS sysname) AS XML_SCHEMANAME, CAST(NULL AS sysname) AS XML_SCHEMACOLLECTIONNAME,
  CASE WHEN c.radix IS NULL THEN c.scale END AS SS_DATETIME_PRECISION
FROM sys.spt_procedures_odbc_view c JOIN sys.objects o ON o.object_id = c.object_id JOIN sys.schemas s ON s.schema_id = o.schema_id
WHERE o.name = @procedure_name AND s.name = ISNULL(@procedure_schema, SCHEMA_NAME()) AND (@parameter_name IS NULL OR c.name = @parameter_name)
ORDER BY c.id;

-- In these, @is100 is 1 for the second name.
-- PROCEDURE sp_special_columns, sp_special_columns_100: @table_name sysname, @table_owner sysname = NULL, @table_qualifier sysname = NULL,
-- @col_type char(1) = 'R', @scope char(1) = 'T', @nullable char(1) = 'U', @ODBCVer int = 2;
SELECT CAST(CASE WHEN @col_type = 'V' THEN NULL WHEN @scope = 'C' THEN 0 ELSE 1 END AS smallint) AS SCOPE, c.name AS COLUMN_NAME,
  CAST(CASE WHEN c.type = 93 AND @ODBCVer <> 3 THEN 11 WHEN c.type = 91 AND @ODBCVer <> 3 THEN 9 ELSE c.type END AS smallint) AS DATA_TYPE,
  c.type_name + CASE c.is_identity WHEN 1 THEN ' identity' ELSE '' END AS TYPE_NAME, c.prec AS [PRECISION],
  CASE @is100 WHEN 1 THEN c.length ELSE ISNULL(c.old_length, c.length) END AS LENGTH, CASE WHEN c.type = c.data_type THEN c.scale END AS SCALE, CAST(1 AS smallint) AS PSEUDO_COLUMN
FROM sys.spt_row_id_view x
JOIN (SELECT v.*, CASE @is100 WHEN 1 THEN v.data_type ELSE v.old_type END AS type FROM sys.spt_columns_odbc_view v) c ON c.object_id = x.object_id AND c.id = x.column_id AND c.is_parameter = 0
JOIN sys.objects o ON o.object_id = x.object_id JOIN sys.schemas s ON s.schema_id = o.schema_id
WHERE o.name = @table_name AND (@table_owner IS NULL OR s.name = @table_owner) AND (@table_qualifier IS NULL OR @table_qualifier = DB_NAME()) AND x.kind = @col_type
  AND (@nullable <> 'O' OR x.nullable = 0)
ORDER BY x.ordinal;

-- PROCEDURE sp_datatype_info, sp_datatype_info_100: @data_type int = 0, @ODBCVer tinyint = 2;
SELECT t.name AS TYPE_NAME, CAST(t.type AS smallint) AS DATA_TYPE,
  CASE WHEN @ODBCVer = 3 THEN t.prec WHEN t.name = 'float' THEN 15 WHEN t.name = 'real' THEN 7 ELSE t.prec END AS [PRECISION],
  t.prefix AS LITERAL_PREFIX, t.suffix AS LITERAL_SUFFIX, t.params AS CREATE_PARAMS, CAST(CASE WHEN t.autoinc = 1 OR t.name IN ('sysname', 'timestamp') THEN 0 ELSE 1 END AS smallint) AS NULLABLE,
  CAST(0 AS smallint) AS CASE_SENSITIVE, t.searchable AS SEARCHABLE, t.unsigned AS UNSIGNED_ATTRIBUTE, t.is_money AS MONEY, t.autoinc AS AUTO_INCREMENT,
  t.name AS LOCAL_TYPE_NAME, t.minscale AS MINIMUM_SCALE, t.maxscale AS MAXIMUM_SCALE,
  CASE WHEN @is100 = 1 OR t.old_type = t.data_type THEN t.sql_type ELSE t.old_type END AS SQL_DATA_TYPE, CASE WHEN @is100 = 1 OR t.old_type = t.data_type THEN t.sub END AS SQL_DATETIME_SUB,
  CAST(CASE WHEN @ODBCVer <> 3 AND t.radix = 2 THEN 10 ELSE t.radix END AS int) AS NUM_PREC_RADIX, CAST(NULL AS smallint) AS INTERVAL_PRECISION, t.usertype AS USERTYPE
FROM (SELECT v.*, CASE WHEN @is100 = 0 AND v.old_type <> 93 OR @ODBCVer = 3 OR v.data_type NOT IN (91, 93) THEN CASE @is100 WHEN 1 THEN v.data_type ELSE v.old_type END
    WHEN v.data_type = 93 THEN 11 ELSE 9 END AS type FROM sys.spt_datatype_info v) t
WHERE t.name <> 'table' AND (@data_type = 0 OR @data_type = t.type)
ORDER BY 2, 12, 11, 20;

-- PROCEDURE sp_tablecollations_100: @object nvarchar(4000);
SELECT c.column_id AS colid, c.name, CASE c.collation_name WHEN 'SQL_Latin1_General_CP1_CI_AS' THEN 0x0904D00034 WHEN 'SQL_Latin1_General_CP1_CS_AS' THEN 0x0904C00033
  WHEN 'Latin1_General_BIN2' THEN 0x0904000200 END AS tds_collation_100, c.collation_name AS collation_100
FROM sys.all_columns c WHERE c.object_id = OBJECT_ID(@object) ORDER BY 1;

-- PROCEDURE sp_columns_managed: @Catalog nvarchar(128) = NULL, @Owner nvarchar(128) = NULL, @Table nvarchar(128) = NULL,
-- @Column nvarchar(128) = NULL, @SchemaType nvarchar(128) = NULL;
SELECT TABLE_CATALOG, TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, ORDINAL_POSITION, COLUMN_DEFAULT, IS_NULLABLE, DATA_TYPE, CHARACTER_MAXIMUM_LENGTH, CHARACTER_OCTET_LENGTH,
  NUMERIC_PRECISION, NUMERIC_PRECISION_RADIX, NUMERIC_SCALE, DATETIME_PRECISION, CHARACTER_SET_CATALOG, CHARACTER_SET_SCHEMA, CHARACTER_SET_NAME, COLLATION_CATALOG,
  CAST(0 AS bit) AS IS_SPARSE, CAST(0 AS bit) AS IS_COLUMN_SET, CAST(0 AS bit) AS IS_FILESTREAM FROM INFORMATION_SCHEMA.COLUMNS
WHERE (@Catalog IS NULL OR TABLE_CATALOG = @Catalog) AND (@Owner IS NULL OR TABLE_SCHEMA = @Owner) AND (@Table IS NULL OR TABLE_NAME = @Table)
  AND (@Column IS NULL OR COLUMN_NAME = @Column)
ORDER BY 1, 2, 3, 5;

-- PROCEDURE sp_helpindex: @objname nvarchar(776);
IF NOT EXISTS (SELECT 1 FROM sys.indexes WHERE object_id = OBJECT_ID(@objname) AND index_id > 0)
  RAISERROR ('The object ''%s'' does not have any indexes, or you do not have permissions.', 0, 1, @objname);
ELSE SELECT i.name AS index_name, CAST(CASE i.type WHEN 1 THEN 'clustered' ELSE 'nonclustered' END + CASE i.is_unique WHEN 1 THEN ', unique' ELSE '' END
    + CASE WHEN i.is_primary_key = 1 THEN ', primary key' WHEN i.is_unique_constraint = 1 THEN ', unique key' ELSE '' END + ' located on PRIMARY' AS varchar(210)) AS index_description,
  CAST(STRING_AGG(c.name + CASE x.is_descending_key WHEN 1 THEN '(-)' ELSE '' END, ', ') AS nvarchar(2078)) AS index_keys
FROM (SELECT TOP (32000) * FROM sys.index_columns ORDER BY key_ordinal) x JOIN sys.indexes i ON x.object_id = i.object_id AND x.index_id = i.index_id AND x.key_ordinal > 0
JOIN sys.columns c ON c.object_id = x.object_id AND c.column_id = x.column_id
WHERE i.object_id = OBJECT_ID(@objname) GROUP BY i.name, i.type, i.is_unique, i.is_primary_key, i.is_unique_constraint ORDER BY 1;
