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

-- Columns of the views that are written in Go, in the order of their pages (learn.microsoft.com, "System catalog views", "SQL Server Agent tables",
-- "System dynamic management views"): "VIEW name: columns", nullable ones with a question mark. A list may
-- begin with the name of a view whose columns it has. Columns that the newest versions have added at the end are left out.

-- VIEW sys.certificates: name sysname, certificate_id int, principal_id int?, pvt_key_encryption_type char(2), pvt_key_encryption_type_desc
-- nvarchar(60)?, is_active_for_begin_dialog bit?, sid varbinary(85)?, subject nvarchar(4000)?, expiry_date datetime?, start_date datetime?,
-- thumbprint varbinary(32);

-- VIEW sys.crypt_properties: class tinyint, class_desc nvarchar(60)?, major_id int, thumbprint varbinary(32), crypt_type char(4), crypt_type_desc
-- nvarchar(60)?;

-- VIEW sys.service_message_types: name sysname, message_type_id int, principal_id int?, validation char(2), validation_desc nvarchar(60)?,
-- xml_collection_id int?;

-- VIEW sys.service_contracts: name sysname, service_contract_id int, principal_id int?;

-- VIEW sys.services: name sysname, service_id int, principal_id int?, service_queue_id int;

-- VIEW sys.service_queues: sys.objects, max_readers smallint?, activation_procedure nvarchar(776)?, execute_as_principal_id int?,
-- is_activation_enabled bit, is_receive_enabled bit, is_enqueue_enabled bit, is_retention_enabled bit, is_poison_message_handling_enabled bit?;

-- VIEW sys.conversation_endpoints: conversation_handle uniqueidentifier, conversation_id uniqueidentifier, is_initiator tinyint,
-- service_contract_id int, conversation_group_id uniqueidentifier, service_id int, lifetime datetime, state char(2), state_desc nvarchar(60)?,
-- far_service nvarchar(256), far_broker_instance nvarchar(128)?, principal_id int, far_principal_id int, outbound_session_key_identifier
-- uniqueidentifier, inbound_session_key_identifier uniqueidentifier, security_timestamp datetime?, dialog_timer datetime, send_sequence bigint,
-- last_send_tran_id binary(6), end_dialog_sequence bigint, receive_sequence bigint, receive_sequence_frag int, system_sequence bigint,
-- first_out_of_order_sequence bigint, last_out_of_order_sequence bigint, last_out_of_order_frag int, is_system bit, priority tinyint;

-- VIEW sys.transmission_queue: conversation_handle uniqueidentifier, to_service_name nvarchar(256)?, to_broker_instance nvarchar(128)?,
-- from_service_name nvarchar(256)?, service_contract_name nvarchar(256)?, enqueue_time datetime, message_sequence_number bigint, message_type_name
-- nvarchar(256)?, is_conversation_error bit, is_end_of_dialog bit, message_body varbinary(max)?, transmission_status nvarchar(4000)?, priority
-- tinyint;

-- VIEW sys.columns: object_id int, name sysname?, column_id int, system_type_id tinyint, user_type_id int, max_length smallint, precision tinyint,
-- scale tinyint, collation_name sysname?, is_nullable bit?, is_ansi_padded bit, is_rowguidcol bit, is_identity bit, is_computed bit, is_filestream
-- bit, is_replicated bit?, is_non_sql_subscribed bit?, is_merge_published bit?, is_dts_replicated bit?, is_xml_document bit, xml_collection_id int,
-- default_object_id int, rule_object_id int, is_sparse bit?, is_column_set bit?, generated_always_type tinyint?, generated_always_type_desc
-- nvarchar(60)?, encryption_type int?, encryption_type_desc nvarchar(64)?, encryption_algorithm_name sysname?, column_encryption_key_id int?,
-- column_encryption_key_database_name sysname?, is_hidden bit?, is_masked bit;

-- VIEW sys.all_columns: sys.columns;

