package oracle

import (
	"fmt"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plsql"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// of finds the session that evaluates an expression.
func of(fr *query.Frame) *Session {
	switch h := plsql.HostOf(fr.Env).(type) {
	case *Session:
		return h
	case *execution:
		return h.Session
	case definer:
		return h.Session
	default:
		panic(fmt.Sprintf("oracle: environment %T has no session", h))
	}
}

// sessionValue is a function of the session without arguments, or nil.
func sessionValue(name string) *plan.Expr {
	fixed := func(t datatype.Type, fn func(s *Session) value.Value) *plan.Expr {
		return plan.Fixed(name, t, func(fr *query.Frame) value.Value { return fn(of(fr)) })
	}
	second := func(ticks int64) int64 { return ticks - ticks%datatype.TicksPerSecond }
	switch name {
	case "SYSDATE": // the database's host is in UTC
		return fixed(datatype.Of(datatype.Date), func(s *Session) value.Value { return value.NewTime(second(s.ticks()), 0) })
	case "CURRENT_DATE":
		return fixed(datatype.Of(datatype.Date), func(s *Session) value.Value { return value.NewTime(second(s.local()), 0) })
	case "SYSTIMESTAMP":
		return fixed(datatype.Timestamps(datatype.TimestampTZ, 6), func(s *Session) value.Value { return value.NewTime(micro(s.ticks()), 0) })
	case "CURRENT_TIMESTAMP":
		return fixed(datatype.Timestamps(datatype.TimestampTZ, 6), func(s *Session) value.Value { return value.NewTime(micro(s.ticks()), s.nls.zone) })
	case "LOCALTIMESTAMP":
		return fixed(datatype.Timestamps(datatype.Timestamp, 6), func(s *Session) value.Value { return value.NewTime(micro(s.local()), 0) })
	case "USER":
		return fixed(datatype.Sized(datatype.Varchar2, 128), func(s *Session) value.Value { return value.NewString(s.user.Name) })
	case "UID":
		return fixed(datatype.Of(datatype.Number), func(s *Session) value.Value { return value.NewInt(s.user.ID) })
	case "DBTIMEZONE":
		return fixed(datatype.Sized(datatype.Varchar2, 6), func(*Session) value.Value { return value.NewString("+00:00") })
	case "SESSIONTIMEZONE":
		return fixed(datatype.Sized(datatype.Varchar2, 75), func(s *Session) value.Value { return value.NewString(offset(s.nls.zone)) })
	case "SYS_GUID":
		return guid()
	}
	return nil
}

// sessionFunction is a function of the session with arguments, or nil.
func sessionFunction(name string, x *ast.Call, sub func(ast.Expr) *plan.Expr) (*plan.Expr, error) {
	switch name {
	case "SYS_GUID":
		if len(x.Args) > 0 {
			return nil, message.ORA(909)
		}
		return guid(), nil
	case "SYSTIMESTAMP", "CURRENT_TIMESTAMP", "LOCALTIMESTAMP":
		return nil, sqlerr.NotSupported("%s with a precision", name)
	case "SYS_CONTEXT":
		if len(x.Args) < 2 || len(x.Args) > 3 {
			return nil, message.ORA(909)
		}
		text := datatype.Sized(datatype.Varchar2, 4000)
		args := make([]*plan.Expr, len(x.Args))
		for i, a := range x.Args {
			if a.Name != nil {
				return nil, sqlerr.NotSupported("named arguments of SYS_CONTEXT")
			}
			t := text
			if i == 2 {
				t = datatype.Of(datatype.Number)
			}
			args[i] = plan.ConvertTo(sub(a.Value), t, false)
		}
		return plan.Computed("SYS_CONTEXT", datatype.Sized(datatype.Varchar2, 256), args, func(fr *query.Frame) value.Value {
			v, err := of(fr).context(args[0].Eval(fr).Str(), args[1].Eval(fr).Str())
			if err != nil {
				query.Raise(err)
			}
			return datatype.NewText(v)
		}), nil
	}
	return nil, nil
}

func guid() *plan.Expr {
	return plan.Volatile("SYS_GUID", datatype.Sized(datatype.Raw, 16), nil, func(fr *query.Frame) value.Value {
		var b [16]byte
		of(fr).srv.k.Random(b[:])
		return value.NewBytes(b[:])
	})
}

// local is the session's local date and time.
func (s *Session) local() int64 { return s.ticks() + int64(s.nls.zone)*60*datatype.TicksPerSecond }

// micro cuts ticks of 100 ns to microseconds, the precision of the host's clock.
func micro(ticks int64) int64 { return ticks - ticks%10 }

func offset(minutes int16) string {
	sign := '+'
	if minutes < 0 {
		sign, minutes = '-', -minutes
	}
	return fmt.Sprintf("%c%02d:%02d", sign, minutes/60, minutes%60)
}

// context is SYS_CONTEXT (SQL Language Reference, "SYS_CONTEXT", predefined parameters of USERENV).
func (s *Session) context(namespace, parameter string) (string, error) {
	if !strings.EqualFold(namespace, "USERENV") {
		return "", nil // a context that nobody has set is NULL
	}
	switch strings.ToUpper(parameter) {
	case "SESSION_USER", "AUTHENTICATED_IDENTITY":
		return s.user.Name, nil
	case "SESSION_USERID":
		return fmt.Sprint(s.user.ID), nil
	case "CURRENT_USER":
		return s.here().rights.User, nil
	case "CURRENT_USERID":
		return fmt.Sprint(s.srv.catalog.User(s.here().rights.User).ID), nil
	case "CURRENT_SCHEMA":
		return s.currentSchema(), nil
	case "SID":
		return fmt.Sprint(s.sid), nil
	case "SESSIONID":
		if s.run != nil { // sessions of the job queue are not audited
			return "0", nil
		}
		return fmt.Sprint(100000 + s.serial), nil
	case "INSTANCE":
		return "1", nil
	case "HOST":
		return s.client.Machine, nil
	case "CON_NAME", "DB_NAME", "CDB_NAME", "SERVICE_NAME":
		return Container, nil
	case "CON_ID":
		return "3", nil
	case "INSTANCE_NAME", "SERVER_HOST", "DB_UNIQUE_NAME":
		return "sandbox", nil
	case "DATABASE_ROLE":
		return "PRIMARY", nil
	case "IS_DG_ROLLING_UPGRADE":
		return "FALSE", nil
	case "OS_USER":
		return s.client.OSUser, nil
	case "TERMINAL":
		return s.client.Terminal, nil
	case "CLIENT_IDENTIFIER":
		return s.supplied.Identifier, nil
	case "CLIENT_INFO":
		return s.supplied.ClientInfo, nil
	case "MODULE":
		return s.supplied.Module, nil
	case "ACTION":
		return s.supplied.Action, nil
	case "CLIENT_PROGRAM_NAME":
		return s.client.Program, nil
	case "ISDBA":
		return "FALSE", nil
	case "LANG":
		return "US", nil
	case "LANGUAGE":
		return "AMERICAN_AMERICA.AL32UTF8", nil
	case "NLS_DATE_FORMAT":
		return s.nls.date, nil
	case "NLS_SORT":
		if s.nls.ci {
			return "BINARY_CI", nil
		}
		return "BINARY", nil
	case "NLS_TERRITORY":
		return "AMERICA", nil
	case "NLS_CALENDAR":
		return "GREGORIAN", nil
	case "SCHEDULER_JOB":
		if s.run != nil {
			return "Y", nil
		}
		return "N", nil
	case "CURRENT_EDITION_NAME":
		return "ORA$BASE", nil
	case "BG_JOB_ID", "FG_JOB_ID":
		if s.run != nil {
			return "", sqlerr.NotSupported("SYS_CONTEXT('USERENV', '%s') in a job", parameter)
		}
		return "", nil
	case "PROXY_USER":
		return "", nil
	}
	return "", sqlerr.NotSupported("SYS_CONTEXT('USERENV', '%s')", parameter)
}
