package mssql

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/dbsched/dbsched/dialects/client"
	"github.com/dbsched/dbsched/dialects/schema"
)

// partQueries read parts: kind, name, and how it is. sys.objects tells procedures, functions and views apart.
var partQueries = []string{
	`SELECT N'user', u.name, N'' FROM sys.database_principals AS u WHERE u.name = @owner;`,
	`SELECT N'schema', h.name, N'' FROM sys.schemas AS h WHERE h.name = @schema;`,
	`SELECT N'role', p.name, N'' FROM sys.database_principals AS p WHERE p.type = 'R' AND p.owning_principal_id = DATABASE_PRINCIPAL_ID(@owner);`,
	`SELECT N'message type', t.name, N'' FROM sys.service_message_types AS t WHERE t.principal_id = DATABASE_PRINCIPAL_ID(@owner);`,
	`SELECT N'contract', c.name, N'' FROM sys.service_contracts AS c WHERE c.principal_id = DATABASE_PRINCIPAL_ID(@owner);`,
	`SELECT N'queue', q.name, N'' FROM sys.service_queues AS q WHERE q.schema_id = SCHEMA_ID(@schema);`,
	`SELECT N'service', v.name, N'' FROM sys.services AS v INNER JOIN sys.service_queues AS q ON q.object_id = v.service_queue_id WHERE q.schema_id = SCHEMA_ID(@schema);`,
	`SELECT N'type', t.name, N'' FROM sys.table_types AS t WHERE t.schema_id = SCHEMA_ID(@schema);`,
	`SELECT N'table', t.name, N'' FROM sys.tables AS t WHERE t.schema_id = SCHEMA_ID(@schema);`,
	`SELECT N'lock escalation', t.name, t.lock_escalation_desc FROM sys.tables AS t WHERE t.schema_id = SCHEMA_ID(@schema);`,
	`SELECT N'column', t.name + N'.' + c.name,
    y.name + CASE WHEN y.name IN (N'nchar', N'nvarchar') AND c.max_length > 0 THEN N'(' + CONVERT(nvarchar(10), c.max_length / 2) + N')'
                  WHEN y.name IN (N'char', N'varchar', N'nchar', N'nvarchar', N'binary', N'varbinary') THEN N'(' + ISNULL(CONVERT(nvarchar(10), NULLIF(c.max_length, -1)), N'max') + N')'
                  WHEN y.name IN (N'datetime2', N'datetimeoffset', N'time') THEN N'(' + CONVERT(nvarchar(10), c.scale) + N')'
                  WHEN y.name IN (N'decimal', N'numeric') THEN N'(' + CONVERT(nvarchar(10), c.precision) + N', ' + CONVERT(nvarchar(10), c.scale) + N')' ELSE N'' END
           + CASE WHEN c.is_nullable = 1 THEN N'' ELSE N' NOT NULL' END
FROM sys.columns AS c INNER JOIN sys.tables AS t ON t.object_id = c.object_id INNER JOIN sys.types AS y ON y.user_type_id = c.user_type_id
WHERE t.schema_id = SCHEMA_ID(@schema);`,
	`SELECT CASE o.type WHEN 'P' THEN N'procedure' WHEN 'V' THEN N'view' ELSE N'function' END, o.name, N''
FROM sys.objects AS o INNER JOIN sys.sql_modules AS m ON m.object_id = o.object_id
WHERE o.schema_id = SCHEMA_ID(@schema) AND m.uses_ansi_nulls = 1 AND m.uses_quoted_identifier = 1;`,
	`SELECT N'right', p.permission_name + N' on ' + o.name + N' of ' + g.name, CASE WHEN p.state = 'D' THEN N'DENY' ELSE N'GRANT' END
FROM sys.database_permissions AS p INNER JOIN sys.database_principals AS g ON g.principal_id = p.grantee_principal_id INNER JOIN sys.objects AS o ON o.object_id = p.major_id
WHERE p.class = 1 AND p.minor_id = 0 AND o.schema_id = SCHEMA_ID(@schema);`,
	`SELECT N'right', p.permission_name + N' on ' + t.name + N' of ' + g.name, CASE WHEN p.state = 'D' THEN N'DENY' ELSE N'GRANT' END
FROM sys.database_permissions AS p INNER JOIN sys.database_principals AS g ON g.principal_id = p.grantee_principal_id INNER JOIN sys.types AS t ON t.user_type_id = p.major_id
WHERE p.class = 6 AND t.schema_id = SCHEMA_ID(@schema);`,
}