-- VIEW sys.types: name sysname, system_type_id tinyint, user_type_id int, schema_id int, principal_id int?, max_length smallint, precision tinyint,
-- scale tinyint, collation_name sysname?, is_nullable bit?, is_user_defined bit, is_assembly_type bit, default_object_id int, rule_object_id int,
-- is_table_type bit;

-- VIEW sys.table_types: sys.types, type_table_object_id int, is_memory_optimized bit?;

-- VIEW sys.parameters: object_id int, name sysname?, parameter_id int, system_type_id tinyint, user_type_id int, max_length smallint, precision
-- tinyint, scale tinyint, is_output bit, is_cursor_ref bit, has_default_value bit, is_xml_document bit, default_value sql_variant?,
-- xml_collection_id int, is_readonly bit, is_nullable bit?;

-- VIEW sys.indexes: object_id int, name sysname?, index_id int, type tinyint, type_desc nvarchar(60)?, is_unique bit?, data_space_id int?,
-- ignore_dup_key bit?, is_primary_key bit?, is_unique_constraint bit?, fill_factor tinyint, is_padded bit?, is_disabled bit?, is_hypothetical bit?,
-- is_ignored_in_optimization bit?, allow_row_locks bit?, allow_page_locks bit?, has_filter bit?, filter_definition nvarchar(max)?,
-- compression_delay int?, suppress_dup_key_messages bit?, auto_created bit?, optimize_for_sequential_key bit?;

-- VIEW sys.index_columns: object_id int, index_id int, index_column_id int, column_id int, key_ordinal tinyint, partition_ordinal tinyint,
-- is_descending_key bit?, is_included_column bit?, column_store_order_ordinal tinyint;

-- VIEW sys.check_constraints: sys.objects, is_disabled bit, is_not_for_replication bit, is_not_trusted bit, parent_column_id int, definition
-- nvarchar(max)?, uses_database_collation bit?, is_system_named bit;

-- VIEW sys.default_constraints: sys.objects, parent_column_id int, definition nvarchar(max)?, is_system_named bit;

-- VIEW sys.objects: name sysname, object_id int, principal_id int?, schema_id int, parent_object_id int, type char(2)?, type_desc nvarchar(60)?,
-- create_date datetime, modify_date datetime, is_ms_shipped bit?, is_published bit?, is_schema_published bit?;

-- VIEW sys.all_objects: sys.objects;

-- VIEW sys.extended_properties: class tinyint, class_desc nvarchar(60)?, major_id int, minor_id int, name sysname, value sql_variant?;

-- VIEW sys.assemblies: name sysname, principal_id int?, assembly_id int, clr_name nvarchar(4000)?, permission_set tinyint?, permission_set_desc
-- nvarchar(60)?, is_visible bit, create_date datetime, modify_date datetime, is_user_defined bit?;

-- VIEW sys.sysobjects: name sysname, id int, xtype char(2), uid smallint?, info smallint?, status int?, base_schema_ver int?, replinfo int?,
-- parent_obj int, crdate datetime, ftcatid smallint?, schema_ver int?, stats_schema_ver int?, type char(2)?, userstat smallint?, sysstat smallint?,
-- indexdel smallint?, refdate datetime, version int?, deltrig int?, instrig int?, updtrig int?, seltrig int?, category int?, cache smallint?;

-- VIEW sys.tables: sys.objects, lob_data_space_id int, filestream_data_space_id int?, max_column_id_used int, lock_on_bulk_load bit,
-- uses_ansi_nulls bit?, is_replicated bit?, has_replication_filter bit?, is_merge_published bit?, is_sync_tran_subscribed bit?,
-- has_unchecked_assembly_data bit, text_in_row_limit int?, large_value_types_out_of_row bit?, is_tracked_by_cdc bit?, lock_escalation tinyint?,
-- lock_escalation_desc nvarchar(60)?, is_filetable bit?, is_memory_optimized bit?, durability tinyint?, durability_desc nvarchar(60)?,
-- temporal_type tinyint?, temporal_type_desc nvarchar(60)?, history_table_id int?, is_remote_data_archive_enabled bit?, is_external bit;

