package mssql

import (
	"math"
	"strings"
	"time"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/ddl"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// refuseOption refuses one SET option: the rest of the batch runs, so that options that a client sets first are not lost.
func refuseOption(format string, args ...any) error {
	return sqlerr.NotSupported("SET "+format, args...).Ending(sqlerr.Statement)
}

func (s *Session) setOnOff(n *ast.PredicateSetStatement) {
	for name := range strings.SplitSeq(n.Options, ",") {
		name = strings.TrimSpace(name)
		p := s.set.Flag(name)
		if p == nil {
			panic(refuseOption("%s", name))
		}
		switch p {
		case &s.set.ForcePlan, &s.set.NoBrowseTable, &s.set.NoExec, &s.set.ParseOnly:
			if n.IsOn {
				panic(refuseOption("%s ON", strings.ToUpper(name)))
			}
		}
		*p = n.IsOn
		switch p {
		case &s.set.QuotedIdentifier, &s.set.ANSINulls:
			if f := s.top(); f != nil && f.object == nil {
				f.quotedIdentifier, f.ansiNulls = s.set.QuotedIdentifier, s.set.ANSINulls
			}
		}
	}
}

func (s *Session) setCommands(f *frame, n *ast.SetCommandStatement) {
	for _, c := range n.Commands {
		g, ok := c.(*ast.GeneralSetCommand)
		if !ok {
			panic(refuseOption("%T", c))
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
	case "datefirst": // nothing but @@DATEFIRST depends on it
		if v.Int64() < 1 || v.Int64() > 7 {
			return message.MS(2742, v.Int64())
		}
		s.set.DateFirst = v.Int64()
	case "contextinfo":
		s.contextInfo, err = datatype.Convert(v, t, datatype.Type{ID: datatype.VarBinary, Len: 128}, datatype.NoStyle, datatype.Implicit)
	default:
		return refuseOption("%s", strings.ToUpper(g.CommandType))
	}
	return err
}

// setLockTimeout sets LOCK_TIMEOUT in milliseconds; -1 waits forever.
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
			panic(refuseOption("DEADLOCK_PRIORITY %s", word))
		}
	case "language":
		if !strings.EqualFold(word, "us_english") && !strings.EqualFold(word, "english") {
			panic(refuseOption("LANGUAGE %s", word))
		}
		s.set.DateFirst = 7
	case "dateformat":
		if !strings.EqualFold(word, "mdy") {
			panic(refuseOption("DATEFORMAT %s", word))
		}
	default:
		panic(refuseOption("%s %s", strings.ToUpper(command), word))
	}
}

// setTextSize accepts the sizes that drivers set, which cut off nothing.
func (s *Session) setTextSize(f *frame, n *ast.SetTextSizeStatement) error {
	v, err := s.scalar(f, n, n.TextSize)
	if err == nil && v.Int64() != -1 && v.Int64() != math.MaxInt32 {
		return refuseOption("TEXTSIZE below 2147483647")
	}
	return err
}

func (s *Session) setRowCount(f *frame, n *ast.SetRowCountStatement) error {
	v, err := s.scalar(f, n, n.NumberRows)
	if err == nil {
		s.set.RowCount = v.Int64()
	}
	return err
}

func (s *Session) setIdentityInsert(f *frame, n *ast.SetIdentityInsertStatement) {
	o := query.Must(scope{s, f}.Resolve(n.Table))
	switch {
	case !n.IsOn && s.identityOn != nil && s.identityOn.ID == o.ID:
		s.identityOn = nil
	case n.IsOn && s.identityOn != nil && s.identityOn.ID != o.ID:
		panic(message.MS(8107, f.db.Name, s.identityOn.QualifiedName(), ddl.Written(n.Table)))
	case n.IsOn:
		if o.Table() == nil || o.Table().Identity < 0 {
			panic(message.MS(8106, ddl.Written(n.Table)))
		}
		s.identityOn = o
	}
}
