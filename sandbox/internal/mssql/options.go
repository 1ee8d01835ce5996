package mssql

import (
	"strings"
	"time"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// setOptions are the SET options of a session. A procedure and dynamic SQL get a copy, which
// is gone when they return (learn.microsoft.com, "SET Statements (Transact-SQL)").
type setOptions struct {
	noCount, xactAbort, implicitTransactions           bool
	ansiNulls, ansiPadding, ansiWarnings, ansiNullDflt bool
	arithAbort, concatNull, quotedIdentifier           bool
	numericRoundAbort, cursorCloseOnCommit, forcePlan  bool
	fmtOnly, noExec, parseOnly                         bool
	rowCount                                           int64
	dateFirst                                          int64
	dateFormat, language                               string
	textSize                                           int64
}

// defaultOptions are those of a connection made by an OLE DB, ODBC or TDS driver that asks for
// ANSI defaults; ARITHABORT is implied by ANSI_WARNINGS from compatibility level 90 on.
func defaultOptions() setOptions {
	return setOptions{
		ansiNulls: true, ansiPadding: true, ansiWarnings: true, ansiNullDflt: true,
		concatNull: true, quotedIdentifier: true, arithAbort: true, dateFirst: 7, dateFormat: "mdy", language: "us_english", textSize: -1,
	}
}

// activationOptions are those of an activated procedure; the sandbox takes what was measured rather than the database defaults,
// which documentation gives: ARITHABORT alone is off (FIDELITY.md, "activation SET options").
func activationOptions() setOptions {
	o := defaultOptions()
	o.arithAbort = false
	return o
}

func (s *Session) setOnOff(n *ast.PredicateSetStatement) {
	for name := range strings.SplitSeq(n.Options, ",") {
		name = strings.TrimSpace(name)
		p := s.set.flag(name)
		if p == nil {
			panic(sqlerr.NotSupported("SET %s", name))
		}
		*p = n.IsOn
		switch p {
		case &s.set.cursorCloseOnCommit, &s.set.forcePlan, &s.set.fmtOnly, &s.set.noExec, &s.set.parseOnly:
			if n.IsOn {
				panic(sqlerr.NotSupported("SET %s ON", name))
			}
		case &s.set.quotedIdentifier, &s.set.ansiNulls:
			if f := s.top(); f != nil && f.object == nil {
				f.quotedIdentifier, f.ansiNulls = s.set.quotedIdentifier, s.set.ansiNulls
			}
		}
	}
}

// flag finds an ON/OFF option by the parser's name for it.
func (o *setOptions) flag(name string) *bool {
	switch strings.ToLower(name) {
	case "nocount":
		return &o.noCount
	case "xactabort":
		return &o.xactAbort
	case "implicittransactions":
		return &o.implicitTransactions
	case "ansinulls":
		return &o.ansiNulls
	case "ansipadding":
		return &o.ansiPadding
	case "ansiwarnings":
		return &o.ansiWarnings
	case "ansinulldflton":
		return &o.ansiNullDflt
	case "arithabort":
		return &o.arithAbort
	case "concatnullyieldsnull":
		return &o.concatNull
	case "quotedidentifier":
		return &o.quotedIdentifier
	case "numericroundabort":
		return &o.numericRoundAbort
	case "cursorcloseoncommit":
		return &o.cursorCloseOnCommit
	case "forceplan":
		return &o.forcePlan
	case "fmtonly":
		return &o.fmtOnly
	case "noexec":
		return &o.noExec
	case "parseonly":
		return &o.parseOnly
	}
	return nil
}

func (s *Session) setCommands(f *frame, n *ast.SetCommandStatement) {
	for _, c := range n.Commands {
		g, ok := c.(*ast.GeneralSetCommand)
		if !ok {
			panic(sqlerr.NotSupported("SET command %T", c))
		}
		query.Check(s.setCommand(f, g))
	}
}

func (s *Session) setCommand(f *frame, g *ast.GeneralSetCommand) error {
	if id, ok := g.Parameter.(*ast.IdentifierLiteral); ok {
		s.setWord(g.CommandType, id.Value)
		return nil
	}
	v, t, err := s.typed(f, g, g.Parameter)
	if err != nil {
		return err
	}
	if t.IsCharacter() {
		s.setWord(g.CommandType, v.Str())
		return nil
	}
	switch strings.ToLower(g.CommandType) {
	case "locktimeout":
		s.setLockTimeout(v.Int64())
	case "deadlockpriority":
		if v.Int64() < -10 || v.Int64() > 10 {
			return message.MS(4135, v)
		}
		s.st.DeadlockPriority = int(v.Int64())
	case "datefirst":
		if v.Int64() < 1 || v.Int64() > 7 {
			return message.MS(2742, v.Int64())
		}
		s.set.dateFirst = v.Int64()
	case "contextinfo":
		s.contextInfo, err = datatype.Convert(v, t, datatype.Type{ID: datatype.VarBinary, Len: 128}, datatype.NoStyle, datatype.Implicit)
	default:
		return sqlerr.NotSupported("SET %s", g.CommandType)
	}
	return err
}

// setLockTimeout sets LOCK_TIMEOUT in milliseconds; -1 waits for ever.
func (s *Session) setLockTimeout(ms int64) {
	s.st.LockTimeout = time.Duration(ms) * time.Millisecond
	if ms < 0 {
		s.st.LockTimeout = -1
	}
}

func (s *Session) lockTimeout() int64 {
	if s.st.LockTimeout < 0 {
		return -1
	}
	return s.st.LockTimeout.Milliseconds()
}

func (s *Session) setWord(command, word string) {
	switch strings.ToLower(command) {
	case "deadlockpriority":
		switch strings.ToLower(word) {
		case "low":
			s.st.DeadlockPriority = -5
		case "normal":
			s.st.DeadlockPriority = 0
		case "high":
			s.st.DeadlockPriority = 5
		default:
			panic(sqlerr.NotSupported("SET DEADLOCK_PRIORITY %s", word))
		}
	case "language":
		if !strings.EqualFold(word, "us_english") && !strings.EqualFold(word, "english") {
			panic(sqlerr.NotSupported("SET LANGUAGE %s", word))
		}
		s.set.language, s.set.dateFirst, s.set.dateFormat = "us_english", 7, "mdy"
	case "dateformat":
		if f := strings.ToLower(word); f != "mdy" {
			panic(sqlerr.NotSupported("SET DATEFORMAT %s", word))
		}
	default:
		panic(sqlerr.NotSupported("SET %s %s", command, word))
	}
}

func (s *Session) setRowCount(f *frame, n *ast.SetRowCountStatement) error {
	v, err := s.scalar(f, n, n.NumberRows)
	if err == nil {
		s.set.rowCount = v.Int64()
	}
	return err
}

func (s *Session) setIdentityInsert(f *frame, n *ast.SetIdentityInsertStatement) {
	o := query.Must(scope{s, f}.Resolve(n.Table))
	switch {
	case !n.IsOn && s.identityOn != nil && s.identityOn.ID == o.ID:
		s.identityOn = nil
	case n.IsOn && s.identityOn != nil && s.identityOn.ID != o.ID:
		panic(message.MS(8107, f.db.Name, s.identityOn.QualifiedName(), nameText(n.Table)))
	case n.IsOn:
		if o.Table() == nil || o.Table().Identity < 0 {
			panic(message.MS(8106, nameText(n.Table)))
		}
		s.identityOn = o
	}
}
