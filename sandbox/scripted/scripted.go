// Package scripted serves Oracle's protocol for tests of clients: a test says what to answer.
package scripted

import (
	"context"
	"net"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
	"github.com/dbsched/dbsched/sandbox/internal/wire/tns"
)

// Start serves answers on a new port; nil: every statement succeeds. The password of every user is hush.
func Start(answers func(Sent) Answer) (*Server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	e := &Server{Address: listener.Addr().String(), answer: answers, stop: func() {
		cancel()
		<-done
	}}
	go func() { done <- tns.Serve(ctx, listener, e, tns.Options{}) }()
	return e, nil
}

// Server is a server that speaks Oracle's protocol and knows no SQL: a test says what it
// answers. The traffic on the wire is the real driver's.
type Server struct {
	Address string

	answer func(Sent) Answer
	stop   func()

	mu  sync.Mutex
	log []Sent
}

// Sent is one request.
type Sent struct {
	SQL  string         // or commit, rollback
	In   map[string]any // values of IN bind variables; clob: the name of a CLOB variable
	Auto bool           // the driver asked to commit
}

// Answer is the result of a statement.
type Answer struct {
	Out    map[string]any // values of OUT bind variables, whose names begin with out_
	Rows   [][]any
	Number int    // number of an error; 0: none
	Text   string // text of that error, without its number
	Stuck  bool   // the statement hangs until it is canceled
}

// Banner implements tns.Engine.
func (e *Server) Banner() tns.Banner {
	return tns.Banner{Product: "scripted", Release: [5]uint8{19}, DBName: "X"}
}

// Serves implements tns.Engine.
func (e *Server) Serves(string) bool { return true }

// Verifier implements tns.Engine.
func (e *Server) Verifier(user string) *tns.Verifier { return verifier() }

// Login implements tns.Engine.
func (e *Server) Login(context.Context, tns.Login) (tns.Session, error) {
	return session{e}, nil
}

var verifier = sync.OnceValue(func() *tns.Verifier { return tns.NewVerifier11g("hush") })

type session struct{ *Server }

func (session) Environment() tns.Environment {
	return tns.Environment{SID: 1, Serial: 2, Language: "AMERICAN", Territory: "AMERICA"}
}
func (session) Cancel() {}
func (session) Close()  {}

// Do logs a request and answers it.
func (s session) Do(req tns.Request, w *tns.ResponseWriter) {
	switch r := req.(type) {
	case *tns.Commit:
		s.record(Sent{SQL: "commit"})
	case *tns.Rollback:
		s.record(Sent{SQL: "rollback"})
	case *tns.Fetch:
		all := r.Result.State.([]value.Row)
		for _, row := range all[:min(r.Max, len(all))] {
			_ = w.Row(row)
		}
		if r.Result.State = all[min(r.Max, len(all)):]; len(all) <= r.Max {
			w.EndOfData()
		}
	case *tns.Execute:
		if strings.HasPrefix(r.Statement.SQL, "ALTER SESSION SET NLS_LANGUAGE") {
			return // a request made while connecting
		}
		if r.Statement.SQL == "SELECT SYSTIMESTAMP FROM DUAL" {
			respond(w, Answer{Rows: [][]any{{time.Unix(0, 0)}}}, nil)
			return
		}
		c, names := decode(r)
		respond(w, s.record(c), names)
	}
}

// Log returns what was sent so far.
func (e *Server) Log() []Sent {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.log)
}

// Close ends the server.
func (e *Server) Close() { e.stop() }

func (e *Server) record(c Sent) Answer {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.log = append(e.log, c)
	if e.answer == nil {
		return Answer{}
	}
	return e.answer(c)
}

var placeholder = regexp.MustCompile(`:([a-z0-9]\w*)`)

func decode(r *tns.Execute) (Sent, []string) {
	c := Sent{SQL: r.Statement.SQL, In: map[string]any{}, Auto: r.AutoCommit}
	var names []string
	for i := range r.Binds {
		name := placeholder.FindAllStringSubmatch(c.SQL, -1)[i][1]
		names = append(names, name)
		v := r.Iterations[0][i]
		switch {
		case strings.HasPrefix(name, "out_"):
		case r.Binds[i].Type.ID == tns.Number:
			c.In[name] = v.Int64()
		case r.Binds[i].Type.ID == tns.TimestampTZ:
			c.In[name] = time.Unix(v.N/1e7-62_135_596_800, v.N%1e7*100).UTC()
		default:
			c.In[name] = v.Str()
		}
		if r.Binds[i].Type.ID == tns.CLOB {
			c.In["clob"] = name
		}
	}
	return c, names
}

func respond(w *tns.ResponseWriter, a Answer, names []string) {
	switch {
	case a.Stuck:
		<-w.Context().Done()
	case a.Number != 0:
		w.Error(sqlerr.New(int32(a.Number), "%s", a.Text))
	case a.Rows != nil:
		var list []value.Row
		for _, row := range a.Rows {
			var values value.Row
			for _, v := range row {
				values = append(values, encode(v))
			}
			list = append(list, values)
		}
		set := &tns.ResultSet{State: list}
		for i := range max(1, len(append(a.Rows, nil)[0])) {
			set.Columns = append(set.Columns, tns.Column{Name: "C", Nullable: true, Type: columnType(a.Rows, i)})
		}
		_ = w.Query(set)
	case len(names) > 0:
		use, values := make([]tns.Direction, len(names)), make(value.Row, len(names))
		for i, name := range names {
			use[i] = tns.DirIn
			if strings.HasPrefix(name, "out_") {
				use[i], values[i] = tns.DirOut, encode(a.Out[name])
			}
		}
		if strings.Contains(strings.Join(names, " "), "out_") {
			_ = w.Out(use, values)
		}
	}
}

func encode(v any) value.Value {
	switch v := v.(type) {
	case int:
		return value.NewInt(int64(v))
	case string:
		return value.NewString(v)
	case time.Time:
		return value.NewTime((v.Unix()+62_135_596_800)*1e7+int64(v.Nanosecond())/100, 0)
	}
	return value.Value{}
}

func columnType(rows [][]any, i int) tns.Type {
	for _, row := range rows {
		switch row[i].(type) {
		case int:
			return tns.Type{ID: tns.Number, Scale: -127}
		case time.Time:
			return tns.Type{ID: tns.TimestampTZ, Scale: 6}
		case string:
			return tns.Type{ID: tns.Varchar2, Length: 4000}
		}
	}
	return tns.Type{ID: tns.Varchar2, Length: 4000}
}
