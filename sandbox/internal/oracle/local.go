package oracle

import (
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plsql"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Result is the result of a statement in an in-process session.
type Result struct {
	Rows     []value.Row
	Err      error
	Finished bool
}

// Begin submits a statement without waiting for its end. The client commits nothing by itself.
func (s *Session) Begin(text string) *Result {
	r := &Result{}
	s.Submit(func(s *Session) { r.Rows, r.Err = s.rows(text) }, func() { r.Finished = true })
	return r
}

// rows runs a statement and fetches everything it returns.
func (s *Session) rows(text string) (rows []value.Row, err error) {
	c, err := s.Execute(text, nil)
	if err != nil || c.Rows == nil {
		return nil, err
	}
	defer c.Rows.Close()
	for {
		row, ok, err := s.Fetch(c.Rows)
		if err != nil || !ok {
			return rows, err
		}
		rows = append(rows, append(value.Row(nil), row...))
	}
}

// EachSession calls fn with the id and the task of every session.
func (srv *Server) EachSession(fn func(id int, t *kernel.Task)) {
	srv.sessions.Scan(func(id int, s *Session) bool { fn(id, s.task); return true })
}

// Tables visits the tables of all owners; column returns a column's place in a row, or -1.
func (srv *Server) Tables(visit func(schema, name string, data *store.Table, column func(name string) int)) {
	for o := range srv.catalog.Objects("") {
		if t, ok := o.Def.(*catalog.Table); ok {
			visit(o.Owner, o.Name, t.Data, t.Column)
		}
	}
}

// Cover starts recording which statements are executed.
func (srv *Server) Cover() {
	srv.covered = map[[2]string][]plsql.Statement{}
	srv.units("", func(o *catalog.Object, st plsql.Statement) {
		*st.Ran = false
		srv.covers(o.Name, o.Def.(*catalog.Unit).Source, []plsql.Statement{st})
	})
}

// covers records which statements there are.
func (srv *Server) covers(unit, text string, list []plsql.Statement) {
	if srv.covered != nil {
		srv.covered[[2]string{unit, text}] = append(srv.covered[[2]string{unit, text}], list...)
	}
}

// views records the views among what a statement depends on.
func (srv *Server) views(uses []*catalog.Object) {
	for _, o := range uses {
		if _, ok := o.Def.(*catalog.View); ok && srv.covered != nil {
			ran := true
			srv.covered[[2]string{o.Name, ""}] = []plsql.Statement{{Ran: &ran}}
			srv.views(o.Uses)
		}
	}
}

// Executed visits the statements that have been executed since Cover, also those of units that are gone or were replaced, with the line
// in the text of their unit, from the first word after CREATE, or, without a unit, of their block. Line 0 is a
// view that one of them used.
func (srv *Server) Executed(visit func(unit, text string, line int)) {
	for in, list := range srv.covered {
		for _, st := range list {
			if *st.Ran {
				visit(in[0], in[1], st.At.Line)
			}
		}
	}
}

// Statements visits the statements of an owner's units, or of all, each with its unit and subprogram, the unit's text, and whether it has
// been executed since Cover.
func (srv *Server) Statements(owner string, visit func(unit, text string, line, column int, ran bool)) {
	srv.units(owner, func(o *catalog.Object, st plsql.Statement) {
		visit(strings.TrimSuffix(o.Name+"."+st.In, "."), o.Def.(*catalog.Unit).Source, st.At.Line, st.At.Column, *st.Ran)
	})
}

// Left visits what statements of stored units have left open, as they do.
func (srv *Server) Left(visit func(schema, unit string, line int, unsafe, endless bool)) {
	srv.units("", func(o *catalog.Object, st plsql.Statement) {
		if *st.Ran && (st.Unsafe || st.Endless) {
			visit(o.Owner, o.Name, st.At.Line, st.Unsafe, st.Endless)
		}
	})
}

func (srv *Server) units(owner string, visit func(o *catalog.Object, st plsql.Statement)) {
	for o := range srv.catalog.Objects(owner) {
		if def, ok := o.Def.(*catalog.Unit); ok && def.Compiled != nil {
			for _, st := range def.Compiled.(*plsql.Unit).Statements {
				visit(o, st)
			}
		}
	}
}
