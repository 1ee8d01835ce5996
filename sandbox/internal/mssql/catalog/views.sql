-- VIEW INFORMATION_SCHEMA.SCHEMATA: CATALOG_NAME nvarchar(128)?, SCHEMA_NAME nvarchar(128), SCHEMA_OWNER nvarchar(128)?,
-- DEFAULT_CHARACTER_SET_CATALOG nvarchar(6)?, DEFAULT_CHARACTER_SET_SCHEMA nvarchar(3)?, DEFAULT_CHARACTER_SET_NAME sysname?;
SELECT @database, s.name, p.name, NULL, NULL, 'iso_1'
FROM sys.schemas s LEFT JOIN sys.database_principals p ON p.principal_id = s.principal_id;

-- VIEW INFORMATION_SCHEMA.TABLES: TABLE_CATALOG nvarchar(128)?, TABLE_SCHEMA sysname?, TABLE_NAME sysname, TABLE_TYPE varchar(10)?;
SELECT @database, s.name, o.name, CASE o.type WHEN 'V' THEN 'VIEW' ELSE 'BASE TABLE' END
FROM sys.objects o JOIN sys.schemas s ON s.schema_id = o.schema_id
WHERE o.type IN ('U', 'V');

-- VIEW INFORMATION_SCHEMA.COLUMNS: TABLE_CATALOG nvarchar(128)?, TABLE_SCHEMA nvarchar(128)?, TABLE_NAME nvarchar(128),
-- COLUMN_NAME nvarchar(128)?, ORDINAL_POSITION int?, COLUMN_DEFAULT nvarchar(4000)?, IS_NULLABLE varchar(3)?, DATA_TYPE nvarchar(128)?,
-- CHARACTER_MAXIMUM_LENGTH int?, CHARACTER_OCTET_LENGTH int?, NUMERIC_PRECISION tinyint?, NUMERIC_PRECISION_RADIX smallint?,
-- NUMERIC_SCALE int?, DATETIME_PRECISION smallint?, CHARACTER_SET_CATALOG sysname?, CHARACTER_SET_SCHEMA sysname?,
-- CHARACTER_SET_NAME sysname?, COLLATION_CATALOG sysname?, COLLATION_SCHEMA sysname?, COLLATION_NAME sysname?,
-- DOMAIN_CATALOG sysname?, DOMAIN_SCHEMA sysname?, DOMAIN_NAME sysname?;
SELECT @database, s.name, o.name, c.name, c.column_id, LEFT(d.definition, 4000), CASE c.is_nullable WHEN 1 THEN 'YES' ELSE 'NO' END, t.name,
  CASE WHEN t.name IN ('nchar', 'nvarchar') AND c.max_length > 0 THEN c.max_length / 2
    WHEN t.name IN ('char', 'varchar', 'nchar', 'nvarchar', 'binary', 'varbinary') THEN c.max_length END,
  CASE WHEN t.name IN ('char', 'varchar', 'nchar', 'nvarchar', 'binary', 'varbinary') THEN c.max_length END,
  CASE WHEN t.name IN ('tinyint', 'smallint', 'int', 'bigint', 'decimal', 'numeric', 'money', 'smallmoney', 'real', 'float') THEN c.[precision] END,
  CASE WHEN t.name IN ('real', 'float') THEN 2
    WHEN t.name IN ('tinyint', 'smallint', 'int', 'bigint', 'decimal', 'numeric', 'money', 'smallmoney') THEN 10 END,
  CASE WHEN t.name IN ('tinyint', 'smallint', 'int', 'bigint', 'decimal', 'numeric', 'money', 'smallmoney') THEN c.scale END,
  CASE WHEN t.name IN ('date', 'time', 'datetime', 'datetime2', 'smalldatetime', 'datetimeoffset') THEN c.scale END,
  NULL, NULL, CASE WHEN t.name IN ('nchar', 'nvarchar') THEN 'UNICODE' WHEN t.name IN ('char', 'varchar') THEN 'iso_1' END,
  NULL, NULL, c.collation_name, NULL, NULL, NULL
FROM sys.objects o JOIN sys.schemas s ON s.schema_id = o.schema_id JOIN sys.columns c ON c.object_id = o.object_id
JOIN sys.types t ON t.user_type_id = c.system_type_id LEFT JOIN sys.default_constraints d ON d.object_id = c.default_object_id
WHERE o.type IN ('U', 'V');

