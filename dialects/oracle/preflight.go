package oracle

import (
	"context"
	"regexp"
	"strings"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/templates"
)

// databaseQuery names the container.
const databaseQuery = `select sys_context('USERENV', 'CON_NAME') from dual`

func (s *scheduler) database(ctx context.Context) (string, error) {
	var name string
	err := s.DB.QueryRowContext(ctx, databaseQuery).Scan(&name)
	return name, s.Failed(ctx, "looking at the database", err)
}

// preflight sends the batches that change nothing and refuse databases, users and rights
// that would make the rest fail. The number of lanes is known only later, when the
// tables can be read; if the tables exist, the names are dbsched's in any case.
func (s *scheduler) preflight(ctx context.Context, lanes int) error {
	if lanes == 0 {
		lanes = dialects.DefaultLanes
	}
	src, err := render(dialects.Layout{Schema: s.Schema(), Lanes: lanes})
	if err != nil {
		return err
	}
	for _, b := range src.preflight {
		_, err := s.DB.ExecContext(ctx, b.SQL)
		if r, ok := asRefusal(err); ok && preflightError(r.Number) {
			return &dialects.PreflightError{Target: s.Target(), Findings: []dialects.Finding{finding(r.Text)}}
		}
		if err != nil {
			return s.Failed(ctx, b.Name, err)
		}
	}
	return nil
}

// preflightError reports whether the preflight raises number: standby, release, container,
// rights, names, user, edition.
func preflightError(number int) bool {
	number -= 20000
	return number == dialects.NumberStandby || number >= dialects.FirstPreflight && number <= dialects.LastPreflight
}

var (
	ourMessage = regexp.MustCompile(`(?s)^ORA-20\d{3}: (?:dbsched 20\d{3}: )?(.*?)(?:\nORA-06512: .*)?$`)
	remedies   = regexp.MustCompile(`(?i)\b(?:grant|alter user) [^;]+;`)
)

// finding splits an error into its text and, as remedy, the statements in it.
func finding(text string) dialects.Finding {
	if m := ourMessage.FindStringSubmatch(strings.TrimSpace(text)); m != nil {
		text = m[1]
	}
	f := dialects.Finding{Text: text}
	if all := remedies.FindAllStringIndex(text, -1); all != nil {
		f.Text = strings.TrimSpace(text[:all[0][0]])
		var lines []string
		for _, at := range all {
			lines = append(lines, text[at[0]:at[1]])
		}
		f.Remedy = strings.Join(lines, "\n")
		// A long list was cut off; other messages show it in full.
		if !strings.HasSuffix(strings.TrimSpace(text), ";") {
			f.Remedy += "\n-- for all statements: dbsched render --grants"
		}
	}
	return f
}

// names lists the names of all units that an installation creates, quoted for an IN list.
// They are dbsched's own constants.
func (src source) names() string {
	var all []string
	for _, b := range src.after {
		if b.Kind == templates.KindModule && b.Object.Type != "package body" {
			all = append(all, "'"+b.Object.Name+"'")
		}
	}
	return strings.Join(all, ", ")
}