-- VIEW sys.views: sys.objects, is_replicated bit?, has_replication_filter bit?, has_opaque_metadata bit, has_unchecked_assembly_data bit,
-- with_check_option bit, is_date_correlation_view bit;

-- VIEW sys.procedures: sys.objects, is_auto_executed bit, is_execution_replicated bit?, is_repl_serializable_only bit?, skips_repl_constraints
-- bit?;

-- VIEW sys.triggers: name sysname, object_id int, parent_class tinyint, parent_class_desc nvarchar(60)?, parent_id int, type char(2), type_desc
-- nvarchar(60)?, create_date datetime, modify_date datetime, is_ms_shipped bit, is_disabled bit, is_not_for_replication bit, is_instead_of_trigger
-- bit;

-- VIEW sys.synonyms: sys.objects, base_object_name nvarchar(1035)?;

-- VIEW sys.sql_modules: object_id int, definition nvarchar(max)?, uses_ansi_nulls bit?, uses_quoted_identifier bit?, is_schema_bound bit?,
-- uses_database_collation bit?, is_recompiled bit?, null_on_null_input bit?, execute_as_principal_id int?, uses_native_compilation bit?,
-- inline_type bit?, is_inlineable bit?;

-- VIEW sys.all_sql_modules: sys.sql_modules;

-- VIEW sys.schemas: name sysname, schema_id int, principal_id int?;

-- VIEW sys.database_principals: name sysname, principal_id int, type char(1), type_desc nvarchar(60)?, default_schema_name sysname?, create_date
-- datetime, modify_date datetime, owning_principal_id int?, sid varbinary(85)?, is_fixed_role bit, authentication_type int,
-- authentication_type_desc nvarchar(60)?, default_language_name sysname?, default_language_lcid int?, allow_encrypted_value_modifications bit;

-- VIEW sys.database_role_members: role_principal_id int, member_principal_id int;

-- VIEW sys.database_permissions: class tinyint, class_desc nvarchar(60)?, major_id int, minor_id int, grantee_principal_id int,
-- grantor_principal_id int, type char(4), permission_name nvarchar(128)?, state char(1), state_desc nvarchar(60)?;

-- VIEW sys.server_principals: name sysname, principal_id int, sid varbinary(85)?, type char(1), type_desc nvarchar(60)?, is_disabled bit?,
-- create_date datetime, modify_date datetime, default_database_name sysname?, default_language_name sysname?, credential_id int?,
-- owning_principal_id int?, is_fixed_role bit;

-- VIEW sys.server_role_members: role_principal_id int, member_principal_id int;

-- VIEW sys.login_token: principal_id int?, sid varbinary(85)?, name nvarchar(128)?, type nvarchar(128)?, usage nvarchar(128)?;

-- VIEW sys.server_permissions: class tinyint, class_desc nvarchar(60)?, major_id int, minor_id int, grantee_principal_id int, grantor_principal_id
-- int, type char(4), permission_name nvarchar(128)?, state char(1), state_desc nvarchar(60)?;

