package mssql

import (
	"fmt"
	"iter"
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/plan"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

var _ plan.Env = (*Session)(nil)

// Txn implements plan.Env.
func (s *Session) Txn() *store.Txn { return s.tran.Tx }

// Kernel implements plan.Env.
func (s *Session) Kernel() *kernel.Kernel { return s.srv.k }

// Var implements plan.Env.
func (s *Session) Var(slot int) *value.Value { return &s.top().vars[slot] }

// TableVar implements plan.Env.
func (s *Session) TableVar(slot int) *catalog.Table {
	f := s.top()
	if f.tables[slot] == nil {
		f.tables[slot] = s.freshTable(f.code.variables[slot].table, f.code.variables[slot].name)
	}
	return f.tables[slot]
}

// Isolation implements plan.Env.
func (s *Session) Isolation() plan.Isolation { return s.tran.Level }

// VersionedReadCommitted implements plan.Env.
func (s *Session) VersionedReadCommitted() bool { return s.db.ReadCommittedSnapshot }

// StatementSnapshot implements plan.Env.
func (s *Session) StatementSnapshot() store.Snapshot {
	if s.tran.Statement == nil {
		snap := s.tran.Tx.Snapshot()
		s.tran.Statement = &snap
	}
	return *s.tran.Statement
}

// TransactionSnapshot implements plan.Env.
func (s *Session) TransactionSnapshot() store.Snapshot {
	if s.tran.Snapshot == nil {
		if !s.db.SnapshotIsolation {
			panic(message.MS(3952, s.db.Name))
		}
		if s.tran.OtherLevel {
			panic(message.MS(3951, s.db.Name))
		}
		snap := s.tran.Tx.Snapshot()
		s.tran.Snapshot = &snap
		s.tran.Tx.GuardWrites(snap) // a row that changed since then cannot be changed: 3960
	}
	return *s.tran.Snapshot
}

// CallScalar implements plan.Env.
func (s *Session) CallScalar(fn *catalog.Object, args []value.Value) (value.Value, error) {
	u := s.moduleUnit(fn)
	var err error
	nf := s.newFrame(u)
	copy(nf.vars, args)
	s.enterModule(nf, fn)
	depth := s.who.Depth()
	query.Check(s.who.PushModule(fn))
	home := s.db
	s.db = fn.DB
	err = s.invoke(nf, u.statements)
	s.db = home
	s.who.Cut(depth)
	return nf.scopeID, err
}

// returnValue records the result of a scalar function.
func (s *Session) returnValue(f *frame, v value.Value, t datatype.Type) {

	f.scopeID = query.Must(datatype.Convert(v, t, f.object.Module().Returns, datatype.NoStyle, datatype.Implicit))
}

// SystemRows implements plan.Env.
func (s *Session) SystemRows(view *catalog.Object) iter.Seq[value.Row] {
	v := view.Def.(*catalog.SystemView)
	db := view.Home
	if db == nil {
		db = s.top().db
	}
	tok, err := s.who.TokenIn(db)
	if err != nil {
		tok = s.token()
	}
	var access store.Access
	if s.tran.Level == plan.ReadUncommitted {
		access.Mode = store.Dirty
	}
	var temp []*catalog.Object
	if db.Name == "tempdb" {
		temp = s.temporaryTables(tok.Sysadmin)
	}
	if len(temp) > 0 && (strings.HasSuffix(view.Name, "_constraints") || strings.HasPrefix(view.Name, "foreign_key")) {
		panic(sqlerr.NotSupported("constraints of #tables in tempdb.sys.%s", view.Name))
	}
	return v.Rows(catalog.ViewContext{
		Temp: temp, Server: s.srv.catalog, Database: db, Token: tok, Now: s.srv.k.Now(), Session: s,
		Txn: s.tran.Tx, Access: access, Fail: func(err error) { panic(s.asSQLError(err)) },
	})
}

// temporaryTables are the session's #tables, or those of all sessions, as tempdb shows them: their names are padded and end in a number
// (learn.microsoft.com, "CREATE TABLE (Transact-SQL)", temporary tables).
func (s *Session) temporaryTables(all bool) (list []*catalog.Object) {
	s.srv.sessions.Scan(func(_ int, other *Session) bool {
		for _, o := range other.tmp.All() {
			if other == s || all {
				named := *o
				named.Name = fmt.Sprintf("%s%s%012X", o.Name, strings.Repeat("_", max(0, 116-charset.Len16(o.Name))), -o.ID)
				list = append(list, &named)
			}
		}
		return true
	})
	return list
}

// QueueRows implements plan.Env.
func (s *Session) QueueRows(queue *catalog.Object) ([]value.Row, error) {
	return s.queueRows(queue), nil
}

// NextIdentity implements plan.Env.
func (s *Session) NextIdentity(t *catalog.Table) (value.Value, error) {
	c := t.Columns[t.Identity]
	v, err := datatype.Convert(value.NewInt(c.Identity.Next()), datatype.Type{ID: datatype.BigInt}, c.Type, datatype.NoStyle, datatype.Implicit)
	if err != nil {
		return v, message.MS(8115, "IDENTITY", c.Type)
	}
	return v, nil
}

// SawIdentity implements plan.Env.
func (s *Session) SawIdentity(t *catalog.Table, v value.Value) {
	n, err := datatype.Convert(v, t.Columns[t.Identity].Type, datatype.Type{ID: datatype.BigInt}, datatype.NoStyle, datatype.Explicit)
	if err == nil {
		t.Columns[t.Identity].Identity.Saw(n.Int64())
	}
}

// SetScopeIdentity implements plan.Env.
func (s *Session) SetScopeIdentity(v value.Value) {
	s.identity = v
	s.top().scopeID = v
}

// IdentityInsert implements plan.Env.
func (s *Session) IdentityInsert(t *catalog.Object) bool {
	return s.identityOn != nil && s.identityOn.ID == t.ID && s.identityOn.DB == t.DB
}

// Warn implements plan.Env.
func (s *Session) Warn(e *sqlerr.Error) {
	if len(s.warnings) == 0 || s.warnings[len(s.warnings)-1].Number != e.Number { // once per statement
		s.warnings = append(s.warnings, e)
	}
}

// RowCount implements plan.Env.
func (s *Session) RowCount() int64 { return s.set.RowCount }

// CreateTable implements plan.Env.
func (s *Session) CreateTable(name *ast.SchemaObjectName, columns []catalog.Column) (*catalog.Object, error) {
	return s.createTableInto(name, columns), nil
}

// left is an access to a table that leaves something open.
type left struct {
	unit, table *catalog.Object
	line        int // 0: of a view or an inline function
	open        plan.Open
}

// LeftOpen implements plan.Env. What a batch leaves open is its client's affair.
func (s *Session) LeftOpen(table, within *catalog.Object, o plan.Open) {
	if f := s.top(); within != nil {
		s.srv.left[left{within, table, 0, o}] = true
	} else if f.object != nil {
		s.srv.left[left{f.object, table, f.line, o}] = true
	}
}

// Left visits what accesses to tables left open so far.
func (srv *Server) Left(visit func(schema, unit string, line int, table string, open plan.Open)) {
	for l := range srv.left {
		visit(l.unit.Schema, l.unit.Name, l.line, l.table.Name, l.open)
	}
}
