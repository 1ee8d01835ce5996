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

-- PROCEDURE sp_tablecollations_100: @object nvarchar(4000);
SELECT c.column_id AS colid, c.name, CASE c.collation_name WHEN 'SQL_Latin1_General_CP1_CI_AS' THEN 0x0904D00034 WHEN 'SQL_Latin1_General_CP1_CS_AS' THEN 0x0904C00033
  WHEN 'Latin1_General_BIN2' THEN 0x0904000200 END AS tds_collation_100, c.collation_name AS collation_100
FROM sys.all_columns c WHERE c.object_id = OBJECT_ID(@object) ORDER BY 1;

