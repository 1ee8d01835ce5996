// Package ddl executes the statements that define things: tables, indexes, sequences, views, synonyms, users, roles
// and privileges. Whoever calls Execute has committed before, and commits after it if there was no error: nothing of a
// statement that fails is left, because the catalogue changes only when nothing can fail any more, and what was
// written to the store is undone with the transaction.
//
// A statement that changes a table has its exclusive lock (ORA-00054 if others hold one for longer than
// DDL_LOCK_TIMEOUT). Options without a meaning that the sandbox could show (storage, logging, parallelism) are listed
// and accepted; all others are refused.
//
// Sources: Database SQL Language Reference 19c, one chapter for each statement; Database Error Messages 19c.
package ddl

import (
	"errors"
	"time"

	"github.com/dbsched/dbsched/sandbox/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/sqlerr"
	"github.com/dbsched/dbsched/sandbox/store"
)

// Session is what DDL asks of the session that runs a statement. Its Txn is a new transaction.
type Session interface {
	plan.Env
	// Catalog is the data dictionary.
	Catalog() *catalog.Catalog
	// Rights are whose privileges count, with roles or without.
	Rights() catalog.Rights
	// Schema is where names without a schema are.
	Schema() string
	// Scope is where the query of a view, a default, a CHECK or a virtual column is compiled: its owner's rights and
	// schema.
	Scope(r catalog.Rights, schema string) plan.Scope
	// LockTimeout is DDL_LOCK_TIMEOUT.
	LockTimeout() time.Duration
	// TemporaryInUse reports whether any session has rows in a temporary table.
	TemporaryInUse(t *catalog.Table) bool
	// ClearTemporary deletes the session's own rows of a temporary table: TRUNCATE.
	ClearTemporary(t *catalog.Table)
	// Verifier makes of a user's password what log-ins are checked against. Errors: ORA-00988 and the like.
	Verifier(user, password string) (any, error)
	// Connected reports whether a user has sessions: it cannot be dropped (ORA-01940).
	Connected(user string) bool
	// Drop lets the owner of a queue, job or other external object refuse or do its part when an object or a schema
	// with it is dropped. It is called before the catalogue forgets the object.
	Drop(o *catalog.Object) error
}

// Execute runs a DDL statement. Errors: Oracle's, and a refusal for what is not one of this package's statements.
func Execute(s Session, st ast.Statement) error {
	x := &run{Session: s, cat: s.Catalog(), rights: s.Rights()}
	_ = x.lock
	switch n := st.(type) {
	default:
		return sqlerr.NotSupported("%T", n)
	}
}

// run is the execution of one statement.
type run struct {
	Session
	cat    *catalog.Catalog
	rights catalog.Rights
}

// NewRows makes the empty rows of a table, with its indexes: those of one session of a temporary table.
func NewRows(st *store.Store, tx *store.Txn, t *catalog.Table) (*store.Table, map[*catalog.Index]*store.Index, error) {
	data := st.NewTable(store.TableSpec{Name: "temporary"})
	indexes := map[*catalog.Index]*store.Index{}
	for _, x := range t.Indexes {
		ix, err := data.AddIndex(tx, t.IndexSpec(x))
		if err != nil {
			return nil, nil, err
		}
		indexes[x] = ix
	}
	return data, indexes, nil
}

// lock takes the exclusive lock of a table that is to be changed. Errors: ORA-00054, ORA-14452.
func (x *run) lock(t *catalog.Table) error {
	if t.Temporary && x.TemporaryInUse(t) {
		return sqlerr.New(14452, "attempt to create, alter or drop an index on temporary table already in use")
	}
	tx := x.Txn()
	err := tx.Store().Lock(tx.Owner(), t.Data.Resource(), store.X, store.LockWait{For: x.LockTimeout(), Demand: true})
	var timeout *store.LockTimeout
	if errors.As(err, &timeout) {
		return sqlerr.New(54, "resource busy and acquire with NOWAIT specified or timeout expired")
	}
	return err
}