-- VIEW INFORMATION_SCHEMA.TABLE_CONSTRAINTS: CONSTRAINT_CATALOG nvarchar(128)?, CONSTRAINT_SCHEMA nvarchar(128)?, CONSTRAINT_NAME sysname,
-- TABLE_CATALOG nvarchar(128)?, TABLE_SCHEMA nvarchar(128)?, TABLE_NAME sysname?, CONSTRAINT_TYPE varchar(11)?, IS_DEFERRABLE varchar(2),
-- INITIALLY_DEFERRED varchar(2);
SELECT @database, s.name, o.name, @database, ts.name, t.name,
  CASE o.type WHEN 'PK' THEN 'PRIMARY KEY' WHEN 'UQ' THEN 'UNIQUE' ELSE 'CHECK' END, 'NO', 'NO'
FROM sys.objects o JOIN sys.schemas s ON s.schema_id = o.schema_id
JOIN sys.objects t ON t.object_id = o.parent_object_id JOIN sys.schemas ts ON ts.schema_id = t.schema_id
WHERE o.type IN ('PK', 'UQ', 'C');

-- What the catalog procedures show of the types that are modeled (procedures.sql, ODBC's numbers), and of columns and parameters.
-- VIEW sys.spt_datatype_info: name sysname, data_type smallint, old_type smallint, prec int, prefix varchar(32)?, suffix varchar(32)?,
-- params varchar(32)?, searchable smallint, unsigned smallint?, is_money smallint, autoinc smallint?, minscale smallint?, maxscale smallint?,
-- sql_type smallint, sub smallint?, radix smallint?, usertype smallint, ss tinyint, ss_null tinyint, managed smallint;
SELECT v.name, v.data_type, v.old_type, v.prec, v.prefix, v.suffix, v.params, v.searchable, v.unsigned, v.is_money, v.autoinc, v.minscale, v.maxscale,
  v.sql_type, v.sub, v.radix, v.usertype, v.ss, v.ss_null, v.managed
FROM (VALUES ('datetimeoffset', -155, -9, 34, '''', '''', 'scale', 3, NULL, 0, NULL, 0, 7, -155, 0, NULL, 0, 0, 0, 34),
  ('time', -154, -9, 16, '''', '''', 'scale', 3, NULL, 0, NULL, 0, 7, -154, 0, NULL, 0, 0, 0, 32),
  ('sql_variant', -150, -150, 8000, NULL, NULL, NULL, 2, NULL, 0, NULL, 0, 0, -150, NULL, 10, 0, 39, 39, 23),
  ('uniqueidentifier', -11, -11, 36, '''', '''', NULL, 2, NULL, 0, NULL, NULL, NULL, -11, NULL, NULL, 0, 37, 37, 14),
  ('nvarchar', -9, -9, 4000, 'N''', '''', 'max length', 3, NULL, 0, NULL, NULL, NULL, -9, NULL, NULL, 0, 39, 39, 12),
  ('sysname', -9, -9, 128, 'N''', '''', NULL, 3, NULL, 0, NULL, NULL, NULL, -9, NULL, NULL, 18, 39, 39, 12),
  ('nchar', -8, -8, 4000, 'N''', '''', 'length', 3, NULL, 0, NULL, NULL, NULL, -8, NULL, NULL, 0, 39, 39, 10),
  ('bit', -7, -7, 1, NULL, NULL, NULL, 2, NULL, 0, NULL, 0, 0, -7, NULL, NULL, 16, 50, 50, 2),
  ('tinyint', -6, -6, 3, NULL, NULL, NULL, 2, 1, 0, 0, 0, 0, -6, NULL, 10, 5, 48, 38, 20),
  ('bigint', -5, -5, 19, NULL, NULL, NULL, 2, 0, 0, 0, 0, 0, -5, NULL, 10, 0, 63, 108, 0),
  ('varbinary', -3, -3, 8000, '0x', NULL, 'max length', 2, NULL, 0, NULL, NULL, NULL, -3, NULL, NULL, 4, 37, 37, 21),
  ('binary', -2, -2, 8000, '0x', NULL, 'length', 2, NULL, 0, NULL, NULL, NULL, -2, NULL, NULL, 3, 45, 37, 1),
  ('timestamp', -2, -2, 8, '0x', NULL, NULL, 2, NULL, 0, NULL, NULL, NULL, -2, NULL, NULL, 80, 45, 37, 19),
  ('char', 1, 1, 8000, '''', '''', 'length', 3, NULL, 0, NULL, NULL, NULL, 1, NULL, NULL, 1, 47, 39, 3),
  ('numeric', 2, 2, 38, NULL, NULL, 'precision,scale', 2, 0, 0, 0, 0, 38, 2, NULL, 10, 10, 63, 108, 5),
  ('decimal', 3, 3, 38, NULL, NULL, 'precision,scale', 2, 0, 0, 0, 0, 38, 3, NULL, 10, 24, 55, 106, 5),
  ('money', 3, 3, 19, '$', NULL, NULL, 2, 0, 1, 0, 4, 4, 3, NULL, 10, 11, 60, 110, 9),
  ('smallmoney', 3, 3, 10, '$', NULL, NULL, 2, 0, 1, 0, 4, 4, 3, NULL, 10, 21, 122, 110, 17),
  ('int', 4, 4, 10, NULL, NULL, NULL, 2, 0, 0, 0, 0, 0, 4, NULL, 10, 7, 56, 38, 8),
  ('smallint', 5, 5, 5, NULL, NULL, NULL, 2, 0, 0, 0, 0, 0, 5, NULL, 10, 6, 52, 38, 16),
  ('float', 6, 6, 53, NULL, NULL, NULL, 2, 0, 0, 0, NULL, NULL, 6, NULL, 2, 8, 62, 109, 6),
  ('real', 7, 7, 24, NULL, NULL, NULL, 2, 0, 0, 0, NULL, NULL, 7, NULL, 2, 23, 59, 109, 13),
  ('varchar', 12, 12, 8000, '''', '''', 'max length', 3, NULL, 0, NULL, NULL, NULL, 12, NULL, NULL, 2, 39, 39, 22),
  ('date', 91, -9, 10, '''', '''', NULL, 3, NULL, 0, NULL, NULL, 0, 9, 1, NULL, 0, 0, 0, 31),
  ('datetime2', 93, -9, 27, '''', '''', 'scale', 3, NULL, 0, NULL, 0, 7, 9, 3, NULL, 0, 0, 0, 33),
  ('datetime', 93, 93, 23, '''', '''', NULL, 3, NULL, 0, NULL, 3, 3, 9, 3, NULL, 12, 61, 111, 4),
  ('smalldatetime', 93, 93, 16, '''', '''', NULL, 3, NULL, 0, NULL, 0, 0, 9, 3, NULL, 22, 58, 111, 15),
  ('bigint identity', -5, -5, 19, NULL, NULL, NULL, 2, 0, 0, 1, 0, 0, -5, NULL, 10, 0, 63, 108, 0),
  ('int identity', 4, 4, 10, NULL, NULL, NULL, 2, 0, 0, 1, 0, 0, 4, NULL, 10, 7, 56, 38, 8),
  ('smallint identity', 5, 5, 5, NULL, NULL, NULL, 2, 0, 0, 1, 0, 0, 5, NULL, 10, 6, 52, 38, 16),
  ('tinyint identity', -6, -6, 3, NULL, NULL, NULL, 2, 1, 0, 1, 0, 0, -6, NULL, 10, 5, 48, 38, 20),
  ('decimal() identity', 3, 3, 38, NULL, NULL, 'precision', 2, 0, 0, 1, 0, 0, 3, NULL, 10, 24, 55, 106, 5),
  ('numeric() identity', 2, 2, 38, NULL, NULL, 'precision', 2, 0, 0, 1, 0, 0, 2, NULL, 10, 10, 63, 108, 5),
  ('table', -153, -153, 0, NULL, NULL, NULL, 0, NULL, 0, NULL, NULL, NULL, -153, NULL, NULL, 0, 0, 0, 30)) v (name, data_type, old_type, prec, prefix, suffix, params, searchable, unsigned, is_money, autoinc, minscale, maxscale,
  sql_type, sub, radix, usertype, ss, ss_null, managed);

-- VIEW sys.spt_columns_odbc_view: object_id int, is_parameter int, id int, name sysname?, is_output bit?, type_schema sysname?, type_name sysname,
-- base_name sysname, data_type smallint, old_type smallint, prec int?, old_prec int?, length int?, old_length int?, scale smallint?, radix smallint?,
-- is_nullable bit?, definition nvarchar(max)?, sql_type smallint, sub smallint?, is_text int, is_computed bit?, is_identity bit?, ss tinyint,
-- managed smallint;
SELECT c.object_id, c.is_parameter, c.id, c.name, c.is_output, s.name, u.name, i.name, i.data_type, i.old_type,
  CASE WHEN c.max_length = -1 AND i.name <> 'table' THEN 0 WHEN i.name IN ('nchar', 'nvarchar') THEN c.max_length / 2
    WHEN i.name IN ('char', 'varchar', 'binary', 'varbinary', 'timestamp') THEN c.max_length WHEN i.name = 'float' THEN 15 WHEN i.name = 'real' THEN 7
    WHEN i.name = 'sql_variant' THEN 0 WHEN i.name = 'uniqueidentifier' THEN 36 ELSE c.[precision] END,
  CASE WHEN c.max_length = -1 THEN 2147483647 / CASE i.name WHEN 'nvarchar' THEN 2 ELSE 1 END END,
  CASE WHEN c.max_length = -1 THEN 0 WHEN i.name IN ('decimal', 'numeric') THEN c.[precision] + 2 WHEN i.name = 'money' THEN 21
    WHEN i.name = 'smallmoney' THEN 12 WHEN i.name IN ('datetime', 'smalldatetime', 'datetime2') THEN 16 WHEN i.name = 'date' THEN 6
    WHEN i.name = 'time' THEN 12 WHEN i.name = 'datetimeoffset' THEN 20 WHEN i.name = 'sql_variant' THEN 8000 ELSE c.max_length END,
  CASE WHEN c.max_length = -1 THEN CASE i.name WHEN 'nvarchar' THEN 2147483646 ELSE 2147483647 END WHEN i.old_type <> i.data_type THEN 2 * c.[precision] END,
  CASE WHEN i.maxscale IS NOT NULL AND i.name NOT IN ('bit', 'date', 'sql_variant') THEN c.scale END,
  CASE WHEN i.radix IS NOT NULL THEN 10 END, c.is_nullable, d.definition, i.sql_type, i.sub,
  CASE WHEN i.name IN ('char', 'varchar', 'nchar', 'nvarchar', 'binary', 'varbinary', 'timestamp') THEN 1 ELSE 0 END, c.is_computed, c.is_identity,
  CASE c.is_nullable WHEN 1 THEN i.ss_null ELSE i.ss END, i.managed
FROM (SELECT object_id, 0 AS is_parameter, column_id AS id, name, 0 AS is_output, system_type_id, user_type_id, max_length, [precision], scale, is_nullable,
    default_object_id, is_computed, is_identity FROM sys.all_columns
  UNION ALL
  SELECT object_id, 1, parameter_id, name, is_output, system_type_id, user_type_id, max_length, [precision], scale, 1, 0, 0, 0 FROM sys.parameters) c
JOIN sys.types u ON u.user_type_id = c.user_type_id JOIN sys.schemas s ON s.schema_id = u.schema_id
LEFT JOIN sys.types b ON b.user_type_id = c.system_type_id JOIN sys.spt_datatype_info i ON i.name = ISNULL(b.name, 'table')
LEFT JOIN sys.default_constraints d ON d.object_id = c.default_object_id;

-- What a procedure takes and returns, first its status.
-- VIEW sys.spt_procedures_odbc_view: object_id int, id int, name sysname?, is_output bit?, type_schema sysname?, type_name sysname, base_name sysname,
-- data_type smallint, old_type smallint, prec int?, old_prec int?, length int?, old_length int?, scale smallint?, radix smallint?, is_nullable bit?,
-- sql_type smallint, sub smallint?, is_text int, ss tinyint, managed smallint;
SELECT o.object_id, 0, '@RETURN_VALUE', 1, 'sys', 'int', 'int', 4, 4, 10, NULL, 4, NULL, 0, 10, 0, 4, NULL, 0, 56, 8 FROM sys.procedures o
UNION ALL
SELECT c.object_id, c.id, c.name, c.is_output, c.type_schema, c.type_name, c.base_name, c.data_type, c.old_type, c.prec, c.old_prec, c.length, c.old_length,
  c.scale, c.radix, c.is_nullable, c.sql_type, c.sub, c.is_text, c.ss, c.managed
FROM sys.spt_columns_odbc_view c WHERE c.is_parameter = 1;