-- VIEW sys.databases: name sysname, database_id int, source_database_id int?, owner_sid varbinary(85)?, create_date datetime, compatibility_level
-- tinyint, collation_name sysname?, user_access tinyint?, user_access_desc nvarchar(60)?, is_read_only bit?, is_auto_close_on bit,
-- is_auto_shrink_on bit?, state tinyint?, state_desc nvarchar(60)?, is_in_standby bit?, is_cleanly_shutdown bit?, is_supplemental_logging_enabled
-- bit?, snapshot_isolation_state tinyint?, snapshot_isolation_state_desc nvarchar(60)?, is_read_committed_snapshot_on bit?, recovery_model
-- tinyint?, recovery_model_desc nvarchar(60)?, page_verify_option tinyint?, page_verify_option_desc nvarchar(60)?, is_auto_create_stats_on bit?,
-- is_auto_create_stats_incremental_on bit?, is_auto_update_stats_on bit?, is_auto_update_stats_async_on bit?, is_ansi_null_default_on bit?,
-- is_ansi_nulls_on bit?, is_ansi_padding_on bit?, is_ansi_warnings_on bit?, is_arithabort_on bit?, is_concat_null_yields_null_on bit?,
-- is_numeric_roundabort_on bit?, is_quoted_identifier_on bit?, is_recursive_triggers_on bit?, is_cursor_close_on_commit_on bit?,
-- is_local_cursor_default bit?, is_fulltext_enabled bit?, is_trustworthy_on bit?, is_db_chaining_on bit?, is_parameterization_forced bit?,
-- is_master_key_encrypted_by_server bit, is_query_store_on bit, is_published bit, is_subscribed bit, is_merge_published bit, is_distributor bit,
-- is_sync_with_backup bit, service_broker_guid uniqueidentifier, is_broker_enabled bit, log_reuse_wait tinyint?, log_reuse_wait_desc nvarchar(60)?,
-- is_date_correlation_on bit, is_cdc_enabled bit, is_encrypted bit?, is_honor_broker_priority_on bit?, replica_id uniqueidentifier?,
-- group_database_id uniqueidentifier?, resource_pool_id int?, default_language_lcid smallint?, default_language_name nvarchar(128)?,
-- default_fulltext_language_lcid int?, default_fulltext_language_name nvarchar(128)?, is_nested_triggers_on bit?, is_transform_noise_words_on bit?,
-- two_digit_year_cutoff smallint?, containment tinyint?, containment_desc nvarchar(60)?, target_recovery_time_in_seconds int?, delayed_durability
-- int?, delayed_durability_desc nvarchar(60)?, is_memory_optimized_elevate_to_snapshot_on bit?, is_accelerated_database_recovery_on bit?,
-- is_optimized_locking_on bit;

-- VIEW sys.time_zone_info: name sysname, current_utc_offset nvarchar(6), is_currently_dst bit;

-- VIEW sys.database_recovery_status: database_id int, database_guid uniqueidentifier?, family_guid uniqueidentifier?;

-- VIEW sys.database_mirroring: database_id int, mirroring_guid uniqueidentifier?;

-- VIEW queue: status tinyint, priority tinyint, queuing_order bigint, conversation_group_id uniqueidentifier, conversation_handle uniqueidentifier,
-- message_sequence_number bigint, service_name nvarchar(512)?, service_id int, service_contract_name nvarchar(256)?, service_contract_id int,
-- message_type_name nvarchar(256)?, message_type_id int, validation nchar(2), message_body varbinary(max)?, message_enqueue_time datetime?;

-- VIEW dbo.sysjobs: job_id uniqueidentifier, originating_server_id int, name sysname, enabled tinyint, description nvarchar(512)?, start_step_id
-- int, category_id int, owner_sid varbinary(85), notify_level_eventlog int, notify_level_email int, notify_level_netsend int, notify_level_page
-- int, notify_email_operator_id int, notify_netsend_operator_id int, notify_page_operator_id int, delete_level int, date_created datetime,
-- date_modified datetime, version_number int;

-- VIEW dbo.sysjobactivity: session_id int, job_id uniqueidentifier, run_requested_date datetime?, run_requested_source sysname?, queued_date
-- datetime?, start_execution_date datetime?, last_executed_step_id int?, last_executed_step_date datetime?, stop_execution_date datetime?,
-- job_history_id int?, next_scheduled_run_date datetime?;

-- VIEW dbo.sysjobhistory: instance_id int, job_id uniqueidentifier, step_id int, step_name sysname, sql_message_id int, sql_severity int, message
-- nvarchar(4000)?, run_status int, run_date int, run_time int, run_duration int, operator_id_emailed int, operator_id_netsent int,
-- operator_id_paged int, retries_attempted int, server sysname;

