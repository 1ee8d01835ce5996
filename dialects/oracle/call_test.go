package oracle

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	go_ora "github.com/sijms/go-ora/v2"
	"github.com/sijms/go-ora/v2/network"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/client"
)

func TestCallBindsEverything(t *testing.T) {
	var id sql.NullInt64
	at := time.Date(2026, 11, 20, 23, 0, 0, 0, time.FixedZone("", 3600))
	c := client.Exec(dialects.NewTask{SQL: "begin x('it''s'); end;", Order: -5, ProcessID: 7, NotBefore: at}).Returns("TaskId", &id)
	text, params := vocabulary{}.Statement(c)
	require.Equal(t, "begin dbsched.exec_async(in_sql => :in_sql, in_execution_order => :in_execution_order, in_process_id => :in_process_id, "+
		"in_not_before => :in_not_before, out_task_id => :out_task_id); end;", text)
	require.Equal(t, []any{
		sql.Named("in_sql", "begin x('it''s'); end;"), sql.Named("in_execution_order", int64(-5)), sql.Named("in_process_id", int64(7)),
		sql.Named("in_not_before", at.In(time.FixedZone("", 0))), sql.Named("out_task_id", sql.Out{Dest: &id}),
	}, params)
	require.Equal(t, "begin\n    dbsched.start_scheduler;\nend;", vocabulary{}.Text(client.New("StartScheduler")))
}

func TestLongTextsAreCLOBs(t *testing.T) {
	require.Equal(t, strings.Repeat("x", maxInline), bound(strings.Repeat("x", maxInline)))
	long := strings.Repeat("ü", maxInline/2) + "x"
	require.Equal(t, go_ora.Clob{String: long, Valid: true}, bound(long))
}

func TestTextOutParametersHaveASize(t *testing.T) {
	_, params := vocabulary{}.Statement(waitCall(1, 90*time.Second, new(sql.NullInt64)))
	require.Equal(t, sql.Named("in_timeout_seconds", int64(90)), params[1])
	require.Equal(t, sql.Named("out_status", go_ora.Out{Dest: new(sql.NullString), Size: 100}), params[3])
}

func TestLiterals(t *testing.T) {
	for want, v := range map[string]any{
		"null": "", "'it''s'": "it's", "'a'\n        || chr(10)\n        || 'b'": "a\nb", "-7": int64(-7),
		"chr(10)": "\n",
		"timestamp '2026-11-20 22:00:00.250 +00:00'":                               time.Date(2026, 11, 20, 23, 0, 0, 250e6, time.FixedZone("", 3600)),
		"'" + strings.Repeat("é", chunk) + "'\n        || '" + "z'":                strings.Repeat("é", chunk) + "z",
		strings.Repeat("'"+strings.Repeat("x", chunk)+"'\n        || ", 3) + "'y'": strings.Repeat("x", 3*chunk) + "y",
	} {
		require.Equal(t, want, literal(v))
	}
	require.Contains(t, literal(strings.Repeat("x", 40000)), "to_clob('xxx")
	for line := range strings.Lines(literal(strings.Repeat("ü'", 40000))) {
		require.Less(t, len(line), 2499, "SQL*Plus takes no longer lines")
	}
}

func TestSleep(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"begin dbms_session.sleep(10.1); end;":  10100 * time.Millisecond,
		"begin dbms_session.sleep(0.01); end;":  9 * time.Millisecond,
		"begin dbms_session.sleep(3600); end;":  48 * time.Hour,
		"begin dbms_session.sleep(0); end;":     -time.Second,
		"begin dbms_session.sleep(61.25); end;": 61250 * time.Millisecond,
	} {
		require.Equal(t, want, Dialect{}.Sleep(d))
	}
}

func oracleError(number int, text string) error {
	e := network.NewOracleError(number)
	e.ErrMsg = text
	return e
}

