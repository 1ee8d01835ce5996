package mssql

import (
	"strings"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/plan"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Types of results.
var (
	typeInt      = datatype.Type{ID: datatype.Int}
	typeSmallInt = datatype.Type{ID: datatype.SmallInt}
	typeBigInt   = datatype.Type{ID: datatype.BigInt}
	typeName     = datatype.Type{ID: datatype.NVarChar, Len: 128}
	typeText     = datatype.Type{ID: datatype.NVarChar, Len: 4000}
	typeDateTime = datatype.Type{ID: datatype.DateTime}
	typeDT2      = datatype.Type{ID: datatype.DateTime2, Scale: 7}
	typeDTO      = datatype.Type{ID: datatype.DateTimeOffset, Scale: 7}
	typeGUID     = datatype.Type{ID: datatype.UniqueIdentifier}
	typeVariant  = datatype.Type{ID: datatype.SQLVariant}
)

// ticksOf counts 100 ns since 0001-01-01, as the type layer keeps date and time.
func ticksOf(t time.Time) int64 {
	const unixTicks = 62135596800 * 10_000_000
	return unixTicks + t.UnixNano()/100
}

// datetimeTicks rounds to the 1/300 s of datetime.
func datetimeTicks(t time.Time) int64 {
	ticks := ticksOf(t)
	day := ticks - ticks%864_000_000_000
	units := ((ticks-day)*3 + 50_000) / 100_000 // 1/300 s
	return day + (units*100_000+1)/3
}

func orNull(s string, ok bool) value.Value {
	if !ok {
		return value.Value{}
	}
	return value.NewString(s)
}

type evalFunc func(s *Session, args []value.Value) value.Value

// sessionFunctions are the functions that only a session can answer.
func sessionFunctions() map[string]*plan.SessionFunc {
	out := map[string]*plan.SessionFunc{}
	add := func(names string, t datatype.Type, low, high int, eval evalFunc) {
		for name := range strings.SplitSeq(names, " ") {
			out[name] = &plan.SessionFunc{Name: name, Result: t, MinArgs: low, MaxArgs: high, Eval: func(env plan.Env, args []value.Value) value.Value {
				return eval(env.(*Session), args)
			}}
		}
	}
	addClock(add)
	addErrors(add)
	addState(add)
	addPrincipals(add)
	addMetadata(add)
	add("NEWID", typeGUID, 0, 0, func(s *Session, _ []value.Value) value.Value { return s.srv.newGUID() })
	out["NEWID"].PerRow = true
	for _, name := range []string{"NEWID", "@@ROWCOUNT", "@@TRANCOUNT", "@@SPID", "GETDATE", "SYSUTCDATETIME", "GETUTCDATE", "SYSDATETIME", "SYSDATETIMEOFFSET"} {
		out[name].NotNull = true
	}
	return out
}

type adder func(names string, t datatype.Type, low, high int, eval evalFunc)

func addClock(add adder) {
	add("GETDATE CURRENT_TIMESTAMP GETUTCDATE", typeDateTime, 0, 0, func(s *Session, _ []value.Value) value.Value {
		return value.NewTime(datetimeTicks(s.srv.k.Now()), 0)
	})
	add("SYSDATETIME SYSUTCDATETIME", typeDT2, 0, 0, func(s *Session, _ []value.Value) value.Value {
		return value.NewTime(ticksOf(s.srv.k.Now()), 0)
	})
	add("CURRENT_TIMEZONE_ID", typeName, 0, 0, func(*Session, []value.Value) value.Value { return value.NewString("UTC") })
	add("SYSDATETIMEOFFSET", typeDTO, 0, 0, func(s *Session, _ []value.Value) value.Value {
		return value.NewTime(ticksOf(s.srv.k.Now()), 0)
	})
}

func addErrors(add adder) {
	field := func(name string, t datatype.Type, get func(e *sqlerr.Error) value.Value) {
		add(name, t, 0, 0, func(s *Session, _ []value.Value) value.Value {
			if e := s.current(); e != nil {
				return get(e)
			}
			return value.Value{}
		})
	}
	field("ERROR_NUMBER", typeInt, func(e *sqlerr.Error) value.Value { return value.NewInt(int64(e.Number)) })
	field("ERROR_SEVERITY", typeInt, func(e *sqlerr.Error) value.Value { return value.NewInt(int64(e.Severity)) })
	field("ERROR_STATE", typeInt, func(e *sqlerr.Error) value.Value { return value.NewInt(int64(e.State)) })
	field("ERROR_LINE", typeInt, func(e *sqlerr.Error) value.Value { return value.NewInt(int64(e.Line)) })
	field("ERROR_PROCEDURE", typeName, func(e *sqlerr.Error) value.Value { return orNull(e.Unit, e.Unit != "") })
	field("ERROR_MESSAGE", typeText, func(e *sqlerr.Error) value.Value { return value.NewString(e.Text) })
}

func addState(add adder) {
	number := func(name string, t datatype.Type, get func(s *Session) int64) {
		add(name, t, 0, 0, func(s *Session, _ []value.Value) value.Value { return value.NewInt(get(s)) })
	}
	number("@@ERROR", typeInt, func(s *Session) int64 { return int64(s.lastError) })
	number("@@ROWCOUNT", typeInt, func(s *Session) int64 { return s.rowCount })
	number("ROWCOUNT_BIG", typeBigInt, func(s *Session) int64 { return s.rowCount })
	number("@@TRANCOUNT", typeInt, func(s *Session) int64 { return int64(s.tran.Count) })
	number("XACT_STATE", typeSmallInt, func(s *Session) int64 { return s.tran.State() })
	number("@@SPID", typeSmallInt, func(s *Session) int64 { return int64(s.spid) })
	number("@@NESTLEVEL", typeInt, func(s *Session) int64 { return int64(s.top().level) })
	number("@@LOCK_TIMEOUT", typeInt, func(s *Session) int64 { return s.lockTimeout() })
	number("@@FETCH_STATUS", typeInt, func(s *Session) int64 { return s.fetchStatus })
	number("@@DATEFIRST", datatype.Type{ID: datatype.TinyInt}, func(s *Session) int64 { return s.set.DateFirst })
	number("@@MAX_PRECISION", datatype.Type{ID: datatype.TinyInt}, func(*Session) int64 { return 38 })
	number("@@OPTIONS", typeInt, func(s *Session) int64 { return s.optionBits() })
	number("CURRENT_TRANSACTION_ID", typeBigInt, func(s *Session) int64 {
		if s.tran.Tx != nil {
			return s.tran.Tx.ID()
		}
		return 0
	})
	identity := func(get func(s *Session) value.Value) evalFunc {
		return func(s *Session, _ []value.Value) value.Value { return get(s) }
	}
	decimal := datatype.Type{ID: datatype.Decimal, Prec: 38}
	add("@@IDENTITY", decimal, 0, 0, identity(func(s *Session) value.Value { return asDecimal(s.identity) }))
	add("SCOPE_IDENTITY", decimal, 0, 0, identity(func(s *Session) value.Value { return asDecimal(s.top().scopeID) }))
	add("CONTEXT_INFO", datatype.Type{ID: datatype.VarBinary, Len: 128}, 0, 0, identity(func(s *Session) value.Value { return s.contextInfo }))
	add("SESSION_CONTEXT", typeVariant, 1, 1, func(s *Session, args []value.Value) value.Value {
		return s.context[textOf(args[0])].v
	})
	add("APPLOCK_TEST", typeSmallInt, 4, 4, func(s *Session, args []value.Value) value.Value { return s.appLockTest(args) })
	add("APPLOCK_MODE", nvarchar(32), 3, 3, func(s *Session, args []value.Value) value.Value { return s.appLockMode(args) })
}

func asDecimal(v value.Value) value.Value {
	if v.Kind == value.Int {
		return value.NewDecimal(v.N, 0)
	}
	return v
}

// optionBits is @@OPTIONS (learn.microsoft.com, "Configure the user options Server Configuration Option").
func (s *Session) optionBits() int64 {
	bits := int64(0)
	for _, o := range []struct {
		on  bool
		bit int64
	}{
		{s.set.ImplicitTransactions, 2}, {s.set.CursorCloseOnCommit, 4}, {s.set.ANSIWarnings, 8}, {s.set.ANSIPadding, 16},
		{s.set.ANSINulls, 32}, {s.set.ArithAbort, 64}, {s.set.QuotedIdentifier, 256}, {s.set.NoCount, 512},
		{s.set.ANSINullDfltOn, 1024}, {s.set.ConcatNullYieldsNull, 4096}, {s.set.NumericRoundAbort, 8192}, {s.set.XactAbort, 16384},
	} {
		if o.on {
			bits |= o.bit
		}
	}
	return bits
}

func addPrincipals(add adder) {
	str := func(names string, get func(s *Session) string) {
		add(names, typeName, 0, 0, func(s *Session, _ []value.Value) value.Value { return value.NewString(get(s)) })
	}
	str("ORIGINAL_LOGIN", func(s *Session) string { return s.originalLogin() })
	str("SYSTEM_USER", func(s *Session) string { return s.who.LoginName() })
	str("CURRENT_USER SESSION_USER USER", func(s *Session) string { return s.userName() })
	str("@@SERVERNAME", func(s *Session) string { return s.srv.catalog.Name })
	str("@@VERSION", func(s *Session) string { return s.srv.Version() })
	str("@@LANGUAGE", func(*Session) string { return "us_english" })
	str("HOST_NAME", func(s *Session) string { return s.host })
	str("APP_NAME", func(s *Session) string { return s.program })
	add("SUSER_SNAME SUSER_NAME", typeName, 0, 1, func(s *Session, args []value.Value) value.Value {
		if len(args) == 0 {
			return value.NewString(s.who.LoginName())
		}
		if args[0].Kind == value.Int {
			panic(sqlerr.NotSupported("SUSER_NAME of a number"))
		}
		return found(s.srv.catalog.LoginBySID(textOf(args[0])), func(l *catalog.Login) value.Value { return value.NewString(l.Name) })
	})
	add("USER_NAME", typeName, 0, 1, func(s *Session, args []value.Value) value.Value {
		if len(args) == 0 {
			return value.NewString(s.userName())
		}
		if args[0].IsNull() { // public is number 0
			return value.Value{}
		}
		return found(s.db.PrincipalByID(int32(args[0].Int64())), func(p *catalog.Principal) value.Value { return value.NewString(p.Name) })
	})
	add("USER_ID DATABASE_PRINCIPAL_ID", typeInt, 0, 1, func(s *Session, args []value.Value) value.Value {
		return found(s.db.PrincipalByName(textOr(args, s.userName())), func(p *catalog.Principal) value.Value { return value.NewInt(int64(p.ID)) })
	})
	add("IS_MEMBER IS_ROLEMEMBER", typeInt, 1, 2, (*Session).isMember)
	add("IS_SRVROLEMEMBER", typeInt, 1, 1, func(s *Session, args []value.Value) value.Value {
		if !strings.EqualFold(textOf(args[0]), "sysadmin") {
			panic(sqlerr.NotSupported("IS_SRVROLEMEMBER('%s')", textOf(args[0])))
		}
		return boolInt(s.who.Current().Login != nil && s.who.Current().Login.Sysadmin)
	})
	add("HAS_PERMS_BY_NAME", typeInt, 3, 3, (*Session).hasPerms)
}

func boolInt(b bool) value.Value {
	if b {
		return value.NewInt(1)
	}
	return value.NewInt(0)
}

func (s *Session) originalLogin() string {
	if s.login == nil {
		return "sa"
	}
	return s.login.Name
}

func (s *Session) userName() string {
	tok, err := s.who.TokenIn(s.db)
	if err != nil {
		return s.token().Name
	}
	return tok.Name
}

func (s *Session) isMember(args []value.Value) value.Value {
	role := s.db.PrincipalByName(textOf(args[0]))
	if role == nil || role.Kind != catalog.DatabaseRole {
		return value.Value{}
	}
	tok, err := s.who.TokenIn(s.db)
	if len(args) == 2 {
		u := s.db.PrincipalByName(textOf(args[1]))
		if u == nil {
			return value.Value{}
		}
		tok = s.db.UserToken(u.ID)
	}
	if err != nil { // not in the database: unknown
		return value.Value{}
	}
	return boolInt(tok.Is(role.ID) || (tok.Dbo && role.ID == catalog.RoleOwner))
}