-- VIEW dbo.sysjobsteps: job_id uniqueidentifier, step_id int, step_name sysname, subsystem nvarchar(40), command nvarchar(max)?, flags int,
-- additional_parameters nvarchar(max)?, cmdexec_success_code int, on_success_action tinyint, on_success_step_id int, on_fail_action tinyint,
-- on_fail_step_id int, server sysname?, database_name sysname?, database_user_name sysname?, retry_attempts int, retry_interval int,
-- os_run_priority int, output_file_name nvarchar(200)?, last_run_outcome int, last_run_duration int, last_run_retries int, last_run_date int,
-- last_run_time int, proxy_id int?, step_uid uniqueidentifier?;

-- VIEW dbo.sysschedules: schedule_id int, schedule_uid uniqueidentifier, originating_server_id int, name sysname, owner_sid varbinary(85), enabled
-- int, freq_type int, freq_interval int, freq_subday_type int, freq_subday_interval int, freq_relative_interval int, freq_recurrence_factor int,
-- active_start_date int, active_end_date int, active_start_time int, active_end_time int, date_created datetime, date_modified datetime,
-- version_number int;

-- VIEW dbo.sysjobschedules: schedule_id int, job_id uniqueidentifier, next_run_date int, next_run_time int;

-- VIEW dbo.sysjobservers: job_id uniqueidentifier, server_id int, last_run_outcome tinyint, last_outcome_message nvarchar(4000)?, last_run_date
-- int, last_run_time int, last_run_duration int;

-- VIEW dbo.sysoperators: id int, name sysname, enabled tinyint, email_address nvarchar(100)?, last_email_date int, last_email_time int,
-- pager_address nvarchar(100)?, last_pager_date int, last_pager_time int, weekday_pager_start_time int, weekday_pager_end_time int,
-- saturday_pager_start_time int, saturday_pager_end_time int, sunday_pager_start_time int, sunday_pager_end_time int, pager_days tinyint,
-- netsend_address nvarchar(100)?, last_netsend_date int, last_netsend_time int, category_id int;

-- VIEW dbo.sysproxies: proxy_id int, name sysname, credential_id int, enabled tinyint, description nvarchar(512)?, user_sid varbinary(85),
-- credential_date_created datetime;

-- VIEW dbo.syssessions: session_id int, agent_start_date datetime;

-- VIEW sys.dm_broker_activated_tasks: spid int?, database_id smallint?, queue_id int?, procedure_name nvarchar(650)?, execute_as int?;

-- VIEW sys.dm_broker_queue_monitors: database_id int?, queue_id int?, state nvarchar(32)?, last_empty_rowset_time datetime?, last_activated_time
-- datetime?, tasks_waiting int?;

-- VIEW sys.dm_exec_sessions: session_id smallint, login_time datetime, host_name sysname?, program_name sysname?, login_name sysname,
-- original_login_name sysname, status nvarchar(30), is_user_process bit, database_id smallint, open_transaction_count int,
-- transaction_isolation_level smallint, lock_timeout int, deadlock_priority int, last_request_start_time datetime;

-- VIEW sys.dm_exec_requests: session_id smallint, request_id int, start_time datetime, status nvarchar(30), command nvarchar(32), database_id
-- smallint, blocking_session_id smallint?, wait_type nvarchar(60)?;

-- VIEW sys.dm_tran_locks: resource_type nvarchar(60), resource_database_id int, resource_description nvarchar(256), resource_associated_entity_id
-- bigint?, request_mode nvarchar(60), request_type nvarchar(60), request_status nvarchar(60), request_session_id int, request_owner_type
-- nvarchar(60);

-- VIEW sys.dm_exec_cached_plans: objtype nvarchar(16), cacheobjtype nvarchar(34), usecounts int, size_in_bytes int, refcounts int;
