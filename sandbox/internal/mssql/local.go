package mssql

import (
	"errors"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/plan"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/transaction"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// ResultSet is a result set with all its rows.
type ResultSet struct {
	Columns []plan.Column
	Rows    []value.Row
}

// Recorder is a Sink that keeps everything: the client of an in-process session.
type Recorder struct {
	Sets     []ResultSet
	Errors   []*sqlerr.Error
	Messages []*sqlerr.Error // PRINT and RAISERROR up to severity 10
	Counts   []int64         // rows affected, one for each statement that counts
	Finished bool
}

var _ Sink = (*Recorder)(nil)

// Columns implements Sink.
func (r *Recorder) Columns(cols []plan.Column) { r.Sets = append(r.Sets, ResultSet{Columns: cols}) }

// Row implements Sink.
func (r *Recorder) Row(row value.Row) {
	set := &r.Sets[len(r.Sets)-1]
	set.Rows = append(set.Rows, append(value.Row(nil), row...))
}

// Done implements Sink.
func (r *Recorder) Done(d Done) {
	if d.Counted {
		r.Counts = append(r.Counts, d.Rows)
	}
}

// Error implements Sink.
func (r *Recorder) Error(e *sqlerr.Error) { r.Errors = append(r.Errors, e) }

// Info implements Sink.
func (r *Recorder) Info(e *sqlerr.Error) { r.Messages = append(r.Messages, e) }

// Flush implements Sink.
func (r *Recorder) Flush() {}

// ReturnStatus implements Sink.
func (r *Recorder) ReturnStatus(int32) {}

// ReturnValue implements Sink.
func (r *Recorder) ReturnValue(string, int, datatype.Type, value.Value) {}

// Database implements Sink.
func (r *Recorder) Database(string, string) {}

// Transaction implements Sink.
func (r *Recorder) Transaction(transaction.Event, int64) {}

// Err joins the errors that were sent to the client.
func (r *Recorder) Err() error {
	errs := make([]error, len(r.Errors))
	for i, e := range r.Errors {
		errs[i] = e
	}
	return errors.Join(errs...)
}

// Begin submits a batch without waiting for its end.
func (s *Session) Begin(text string) *Recorder {
	r := &Recorder{}
	s.Submit(r, func(s *Session) { s.RunBatch(text) }, func() { r.Finished = true })
	return r
}

// Exec runs a batch to its end on a simulated kernel; kernel.ErrStuck when it never ends.
func (s *Session) Exec(text string) (*Recorder, error) {
	r := s.Begin(text)
	if err := s.srv.k.RunUntil(func() bool { return r.Finished }); err != nil {
		return r, err
	}
	return r, r.Err()
}

// Tables visits the user tables of all databases; column returns a column's place in a row, or -1.
func (srv *Server) Tables(visit func(schema, name string, data *store.Table, column func(name string) int)) {
	for _, db := range srv.catalog.Databases() {
		for _, o := range db.Objects() {
			if t := o.Table(); o.Kind == catalog.UserTable && t.Data != nil {
				visit(db.Name+"."+o.Schema, o.Name, t.Data, func(name string) int { return t.Column(db.Collation, name) })
			}
		}
	}
}

// Cover starts recording which statements are executed.
func (srv *Server) Cover() { srv.ran = map[any][2]string{} }

// Executed visits the statements that have been executed since Cover, also those of modules that are gone, with the line in the text of
// their module or, without a unit, of their batch. Line 0 is a view or an inline function that one of them used.
func (srv *Server) Executed(visit func(unit, text string, line int)) {
	for key, in := range srv.ran {
		line := 0
		if at, ok := key.(interface{ Frag() *ast.Fragment }); ok {
			line = at.Frag().StartLine
		}
		visit(in[0], in[1], line)
	}
}

// Statements visits the statements of a schema's modules, or of all, with the module's name and text, and whether each has been executed
// since Cover.
func (srv *Server) Statements(schema string, visit func(unit, text string, line, column int, ran bool)) {
	for _, db := range srv.catalog.Databases() {
		for _, o := range db.Objects() {
			m := o.Module()
			if m == nil || m.Body == nil || db.Name == "msdb" || schema != "" && (db.Name != srv.opts.Database || db.SchemaByID(o.SchemaID) != db.SchemaByName(schema)) {
				continue
			}
			eachStatement(m.Body.Statements, func(st ast.Statement) {
				at := st.(interface{ Frag() *ast.Fragment }).Frag()
				_, ran := srv.ran[st]
				visit(o.Name, m.Text, at.StartLine, at.StartColumn, ran)
			})
		}
	}
}
