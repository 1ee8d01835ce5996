package oracle

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/dbsched/dbsched/sandbox/differ"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plsql"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// of returns the session that evaluates an expression.
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

// sessionValue returns a function of the session that has no arguments, or nil.
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
		return fixed(datatype.Timestamps(datatype.TimestampTZ, 6), func(s *Session) value.Value { return s.nls.Zone.In(micro(s.ticks())) })
	case "LOCALTIMESTAMP":
		return fixed(datatype.Timestamps(datatype.Timestamp, 6), func(s *Session) value.Value { return value.NewTime(micro(s.local()), 0) })
	case "USER":
		return fixed(datatype.Sized(datatype.Varchar2, 128), func(s *Session) value.Value { return value.NewString(s.user.Name) })
	case "UID":
		return fixed(datatype.Of(datatype.Number), func(s *Session) value.Value { return value.NewInt(s.user.ID) })
	case "DBTIMEZONE":
		return fixed(datatype.Sized(datatype.Varchar2, 6), func(*Session) value.Value { return value.NewString("+00:00") })
	case "SESSIONTIMEZONE":
		return fixed(datatype.Sized(datatype.Varchar2, 75), func(s *Session) value.Value { return value.NewString(s.nls.Zone.String()) })
	case "SYS_GUID":
		return guid()
	}
	return nil
}

// sessionFunction returns a function of the session that has arguments, or nil.
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

// hasGUIDs reports whether there is a function CON_ID_TO_GUID.
func (srv *Server) hasGUIDs() bool {
	return srv.k.Differs(differ.Release21) || srv.k.Differs(differ.Release21AnotherGUID)
}

// containerGUID is CON_ID_TO_GUID of the only container.
func (srv *Server) containerGUID() *plan.Expr {
	return plan.Volatile("CON_ID_TO_GUID", datatype.Sized(datatype.Raw, 16), nil, func(*query.Frame) value.Value {
		b := srv.site.GUID
		if srv.k.Differs(differ.Release21AnotherGUID) {
			b[0]++
		}
		return value.NewBytes(b[:])
	})
}

func guid() *plan.Expr {
	return plan.Volatile("SYS_GUID", datatype.Sized(datatype.Raw, 16), nil, func(fr *query.Frame) value.Value {
		var b [16]byte
		of(fr).srv.k.Random(b[:])
		return value.NewBytes(b[:])
	})
}

// local returns the session's local date and time.
func (s *Session) local() int64 { return s.nls.Zone.Local(s.ticks()) }

// micro truncates ticks of 100 ns to microseconds, the precision of the host's clock.
func micro(ticks int64) int64 { return ticks - ticks%10 }

// userenv are predefined parameters of the namespace USERENV (SQL Language Reference, "SYS_CONTEXT").
var userenv = map[string]func(s *Session) string{
	"SESSION_USER":           func(s *Session) string { return s.user.Name },
	"AUTHENTICATED_IDENTITY": func(s *Session) string { return s.user.Name },
	"SESSION_USERID":         func(s *Session) string { return fmt.Sprint(s.user.ID) },
	"CURRENT_USER":           func(s *Session) string { return s.here().rights.User },
	"CURRENT_USERID":         func(s *Session) string { return fmt.Sprint(s.srv.catalog.User(s.here().rights.User).ID) },
	"CURRENT_SCHEMA":         func(s *Session) string { return s.currentSchema() },
	"SID":                    func(s *Session) string { return fmt.Sprint(s.sid) },
	"INSTANCE":               func(*Session) string { return "1" },
	"HOST":                   func(s *Session) string { return s.client.Machine },
	"CON_NAME":               func(*Session) string { return Container },
	"CDB_NAME":               func(s *Session) string { return cmp.Or(s.srv.site.Server, Container) },
	"CURRENT_EDITION_NAME":   func(s *Session) string { return cmp.Or(s.srv.site.Edition, baseEdition) },
	"DB_NAME":                func(*Session) string { return Container },
	"SERVICE_NAME":           func(*Session) string { return Container },
	"CON_ID":                 func(*Session) string { return "3" },
	"INSTANCE_NAME":          func(*Session) string { return "sandbox" },
	"DATABASE_ROLE":          func(*Session) string { return "PRIMARY" },
	"OS_USER":                func(s *Session) string { return s.client.OSUser },
	"TERMINAL":               func(s *Session) string { return s.client.Terminal },
	"CLIENT_IDENTIFIER":      func(s *Session) string { return s.supplied.Identifier },
	"CLIENT_INFO":            func(s *Session) string { return s.supplied.ClientInfo },
	"MODULE":                 func(s *Session) string { return s.supplied.Module },
	"ACTION":                 func(s *Session) string { return s.supplied.Action },
	"CLIENT_PROGRAM_NAME":    func(s *Session) string { return s.client.Program },
	"LANGUAGE":               func(*Session) string { return "AMERICAN_AMERICA.AL32UTF8" },
	"PROXY_USER":             func(*Session) string { return "" },
	"SESSIONID": func(s *Session) string {
		if s.run != nil { // sessions of the job queue are not audited
			return "0"
		}
		return fmt.Sprint(100000 + s.serial)
	},
}

// context is SYS_CONTEXT.
func (s *Session) context(namespace, parameter string) (string, error) {
	if !strings.EqualFold(namespace, "USERENV") {
		return "", nil // a context that nobody has set is NULL
	}
	if get := userenv[strings.ToUpper(parameter)]; get != nil {
		return get(s), nil
	}
	return "", sqlerr.NotSupported("SYS_CONTEXT('USERENV', '%s')", parameter)
}
