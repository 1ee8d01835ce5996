package dialects

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

type stub struct {
	name   string
	scheme string
}

func (d stub) Name() string                       { return d.name }
func (d stub) Schemes() []string                  { return []string{d.scheme} }
func (stub) DefaultSchema() string                { return "" }
func (stub) Redact(string) string                 { return "" }
func (stub) Exposed(string) string                { return "" }
func (stub) Render(io.Writer, Layout) error       { return nil }
func (stub) RenderGrants(io.Writer, Layout) error { return nil }

func (stub) RenderKillScript(io.Writer, Layout) error { return nil }

func (stub) RenderTrust(io.Writer, Layout, Trust) error { return nil }
func (stub) RenderRunner(io.Writer, Layout) error       { return nil }
func (stub) WriteBatch(io.Writer, Batch) error          { return nil }
func (stub) Sleep(time.Duration) string                 { return "" }
func (stub) CheckTask(string) error                     { return nil }
func (stub) Parameters() Parameters                     { return Parameters{} }
func (stub) Open(context.Context, Target) (Scheduler, error) {
	return nil, errors.New("not stubbed")
}
func (stub) OpenDB(context.Context, Target) (*sql.DB, error) { return nil, errors.New("not stubbed") }

func TestListByDSN(t *testing.T) {
	list := List{stub{"one", "first"}, stub{"two", "second"}}
	d, err := list.ByDSN("SECOND://u:secret@h")
	require.NoError(t, err)
	require.Equal(t, "two", d.Name())
	for dsn, want := range map[string]string{
		"third://u:secret@h": `unknown DSN scheme "third://". Valid schemes: first://, second://`,
		"u:secret@h":         "the DSN is not a URL; it must start with one of: first://, second://",
		"u:secret://h":       "the DSN is not a URL; it must start with one of: first://, second://",
		"":                   "the DSN is not a URL; it must start with one of: first://, second://",
	} {
		_, err := list.ByDSN(dsn)
		require.EqualError(t, err, want)
		require.NotContains(t, err.Error(), "secret")
	}
}

func TestListByName(t *testing.T) {
	list := List{stub{"one", "first"}, stub{"two", "second"}}
	d, err := list.ByName("one")
	require.NoError(t, err)
	require.Equal(t, []string{"first"}, d.Schemes())
	_, err = list.ByName("three")
	require.EqualError(t, err, `unknown dialect "three". Valid values: one, two`)
}

func TestErrorsSayWhatToDoNext(t *testing.T) {
	cause := errors.New("Msg 1, Level 16, State 1, Line 7: no")
	for want, err := range map[string]error{
		"cannot connect to h as u: Msg 1, Level 16, State 1, Line 7: no":                                               &ConnectError{Target: "h as u", Err: cause},
		"x.sql: Msg 1, Level 16, State 1, Line 7: no\ntry y":                                                           &ServerError{Doing: "x.sql", Hint: "try y", Err: cause},
		"stopped at c.sql: 2 done, 3 not tried\nMsg 1, Level 16, State 1, Line 7: no\nrun it again":                    &PartialError{Applied: []string{"a", "b"}, Failed: "c.sql", Left: 3, Next: "run it again", Err: cause},
		"h is not ready for dbsched; nothing was changed:\n  - too old\n  - no rights\n      GRANT a;\n      GRANT b;": &PreflightError{Target: "h", Findings: []Finding{{Text: "too old"}, {Text: "no rights", Remedy: "GRANT a;\nGRANT b;"}}},
	} {
		require.EqualError(t, err, want)
	}
	require.ErrorIs(t, &ServerError{Err: cause}, cause)
	require.ErrorIs(t, &PartialError{Err: cause}, cause)
	require.ErrorIs(t, &ConnectError{Err: cause}, cause)
}

func (stub) Version() (string, error) { return "sql-0123456789abcdef", nil }