func TestFailedClassifies(t *testing.T) {
	s := &scheduler{target: target{name: "h/x as APP", user: "APP"}, schema: "APP"}
	ctx, cancel := context.WithCancel(t.Context())
	require.NoError(t, s.Failed(ctx, "x", nil))
	require.ErrorIs(t, s.Failed(ctx, "x", context.Canceled), context.Canceled)
	for _, lost := range []error{io.EOF, driver.ErrBadConn, oracleError(3113, "ORA-03113: end-of-file on communication channel"), oracleError(28, "ORA-00028: your session has been killed")} {
		require.ErrorAs(t, s.Failed(ctx, "x", lost), new(*dialects.ConnectError))
		require.ErrorContains(t, s.Failed(ctx, "x", lost), "the connection was lost while doing x: ")
	}
	login := s.Failed(ctx, "x", oracleError(1017, "ORA-01017: invalid username/password; logon denied\n"))
	require.EqualError(t, login, "cannot connect to h/x as APP: ORA-01017: invalid username/password; logon denied\n"+target{}.loginHint(1017))
	require.ErrorAs(t, s.Failed(ctx, "x", errors.New("?")), new(*dialects.ServerError))

	refused := s.Failed(ctx, "exec_async", oracleError(20005, "ORA-20005: dbsched 20005: process 7 is closed.\nORA-06512: at \"APP.DBSCHED\", line 4\nORA-06512: at line 1\n"))
	require.ErrorAs(t, refused, new(*dialects.ServerError))
	require.EqualError(t, refused, "exec_async: ORA-20005: dbsched 20005: process 7 is closed.") // where it was raised is noise: the text is enough
	var r *Refusal
	require.ErrorAs(t, refused, &r)
	require.Equal(t, 20005, r.Number)
	require.ErrorAs(t, refused, new(*network.OracleError))

	missing := s.Failed(ctx, "start_scheduler", oracleError(6550, "ORA-06550: line 1, column 7:\nPLS-00201: identifier 'DBSCHED.START_SCHEDULER' must be declared"))
	require.ErrorContains(t, missing, "dbsched is not installed in schema APP.")
	rights := s.Failed(ctx, "step drop_queues", oracleError(6550, "ORA-06550: line 9, column 9:\nPLS-00201: identifier 'SYS.DBMS_AQADM' must be declared"))
	require.ErrorContains(t, rights, "dbsched render --grants --dialect oracle --schema APP")

	revoked := s.Failed(ctx, "check preflight", oracleError(6550, "ORA-06550: line 9, column 9:\nPLS-00904: insufficient privilege to access object DBMS_DB_VERSION"))
	require.ErrorContains(t, revoked, "A right is missing")

	byServer := s.Failed(ctx, "x", oracleError(1013, "ORA-01013: user requested cancel of current operation"))
	require.ErrorAs(t, byServer, new(*dialects.ServerError))
	cancel()
	require.ErrorIs(t, s.Failed(ctx, "x", oracleError(1013, "ORA-01013: user requested cancel of current operation")), context.Canceled)
	require.ErrorIs(t, s.Failed(ctx, "x", io.EOF), context.Canceled)
}

func TestCompileErrorReadsAsShowErrors(t *testing.T) {
	err := &CompileError{Type: "PACKAGE BODY", Name: "DS_RUN", Lines: []CompileLine{{3, 5, "PLS-00201: identifier 'X' must be declared\n"}, {3, 5, "PL/SQL: Statement ignored"}}}
	require.EqualError(t, err, "PACKAGE BODY DS_RUN does not compile:\n  line 3, column 5: PLS-00201: identifier 'X' must be declared\n  line 3, column 5: PL/SQL: Statement ignored")
}

func TestFinding(t *testing.T) {
	f := finding("ORA-20083: dbsched 20083: rights are missing, granted directly, not through a role. Have a DBA run:" +
		" grant create job to APP; grant execute on sys.dbms_aq to APP; alter user APP quota unlimited on users;\nORA-06512: at line 90\n")
	require.Equal(t, dialects.Finding{
		Text:   "rights are missing, granted directly, not through a role. Have a DBA run:",
		Remedy: "grant create job to APP;\ngrant execute on sys.dbms_aq to APP;\nalter user APP quota unlimited on users;",
	}, f)
	cut := finding("ORA-20083: dbsched 20083: Have a DBA run: grant create job to APP; grant exec")
	require.Equal(t, "grant create job to APP;\n-- for all statements: dbsched render --grants", cut.Remedy)
	require.Equal(t, dialects.Finding{Text: "this release is too old; dbsched needs Oracle Database 19c or later."},
		finding("ORA-20080: dbsched 20080: this release is too old; dbsched needs Oracle Database 19c or later.\nORA-06512: at line 48"))
	require.True(t, preflightError(20016))
	require.False(t, preflightError(20005))
}
