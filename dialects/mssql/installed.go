package mssql

import (
	"context"
	"database/sql"
	"regexp"
	"strings"

	"github.com/dbsched/dbsched/dialects/client"
)

const modulesQuery = `SELECT o.name, ISNULL(m.definition, N'')
FROM sys.sql_modules AS m
INNER JOIN sys.objects AS o ON o.object_id = m.object_id
WHERE o.schema_id = SCHEMA_ID(@schema) AND m.uses_ansi_nulls = 1 AND m.uses_quoted_identifier = 1;`

// installedModules reads the normalized text of every module of the schema. A module with
// different SET options is left out, so that it is created again.
func (s *scheduler) installedModules(ctx context.Context, on client.Querier) (map[string]string, error) {
	all := map[string]string{}
	return all, s.each(ctx, on, modulesQuery, func(rows *sql.Rows) error {
		var name, text string
		err := rows.Scan(&name, &text)
		all[name] = normalize(text)
		return err
	})
}

// createHead matches what the server changes in a module's text: it stores "CREATE" with
// some white space in place of "CREATE OR ALTER". No other difference is known.
var createHead = regexp.MustCompile(`(?im)^CREATE\s+(?:OR\s+ALTER\s+)?(PROCEDURE|VIEW|FUNCTION)\b`)

// normalize makes the text that was sent comparable with the text that is read back.
func normalize(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if at := createHead.FindStringSubmatchIndex(text); at != nil {
		text = text[:at[0]] + "CREATE " + text[at[2]:]
	}
	return strings.TrimSpace(text)
}

// catalogQueries list the parts of an installation other than modules, one line per
// part, in a fixed order.
var catalogQueries = []string{
	`SELECT N'queue ' + q.name + CASE WHEN q.is_receive_enabled = 1 THEN N'' ELSE N' (disabled)' END
    + CASE WHEN q.is_activation_enabled = 1 THEN N' activates ' + q.activation_procedure ELSE N'' END
FROM sys.service_queues AS q WHERE q.schema_id = SCHEMA_ID(@schema) ORDER BY q.name;`,
	`SELECT N'service ' + v.name FROM sys.services AS v INNER JOIN sys.service_queues AS q ON q.object_id = v.service_queue_id
WHERE q.schema_id = SCHEMA_ID(@schema) ORDER BY v.name;`,
	`SELECT N'contract ' + c.name FROM sys.service_contracts AS c WHERE c.principal_id = DATABASE_PRINCIPAL_ID(@owner) ORDER BY c.name;`,
	`SELECT N'message type ' + t.name FROM sys.service_message_types AS t WHERE t.principal_id = DATABASE_PRINCIPAL_ID(@owner) ORDER BY t.name;`,
	`SELECT N'role ' + p.name FROM sys.database_principals AS p
WHERE p.type = 'R' AND p.owning_principal_id = DATABASE_PRINCIPAL_ID(@owner) ORDER BY p.name;`,
	`SELECT N'table ' + t.name FROM sys.tables AS t WHERE t.schema_id = SCHEMA_ID(@schema) ORDER BY t.name;`,
	`SELECT N'schema ' + h.name FROM sys.schemas AS h WHERE h.name = @schema;`,
	`SELECT N'user ' + u.name FROM sys.database_principals AS u WHERE u.name = @owner;`,
}

// owner is the name of the user that owns everything.
func (s *scheduler) owner() string { return s.schema + "_owner" }

// catalog lists everything except modules.
func (s *scheduler) catalog(ctx context.Context, on client.Querier) ([]string, error) {
	var all []string
	for _, q := range catalogQueries {
		lines, err := s.strings(ctx, on, q)
		if err != nil {
			return nil, err
		}
		all = append(all, lines...)
	}
	return all, nil
}

// strings reads one column of text; the query may use @schema and @owner.
func (s *scheduler) strings(ctx context.Context, on client.Querier, query string) ([]string, error) {
	var all []string
	err := s.each(ctx, on, query, func(rows *sql.Rows) error {
		var line string
		err := rows.Scan(&line)
		all = append(all, line)
		return err
	})
	return all, err
}
