package oracle

import (
	"strconv"
	"strings"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/settings"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/transaction"
)

// Linguistic implements plan.Env.
func (s *Session) Linguistic() bool { return s.nls.CI }

// ticks is the engine's present instant as a value.Time counts it.
func (s *Session) ticks() int64 { return ticksOf(s.srv.k.Now()) }

var year1 = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)

func ticksOf(t time.Time) int64 {
	return (t.Unix()-year1.Unix())*10_000_000 + int64(t.Nanosecond())/100
}

// Format implements plan.Env.
func (s *Session) Format(inPLSQL bool) *datatype.Env { return s.nls.Env(inPLSQL, s.ticks()) }

// alterSession is ALTER SESSION SET (SQL Language Reference, "ALTER SESSION").
func (s *Session) alterSession(n *ast.AlterSession) error {
	for _, st := range n.Settings {
		if err := s.set(strings.ToUpper(st.Name), settings.Text(st.Value)); err != nil {
			return err
		}
	}
	return nil
}

func (s *Session) set(name, v string) error {
	switch name {
	case "CURRENT_SCHEMA":
		if s.srv.catalog.User(v) == nil {
			return message.ORA(1435)
		}
		s.schema = v
	case "ISOLATION_LEVEL":
		switch strings.ToUpper(v) {
		case "READ COMMITTED", "READ_COMMITTED":
			s.Next = transaction.ReadCommitted
		case "SERIALIZABLE":
			s.Next = transaction.Serializable
		default:
			return message.ORA(2248)
		}
		if t := s.Current(); !t.Active() {
			t.Isolation = s.Next
		}
	case "CONSTRAINT", "CONSTRAINTS": // every deferrable constraint of the sandbox is INITIALLY DEFERRED
		v = strings.ToUpper(v)
		if v != "IMMEDIATE" && v != "DEFERRED" && v != "DEFAULT" {
			return message.ORA(2248)
		}
		s.Immediate = v == "IMMEDIATE"
	case "DDL_LOCK_TIMEOUT":
		n, err := strconv.Atoi(v)
		if err != nil || n < 0 || n > 1_000_000 {
			return message.ORA(68, v, "ddl_lock_timeout", 0, 1000000)
		}
		s.ddlLockTimeout = time.Duration(n) * time.Second
	default:
		return s.nls.Set(name, v)
	}
	return nil
}