const (
	defaultQuery = `SELECT d.name, t.name + N'.' + c.name, d.definition
FROM sys.default_constraints AS d INNER JOIN sys.tables AS t ON t.object_id = d.parent_object_id INNER JOIN sys.columns AS c ON c.object_id = d.parent_object_id AND c.column_id = d.parent_column_id
WHERE d.schema_id = SCHEMA_ID(@schema);`

	checkQuery = `SELECT k.name, t.name, k.definition, CASE WHEN k.is_disabled = 1 THEN N', disabled' WHEN k.is_not_trusted = 1 THEN N', not checked' ELSE N'' END
FROM sys.check_constraints AS k INNER JOIN sys.tables AS t ON t.object_id = k.parent_object_id
WHERE k.schema_id = SCHEMA_ID(@schema);`

	indexQuery = `SELECT CASE WHEN i.is_primary_key = 1 OR i.is_unique_constraint = 1 THEN N'key' ELSE N'index' END, i.name, t.name, i.is_unique, i.is_disabled,
    ISNULL(i.filter_definition, N''), c.name, ISNULL(x.is_descending_key, 0), ISNULL(x.is_included_column, 0)
FROM sys.indexes AS i INNER JOIN sys.tables AS t ON t.object_id = i.object_id
INNER JOIN sys.index_columns AS x ON x.object_id = i.object_id AND x.index_id = i.index_id
INNER JOIN sys.columns AS c ON c.object_id = x.object_id AND c.column_id = x.column_id
WHERE t.schema_id = SCHEMA_ID(@schema) AND i.name IS NOT NULL
ORDER BY i.name, t.name, x.key_ordinal, x.index_column_id;`
)

// rowQuery reads the rows of rowParts in a table, without waiting for anybody.
func (s *scheduler) rowQuery(table string) string {
	key := map[string]string{"Settings": "SettingsId", "Lanes": "LaneId", "Processes": "ProcessId"}[table]
	return fmt.Sprintf("SELECT N'row of %[1]s', CONVERT(nvarchar(10), r.%[2]s), N'' FROM %[3]s AS r WITH (NOLOCK) WHERE r.%[2]s <= 99;", table, key, s.object(table))
}

// there reads how the parts are, by key.
func (s *scheduler) there(ctx context.Context, on client.Querier) (map[string]string, error) {
	is := map[string]string{}
	for _, q := range partQueries {
		if err := s.readParts(ctx, on, q, is); err != nil {
			return nil, err
		}
	}
	err := s.each(ctx, on, defaultQuery, func(rows *sql.Rows) error {
		var name, column, value string
		err := rows.Scan(&name, &column, &value)
		is["default "+name] = column + " " + schema.Plain(value)
		return err
	})
	if err != nil {
		return nil, err
	}
	err = s.each(ctx, on, checkQuery, func(rows *sql.Rows) error {
		var name, table, condition, state string
		err := rows.Scan(&name, &table, &condition, &state)
		is["check "+name] = strings.TrimSpace(table+" "+schema.Values(condition)) + state
		return err
	})
	if err != nil {
		return nil, err
	}
	return is, s.readIndexes(ctx, on, is)
}

// readParts adds what a query of three columns returns.
func (s *scheduler) readParts(ctx context.Context, on client.Querier, query string, is map[string]string) error {
	return s.each(ctx, on, query, func(rows *sql.Rows) error {
		var kind, name, how string
		err := rows.Scan(&kind, &name, &how)
		is[kind+" "+name] = how
		return err
	})
}

// readIndexes adds indexes and keys. A row is a column of one.
func (s *scheduler) readIndexes(ctx context.Context, on client.Querier, is map[string]string) error {
	all, disabled := map[string]*schema.Index{}, map[string]bool{}
	err := s.each(ctx, on, indexQuery, func(rows *sql.Rows) error {
		var kind, name, column string
		var off, descending, included bool
		x := &schema.Index{}
		if err := rows.Scan(&kind, &name, &x.Table, &x.Unique, &off, &x.Where, &column, &descending, &included); err != nil {
			return err
		}
		key := kind + " " + name
		if all[key] == nil {
			all[key] = x
		}
		x, disabled[key] = all[key], off
		switch {
		case included:
			x.Include = append(x.Include, column)
		case descending:
			x.Keys = append(x.Keys, column+" DESC")
		default:
			x.Keys = append(x.Keys, column)
		}
		return nil
	})
	for key, x := range all {
		if is[key] = indexed(*x); disabled[key] {
			is[key] += ", disabled"
		}
	}
	return err
}

// each runs a query, which may use @schema and @owner, and reads its rows.
func (s *scheduler) each(ctx context.Context, on client.Querier, query string, read func(*sql.Rows) error) error {
	var params []any
	if strings.Contains(query, "@schema") {
		params = append(params, sql.Named("schema", s.schema))
	}
	if strings.Contains(query, "@owner") {
		params = append(params, sql.Named("owner", s.owner()))
	}
	return s.Failed(ctx, "reading the catalog", client.Each(ctx, on, query, params, read))
}
