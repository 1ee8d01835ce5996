// Package settings holds the formats, time zone and linguistic comparison that ALTER SESSION sets.
package settings

import (
	"slices"
	"strings"
	"unicode"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// NLS are the session's formats and time zone. Language AMERICAN, territory AMERICA, calendar GREGORIAN, the sorts BINARY and BINARY_CI,
// the latter with linguistic comparison, and byte lengths are the only ones that the sandbox models.
type NLS struct {
	date, timestamp, timestampTZ string
	numeric                      string
	Zone                         datatype.Zone
	linguistic, CI               bool // NLS_COMP = LINGUISTIC, NLS_SORT = BINARY_CI

	envs [2]*datatype.Env // the last ones, of SQL and of PL/SQL
}

// Default returns those of a new session.
func Default() NLS {
	e := datatype.NewEnv(0)
	return NLS{date: e.DateFormat, timestamp: e.TimestampFormat, timestampTZ: e.TimestampTZFormat}
}

// Env returns the environment of conversions at an instant, in ticks.
func (n *NLS) Env(plsql bool, now int64) *datatype.Env {
	e := &n.envs[0]
	if plsql {
		e = &n.envs[1]
	}
	if now = n.Zone.Local(now); *e == nil || (*e).Now != now {
		*e = &datatype.Env{
			PLSQL: plsql, Now: now, Zone: n.Zone,
			DateFormat: n.date, TimestampFormat: n.timestamp, TimestampTZFormat: n.timestampTZ, Numeric: n.numeric,
		}
	}
	return *e
}

// only lists the settings whose only modeled value may be set again.
var only = map[string][]string{
	"NLS_LANGUAGE": {"AMERICAN"}, "NLS_DATE_LANGUAGE": {"AMERICAN"}, "NLS_TERRITORY": {"AMERICA"}, "NLS_CALENDAR": {"GREGORIAN"},
	"NLS_LENGTH_SEMANTICS": {"BYTE"},
	"NLS_NCHAR_CONV_EXCP":  {"FALSE"}, "NLS_CURRENCY": {"$"}, "NLS_ISO_CURRENCY": {"AMERICA"}, "PLSQL_CODE_TYPE": {"INTERPRETED"},
	"OPTIMIZER_MODE": {"ALL_ROWS"}, "CURSOR_SHARING": {"EXACT"}, "COMMIT_LOGGING": {"IMMEDIATE"}, "COMMIT_WAIT": {"WAIT"},
	"ERROR_ON_OVERLAP_TIME": {"FALSE"}, "PLSQL_WARNINGS": {"DISABLE:ALL"},
}

// Text returns a setting's value as text: a literal, or words, which may be quoted.
func Text(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.String:
		return x.Value
	case *ast.Number:
		return x.Text
	case *ast.Ref:
		return x.String()
	case *ast.Unary:
		return string(x.Op) + Text(x.X)
	}
	return ""
}

// Parameters are the rows of NLS_SESSION_PARAMETERS.
func (n *NLS) Parameters() [][2]string {
	pick := func(is bool, yes, no string) string {
		if is {
			return yes
		}
		return no
	}
	return [][2]string{
		{"NLS_LANGUAGE", "AMERICAN"}, {"NLS_TERRITORY", "AMERICA"}, {"NLS_CURRENCY", "$"}, {"NLS_ISO_CURRENCY", "AMERICA"}, {"NLS_NUMERIC_CHARACTERS", pick(n.numeric == "", ".,", n.numeric)},
		{"NLS_CALENDAR", "GREGORIAN"}, {"NLS_DATE_FORMAT", n.date}, {"NLS_DATE_LANGUAGE", "AMERICAN"}, {"NLS_SORT", pick(n.CI, "BINARY_CI", "BINARY")},
		{"NLS_TIME_FORMAT", "HH.MI.SSXFF AM"}, {"NLS_TIMESTAMP_FORMAT", n.timestamp}, {"NLS_TIME_TZ_FORMAT", "HH.MI.SSXFF AM TZR"}, {"NLS_TIMESTAMP_TZ_FORMAT", n.timestampTZ},
		{"NLS_COMP", pick(n.linguistic, "LINGUISTIC", "BINARY")}, {"NLS_LENGTH_SEMANTICS", "BYTE"}, {"NLS_NCHAR_CONV_EXCP", "FALSE"},
	}
}

// Set implements ALTER SESSION SET for formats and for settings with only one value (SQL Language Reference, "ALTER SESSION").
func (n *NLS) Set(name, v string) error {
	n.envs = [2]*datatype.Env{}
	refused := func() error { return sqlerr.NotSupported("ALTER SESSION SET %s = %s", name, v) }
	switch name {
	case "NLS_DATE_FORMAT", "NLS_TIMESTAMP_FORMAT", "NLS_TIMESTAMP_TZ_FORMAT":
		if v == "" {
			return message.ORA(2248)
		}
		if _, err := datatype.FormatDate(value.Value{N: 1}, datatype.Timestamps(datatype.TimestampTZ, 9), v, datatype.NewEnv(0)); err != nil {
			return err
		}
		*map[string]*string{"NLS_DATE_FORMAT": &n.date, "NLS_TIMESTAMP_FORMAT": &n.timestamp, "NLS_TIMESTAMP_TZ_FORMAT": &n.timestampTZ}[name] = v
	case "NLS_COMP", "NLS_SORT":
		next := *n
		switch name + " " + strings.ToUpper(v) {
		case "NLS_COMP BINARY", "NLS_COMP LINGUISTIC":
			next.linguistic = strings.EqualFold(v, "LINGUISTIC")
		case "NLS_SORT BINARY", "NLS_SORT BINARY_CI":
			next.CI = strings.EqualFold(v, "BINARY_CI")
		default:
			return refused()
		}
		if next.CI && !next.linguistic { // only ORDER BY would use it
			return refused()
		}
		*n = next
	case "NLS_NUMERIC_CHARACTERS": // Database Reference: two different single-byte characters, not digits, none of these
		if len(v) != 2 || v[0] == v[1] || strings.ContainsAny(v, "0123456789+-<>") || v[0]|v[1] > unicode.MaxASCII {
			return message.ORA(12705)
		}
		n.numeric = strings.TrimPrefix(v, ".,")
	case "TIME_ZONE":
		if strings.EqualFold(v, "DBTIMEZONE") || strings.EqualFold(v, "LOCAL") {
			v = "+00:00"
		}
		zone, err := datatype.ParseZone(v)
		if err != nil {
			return err
		}
		n.Zone = zone
	default:
		allowed, known := only[name]
		if !known {
			return refused()
		}
		if !slices.ContainsFunc(allowed, func(a string) bool { return strings.EqualFold(a, v) }) {
			return refused()
		}
	}
	return nil
}
