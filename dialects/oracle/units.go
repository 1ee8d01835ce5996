package oracle

import (
	"context"
	"database/sql"
	"regexp"
	"strings"

	"github.com/dbsched/dbsched/dialects/client"
	"github.com/dbsched/dbsched/templates"
)

// unitErrors reads what the last CREATE of a unit found. It also returns warnings if
// PLSQL_WARNINGS is on.
const unitErrors = `select e.line, e.position, e.text
from user_errors e
where e.name = :in_name and e.type = :in_type and e.attribute = 'ERROR'
order by e.sequence`

// compiled returns a CompileError if the unit, named as in USER_ERRORS, does not compile.
func compiled(ctx context.Context, on client.Querier, kind, name string) error {
	e := &CompileError{Type: kind, Name: name}
	err := client.Each(ctx, on, unitErrors, []any{sql.Named("in_name", name), sql.Named("in_type", kind)}, func(rows *sql.Rows) error {
		var l CompileLine
		err := rows.Scan(&l.Line, &l.Position, &l.Text)
		e.Lines = append(e.Lines, l)
		return err
	})
	if err != nil || len(e.Lines) == 0 {
		return err
	}
	return e
}

// unit is an object with a text: type and name as in USER_OBJECTS.
type unit struct{ kind, name string }

func sourceQuery(names string) string {
	return `select s.type, s.name, s.text
from user_source s
inner join user_objects o on o.object_name = s.name and o.object_type = s.type
where o.status = 'VALID' and s.name in (` + names + `)
order by s.type, s.name, s.line`
}

// TEXT_VC is the text of a view as a VARCHAR2 (TEXT is a LONG), which may hold only
// its beginning; dbsched's are shorter.
func viewQuery(names string) string {
	return `select 'VIEW', v.view_name, v.text_vc
from user_views v
inner join user_objects o on o.object_name = v.view_name and o.object_type = 'VIEW'
where o.status = 'VALID' and v.view_name in (` + names + `)`
}

// installedUnits reads the text of every valid dbsched unit, normalized.
func (s *scheduler) installedUnits(ctx context.Context, on client.Querier, src source) (map[unit]string, error) {
	lines := map[unit][]string{}
	for _, query := range []string{sourceQuery(src.names()), viewQuery(src.names())} {
		if err := client.Each(ctx, on, query, nil, texts(lines)); err != nil {
			return nil, s.Failed(ctx, "reading installed units", err)
		}
	}
	all := make(map[unit]string, len(lines))
	for u, text := range lines {
		all[u] = normalize(strings.Join(text, ""))
	}
	return all, nil
}

// texts appends the lines of a query to the units they belong to.
func texts(into map[unit][]string) func(*sql.Rows) error {
	return func(rows *sql.Rows) error {
		var u unit
		var line sql.NullString
		err := rows.Scan(&u.kind, &u.name, &line)
		into[u] = append(into[u], line.String)
		return err
	}
}

var (
	createHead = regexp.MustCompile(`(?i)^create\s+or\s+replace\s+(?:(?:non)?editionable\s+)?`)
	viewHead   = regexp.MustCompile(`(?i)^view\s+\S+\s+as\s`)
	comments   = regexp.MustCompile(`^(?:\s*--[^\n]*\n)*`)
)

// normalize makes the text that was sent comparable with the text that is read back. The
// dictionary stores what follows CREATE OR REPLACE in a unit, and what follows AS in a view; comments above
// the query are removed in case the server has kept them.
func normalize(text string) string {
	text = strings.ReplaceAll(strings.TrimSpace(text), "\r\n", "\n")
	text = createHead.ReplaceAllString(text, "")
	text = viewHead.ReplaceAllString(text, "")
	return strings.TrimSpace(text[len(comments.FindString(text)):])
}

// unchanged reports whether b is a unit with the same text on the server.
func (p plan) unchanged(b templates.Batch) bool {
	if b.Kind != templates.KindModule {
		return false
	}
	text, ok := p.units[unit{strings.ToUpper(b.Object.Type), b.Object.Name}]
	return ok && text == normalize(b.SQL)
}
