package datatype

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// testEnv is SQL on 2026-11-20 in UTC+1; testPL the same in PL/SQL.
var (
	testEnv = func() *Env {
		e := NewEnv(DaysOf(2026, 11, 20)*TicksPerDay + 15*TicksPerHour)
		e.Zone = Zone{Offset: 60}
		return e
	}()
	testPL = func() *Env { e := *testEnv; e.PLSQL = true; return &e }()
)

// number returns the number of an error, 0 for none.
func number(t *testing.T, err error) int32 {
	t.Helper()
	if err == nil {
		return 0
	}
	var e *sqlerr.Error
	require.True(t, errors.As(err, &e), "%v", err)
	return e.Number
}

func messageOf(t *testing.T, err error) string {
	t.Helper()
	var e *sqlerr.Error
	require.True(t, errors.As(err, &e), "%v", err)
	return e.Text
}

func num(t *testing.T, s string) value.Value {
	t.Helper()
	v, ok := ParseNumber(s)
	require.True(t, ok, s)
	return v
}

func show(t *testing.T, v value.Value, ty Type) string {
	t.Helper()
	if v.IsNull() {
		return "NULL"
	}
	e := *testEnv
	e.DateFormat, e.TimestampFormat, e.TimestampTZFormat = "YYYY-MM-DD HH24:MI:SS", "YYYY-MM-DD HH24:MI:SS.FF", "YYYY-MM-DD HH24:MI:SS.FF TZH:TZM"
	s, err := Text(v, ty, &e)
	require.NoError(t, err)
	return s
}
