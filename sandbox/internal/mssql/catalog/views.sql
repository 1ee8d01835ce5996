-- VIEW INFORMATION_SCHEMA.SCHEMATA: CATALOG_NAME nvarchar(128)?, SCHEMA_NAME nvarchar(128), SCHEMA_OWNER nvarchar(128)?,
-- DEFAULT_CHARACTER_SET_CATALOG nvarchar(6)?, DEFAULT_CHARACTER_SET_SCHEMA nvarchar(3)?, DEFAULT_CHARACTER_SET_NAME sysname?;
SELECT @database, s.name, p.name, NULL, NULL, 'iso_1'
FROM sys.schemas s LEFT JOIN sys.database_principals p ON p.principal_id = s.principal_id;

-- VIEW INFORMATION_SCHEMA.TABLES: TABLE_CATALOG nvarchar(128)?, TABLE_SCHEMA sysname?, TABLE_NAME sysname, TABLE_TYPE varchar(10)?;
SELECT @database, s.name, o.name, CASE o.type WHEN 'V' THEN 'VIEW' ELSE 'BASE TABLE' END
FROM sys.objects o JOIN sys.schemas s ON s.schema_id = o.schema_id
WHERE o.type IN ('U', 'V');

-- VIEW INFORMATION_SCHEMA.VIEWS: TABLE_CATALOG nvarchar(128)?, TABLE_SCHEMA nvarchar(128)?, TABLE_NAME nvarchar(128),
-- VIEW_DEFINITION nvarchar(4000)?, CHECK_OPTION varchar(7)?, IS_UPDATABLE varchar(2);
SELECT @database, s.name, v.name, LEFT(m.definition, 4000), CASE v.with_check_option WHEN 1 THEN 'CASCADE' ELSE 'NONE' END, 'NO'
FROM sys.views v JOIN sys.schemas s ON s.schema_id = v.schema_id LEFT JOIN sys.sql_modules m ON m.object_id = v.object_id;

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

-- VIEW INFORMATION_SCHEMA.ROUTINES: SPECIFIC_CATALOG nvarchar(128)?, SPECIFIC_SCHEMA nvarchar(128)?, SPECIFIC_NAME nvarchar(128),
-- ROUTINE_CATALOG nvarchar(128)?, ROUTINE_SCHEMA nvarchar(128)?, ROUTINE_NAME nvarchar(128), ROUTINE_TYPE nvarchar(20)?,
-- DATA_TYPE nvarchar(128)?, ROUTINE_BODY nvarchar(30)?, ROUTINE_DEFINITION nvarchar(4000)?, CREATED datetime, LAST_ALTERED datetime;
SELECT @database, s.name, o.name, @database, s.name, o.name, CASE o.type WHEN 'P' THEN 'PROCEDURE' ELSE 'FUNCTION' END,
  CASE WHEN o.type = 'FN' THEN t.name WHEN o.type <> 'P' THEN 'TABLE' END, 'SQL', LEFT(m.definition, 4000), o.create_date, o.modify_date
FROM sys.objects o JOIN sys.schemas s ON s.schema_id = o.schema_id LEFT JOIN sys.sql_modules m ON m.object_id = o.object_id
LEFT JOIN sys.parameters r ON r.object_id = o.object_id AND r.parameter_id = 0 LEFT JOIN sys.types t ON t.user_type_id = r.system_type_id
WHERE o.type IN ('P', 'FN', 'IF', 'TF');

-- VIEW INFORMATION_SCHEMA.TABLE_CONSTRAINTS: CONSTRAINT_CATALOG nvarchar(128)?, CONSTRAINT_SCHEMA nvarchar(128)?, CONSTRAINT_NAME sysname,
-- TABLE_CATALOG nvarchar(128)?, TABLE_SCHEMA nvarchar(128)?, TABLE_NAME sysname?, CONSTRAINT_TYPE varchar(11)?, IS_DEFERRABLE varchar(2),
-- INITIALLY_DEFERRED varchar(2);
SELECT @database, s.name, o.name, @database, ts.name, t.name,
  CASE o.type WHEN 'PK' THEN 'PRIMARY KEY' WHEN 'UQ' THEN 'UNIQUE' WHEN 'C' THEN 'CHECK' ELSE 'FOREIGN KEY' END, 'NO', 'NO'
FROM sys.objects o JOIN sys.schemas s ON s.schema_id = o.schema_id
JOIN sys.objects t ON t.object_id = o.parent_object_id JOIN sys.schemas ts ON ts.schema_id = t.schema_id
WHERE o.type IN ('PK', 'UQ', 'C', 'F');

-- VIEW INFORMATION_SCHEMA.REFERENTIAL_CONSTRAINTS: CONSTRAINT_CATALOG nvarchar(128)?, CONSTRAINT_SCHEMA nvarchar(128)?,
-- CONSTRAINT_NAME sysname, UNIQUE_CONSTRAINT_CATALOG nvarchar(128)?, UNIQUE_CONSTRAINT_SCHEMA nvarchar(128)?,
-- UNIQUE_CONSTRAINT_NAME sysname?, MATCH_OPTION varchar(7)?, UPDATE_RULE varchar(11)?, DELETE_RULE varchar(11)?;
SELECT @database, s.name, f.name, @database, rs.name, i.name, 'SIMPLE', REPLACE(f.update_referential_action_desc, '_', ' '),
  REPLACE(f.delete_referential_action_desc, '_', ' ')
FROM sys.foreign_keys f JOIN sys.schemas s ON s.schema_id = f.schema_id
LEFT JOIN sys.objects r ON r.object_id = f.referenced_object_id LEFT JOIN sys.schemas rs ON rs.schema_id = r.schema_id
LEFT JOIN sys.indexes i ON i.object_id = f.referenced_object_id AND i.index_id = f.key_index_id;
