package oracle

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// nls are the session's formats and time zone. Language AMERICAN, territory AMERICA, calendar GREGORIAN, the sorts BINARY and BINARY_CI,
// the latter with linguistic comparison, and byte lengths are the only ones that the sandbox models.
type nls struct {
	date, timestamp, timestampTZ string
	numeric                      string
	zone                         int16 // minutes east of UTC
	linguistic, ci               bool  // NLS_COMP = LINGUISTIC, NLS_SORT = BINARY_CI
}

// Linguistic implements plan.Env.
func (s *Session) Linguistic() bool { return s.nls.ci }

func defaultNLS() nls {
	e := datatype.NewEnv(0)
	return nls{date: e.DateFormat, timestamp: e.TimestampFormat, timestampTZ: e.TimestampTZFormat}
}

// ticks is the engine's present instant as a value.Time counts it.
func (s *Session) ticks() int64 { return ticksOf(s.srv.k.Now()) }

var year1 = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)

func ticksOf(t time.Time) int64 {
	return (t.Unix()-year1.Unix())*10_000_000 + int64(t.Nanosecond())/100
}

// Format implements plan.Env.
func (s *Session) Format(inPLSQL bool) *datatype.Env {
	return &datatype.Env{
		PLSQL: inPLSQL,
		Now:   s.ticks() + int64(s.nls.zone)*600_000_000, Zone: s.nls.zone,
		DateFormat: s.nls.date, TimestampFormat: s.nls.timestamp, TimestampTZFormat: s.nls.timestampTZ, Numeric: s.nls.numeric,
	}
}

// only are the settings whose one modelled value may be set again.
var only = map[string][]string{
	"NLS_LANGUAGE": {"AMERICAN"}, "NLS_DATE_LANGUAGE": {"AMERICAN"}, "NLS_TERRITORY": {"AMERICA"}, "NLS_CALENDAR": {"GREGORIAN"},
	"NLS_LENGTH_SEMANTICS": {"BYTE"},
	"NLS_NCHAR_CONV_EXCP":  {"FALSE"}, "NLS_CURRENCY": {"$"}, "NLS_ISO_CURRENCY": {"AMERICA"}, "PLSQL_CODE_TYPE": {"INTERPRETED"},
	"OPTIMIZER_MODE": {"ALL_ROWS"}, "CURSOR_SHARING": {"EXACT"}, "COMMIT_LOGGING": {"IMMEDIATE"}, "COMMIT_WAIT": {"WAIT"},
}

// alterSession is ALTER SESSION SET (SQL Language Reference, "ALTER SESSION").
func (s *Session) alterSession(n *ast.AlterSession) error {
	for _, st := range n.Settings {
		if err := s.set(strings.ToUpper(st.Name), setting(st.Value)); err != nil {
			return err
		}
	}
	return nil
}

// setting is a setting's value as text: a literal, or words, which may be quoted.
func setting(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.String:
		return x.Value
	case *ast.Number:
		return x.Text
	case *ast.Ref:
		return x.String()
	case *ast.Unary:
		return string(x.Op) + setting(x.X)
	}
	return ""
}

func (s *Session) set(name, v string) error {
	refused := func() error { return sqlerr.NotSupported("ALTER SESSION SET %s = %s", name, v) }
	switch name {
	case "NLS_DATE_FORMAT", "NLS_TIMESTAMP_FORMAT", "NLS_TIMESTAMP_TZ_FORMAT":
		if v == "" {
			return message.ORA(2248)
		}
		*map[string]*string{"NLS_DATE_FORMAT": &s.nls.date, "NLS_TIMESTAMP_FORMAT": &s.nls.timestamp, "NLS_TIMESTAMP_TZ_FORMAT": &s.nls.timestampTZ}[name] = v
	case "NLS_COMP", "NLS_SORT":
		next := s.nls
		switch name + " " + strings.ToUpper(v) {
		case "NLS_COMP BINARY", "NLS_COMP LINGUISTIC":
			next.linguistic = strings.EqualFold(v, "LINGUISTIC")
		case "NLS_SORT BINARY", "NLS_SORT BINARY_CI":
			next.ci = strings.EqualFold(v, "BINARY_CI")
		default:
			return refused()
		}
		if next.ci && !next.linguistic { // ORDER BY alone would follow it
			return refused()
		}
		s.nls = next
	case "NLS_NUMERIC_CHARACTERS": // Database Reference: two different single-byte characters, no digits, none of these
		if len(v) != 2 || v[0] == v[1] || strings.ContainsAny(v, "0123456789+-<>") || v[0]|v[1] > unicode.MaxASCII {
			return message.ORA(12705)
		}
		s.nls.numeric = v
	case "TIME_ZONE":
		minutes, err := zoneOf(v)
		if err != nil {
			return err
		}
		s.nls.zone = minutes
	case "CURRENT_SCHEMA":
		if s.srv.catalog.User(v) == nil {
			return message.ORA(1435)
		}
		s.schema = v
	case "ISOLATION_LEVEL":
		switch strings.ToUpper(v) {
		case "READ COMMITTED", "READ_COMMITTED":
			s.isolation = readCommitted
		case "SERIALIZABLE":
			s.isolation = serializable
		default:
			return message.ORA(2248)
		}
		if t := s.current(); !t.active() {
			t.iso = s.isolation
		}
	case "DDL_LOCK_TIMEOUT":
		n, err := strconv.Atoi(v)
		if err != nil || n < 0 || n > 1_000_000 {
			return message.ORA(68, v, "ddl_lock_timeout", 0, 1000000)
		}
		s.ddlLockTimeout = time.Duration(n) * time.Second
	default:
		allowed, known := only[name]
		if !known {
			return refused()
		}
		for _, a := range allowed {
			if strings.EqualFold(a, v) {
				return nil
			}
		}
		return refused()
	}
	return nil
}

// zoneOf reads a session time zone: an offset, or UTC. Regions are refused, since their rules are not modelled.
func zoneOf(v string) (int16, error) {
	switch strings.ToUpper(v) {
	case "UTC", "GMT", "DBTIMEZONE", "LOCAL":
		return 0, nil
	}
	var h, m int
	if n, err := fmt.Sscanf(strings.TrimSpace(v), "%d:%d", &h, &m); err != nil || n != 2 {
		return 0, sqlerr.NotSupported("time zone %s", v)
	}
	if h < -15 || h > 15 || m < 0 || m > 59 {
		return 0, message.ORA(1874)
	}
	if strings.HasPrefix(strings.TrimSpace(v), "-") {
		m = -m
	}
	return int16(h*60 + m), nil
}
