package tns_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
	"github.com/dbsched/dbsched/sandbox/internal/wire/tns"
)

// Oracle's own thin client for Node. It runs where DBSCHED_TEST_NODE_MODULES names a
// directory with the package oracledb (npm install oracledb), which is not required.
func TestNodeOracledb(t *testing.T) {
	modules := os.Getenv("DBSCHED_TEST_NODE_MODULES")
	if modules == "" {
		t.Skip("DBSCHED_TEST_NODE_MODULES is not set")
	}
	at := value.NewTime(638_000_000_000_000_000, 0)
	clob := value.NewString(strings.Repeat("é", 70_000))
	e := &engine{do: func(s *session, req tns.Request, w *tns.ResponseWriter) {
		x, ok := req.(*tns.Execute)
		if !ok {
			return
		}
		switch word := strings.Fields(x.Statement.SQL)[1]; word {
		case "rows":
			r := &rows{}
			for i := range 200 {
				r.rows = append(r.rows, value.Row{value.NewInt(int64(i)), value.NewString(fmt.Sprint("s", i))})
			}
			must(w.Query(&tns.ResultSet{Columns: []tns.Column{number("N"), varchar("S")}, State: r}))
		case "types":
			must(w.Query(&tns.ResultSet{
				Columns: []tns.Column{
					column("N", tns.Type{ID: tns.Number, Precision: 10, Scale: 2}), column("D", tns.Type{ID: tns.Date}),
					column("TZ", tns.Type{ID: tns.TimestampTZ, Scale: 6}), column("R", tns.Type{ID: tns.Raw, Length: 10}),
					column("BD", tns.Type{ID: tns.BinaryDouble}),
					column("NV", tns.Type{ID: tns.Varchar2, Length: 40, National: true}), varchar("NULL"),
				},
				State: &rows{rows: []value.Row{{
					value.NewDecimal(125, 2), at, at, value.NewBytes([]byte{1, 2}), value.NewFloat(1.5),
					value.NewString("é€"), {},
				}}},
			}))
		case "clob":
			must(w.Query(&tns.ResultSet{Columns: []tns.Column{column("C", tns.Type{ID: tns.CLOB})}, State: &rows{rows: []value.Row{{clob}}}}))
		case "outs":
			must(w.Out([]tns.Direction{tns.DirIn, tns.DirOut, tns.DirOut}, value.Row{{}, value.NewInt(42), x.Iterations[0][0]}))
		case "cursor":
			set := &tns.ResultSet{Columns: []tns.Column{number("N")}, State: &rows{rows: []value.Row{{value.NewInt(1)}, {value.NewInt(2)}}}}
			must(w.Out([]tns.Direction{tns.DirOut}, value.Row{value.NewRef(set)}))
		case "alone":
			must(w.Returning([]tns.Direction{tns.DirOut}, [][]value.Value{{value.NewInt(7)}}))
		case "ret":
			w.Rows(2)
			must(w.Returning([]tns.Direction{tns.DirIn, tns.DirOut}, [][]value.Value{nil, {value.NewInt(5), value.NewInt(6)}}))
		case "bad":
			w.ErrorAt(sqlerr.New(942, "table or view does not exist"), 5)
		case "sleep":
			<-s.cancelled
		case "length":
			must(w.Out([]tns.Direction{tns.DirIn, tns.DirOut}, value.Row{{}, value.NewInt(int64(len(x.Iterations[0][0].Str())))}))
		default:
			w.Rows(int64(len(x.Iterations)))
		}
	}}
	for _, verifier := range []*tns.Verifier{tns.NewVerifier(password), tns.NewVerifier11g(password)} {
		e.verifier = func() *tns.Verifier { return verifier }
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, "node", "testdata/client.js")
		cmd.Env = append(os.Environ(), "NODE_PATH="+modules, "ADDRESS="+start(t, e, tns.Options{}), "PASSWORD="+password)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		e.sessions = nil
	}
}
