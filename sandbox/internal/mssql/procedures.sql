-- The catalog procedures of ODBC (learn.microsoft.com, "Catalog stored procedures"): "PROCEDURE name: parameters", then the batch.

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

