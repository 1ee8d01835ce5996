// Package ddl executes the statements that define things: tables, indexes, sequences, views, synonyms, users, roles
// and privileges. The caller of Execute commits before it, and after it if there was no error: nothing of a failed
// statement remains, because the catalog changes only when nothing can fail anymore, and what was
// written to the store is undone with the transaction.
//
// A statement that changes a table holds its exclusive lock (ORA-00054 if others hold one for longer than
// DDL_LOCK_TIMEOUT). Options without an effect in the sandbox (storage, logging, parallelism) are listed
// and accepted; all others are refused.
//
// Sources: Database SQL Language Reference 19c, one chapter for each statement; Database Error Messages 19c.
package ddl

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// Session is what DDL needs from the session that runs a statement. Its Txn is a new transaction.
type Session interface {
	plan.Env
	// Catalog is the data dictionary.
	Catalog() *catalog.Catalog
	// Rights says whose privileges count, with or without roles.
	Rights() catalog.Rights
	// Schema is the schema of unqualified names.
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
	// Verifier turns a user's password into what logins are checked against. Errors: ORA-00988 and the like.
	Verifier(user, password string) (any, error)
	// Connected reports whether a user has sessions: it cannot be dropped (ORA-01940).
	Connected(user string) bool
	// DropOwner removes what other packages keep for a user who is being dropped: queues, jobs. The catalog does not know
	// about the drop yet.
	DropOwner(owner string) error
}

// Execute runs a DDL statement. Errors: Oracle's, and a refusal of anything that is not one of this package's statements.
func Execute(s Session, st ast.Statement) error {
	x := &run{Session: s, cat: s.Catalog(), rights: s.Rights()}
	return query.Catch(func() error {
		x.execute(st)
		return nil
	})
}

func (x *run) execute(st ast.Statement) {
	switch n := st.(type) {
	case *ast.CreateTable:
		query.Check(x.createTable(n))
	case *ast.AlterTable:
		x.alterTable(n)
	case *ast.CreateIndex:
		x.createIndex(n)
	case *ast.AlterIndex:
		x.alterIndex(n)
	case *ast.CreateSequence:
		x.createSequence(n)
	case *ast.CreateView:
		query.Check(x.createView(n))
	case *ast.CreateSynonym:
		x.createSynonym(n)
	case *ast.Drop:
		x.drop(n)
	case *ast.Grant:
		x.grant(n)
	case *ast.CreateUser:
		if n.Alter {
			x.alterUser(n)
		} else {
			x.createUser(n)
		}
	case *ast.CreateRole:
		x.createRole(n)
	case *ast.Comment:
		x.comment(n)
	case *ast.Truncate:
		query.Check(x.truncate(n))
	default:
		panic(sqlerr.NotSupported("%T", st))
	}
}

// run is the execution of one statement.
type run struct {
	Session
	cat    *catalog.Catalog
	rights catalog.Rights
}

// NewRows makes an empty store table with its indexes: one session's rows of a temporary table.
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

// lock takes the exclusive lock of a table to be changed. Errors: ORA-00054, ORA-14452.
func (x *run) lock(t *catalog.Table) error {
	if t.Temporary && x.TemporaryInUse(t) {
		return message.ORA(14452)
	}
	tx := x.Txn()
	err := tx.Store().Lock(tx.Owner(), t.Data.Resource(), store.X, store.LockWait{For: x.LockTimeout(), Demand: true})
	var timeout *store.LockTimeout
	if errors.As(err, &timeout) {
		return message.ORA(54)
	}
	return err
}

// target returns the schema and name of the object to create, and checks the right to create it: privilege is CREATE TABLE and
// the like; in another schema it is CREATE ANY TABLE. Errors: ORA-01031, ORA-01918.
func (x *run) target(ref *ast.Ref, privilege string) (owner, name string, err error) {
	owner, name = x.Schema(), ref.Parts[0].Text
	switch len(ref.Parts) {
	case 1:
	case 2:
		owner, name = name, ref.Parts[1].Text
	default:
		return "", "", message.ORA(903)
	}
	if x.cat.User(owner) == nil {
		return "", "", message.ORA(1918, owner)
	}
	elsewhere := strings.Replace(privilege, "CREATE ", "CREATE ANY ", 1)
	if x.cat.Has(x.rights, elsewhere) || owner == x.rights.User && x.cat.Has(x.rights, privilege) {
		if owner == catalog.Sys && x.rights.User != catalog.Sys {
			return "", "", catalog.ErrPrivileges()
		}
		x.reserve("object", owner, name)
		return owner, name, nil
	}
	return "", "", catalog.ErrPrivileges()
}

// reserve makes others who want to create something with the same name wait until this statement has succeeded or failed.
func (x *run) reserve(space, owner, name string) {
	tx := x.Txn()
	r := store.Resource{Class: store.Metadata, Key: space + " " + owner + "." + name}
	query.Check(tx.Store().Lock(tx.Owner(), r, store.X, tx.Session().Wait()))
}

// table finds a table with its own rows that is to be changed. privilege is the object privilege: ALTER, INDEX, DROP.
// Errors: ORA-00942, ORA-01031.
func (x *run) table(ref *ast.Ref, privilege string) (*catalog.Object, *catalog.Table) {
	o := x.cat.ResolveIn(x.rights, x.Schema(), ref, ast.KindTable)
	if o == nil {
		panic(catalog.ErrNoTable())
	}
	t, ok := o.Def.(*catalog.Table)
	if !ok {
		panic(catalog.ErrNoTable())
	}
	if !x.cat.Allowed(x.rights, privilege, o) {
		panic(catalog.ErrPrivileges())
	}
	return o, t
}

// owned returns the rights with which a stored definition of a schema is compiled: roles do not count.
func owned(schema string) catalog.Rights { return catalog.Rights{User: schema} }

// collector records what a definition depends on.
type collector struct {
	plan.Scope
	uses []*catalog.Object
}

func (x *run) collector(owner string) *collector {
	return &collector{Scope: x.Scope(owned(owner), owner)}
}

// Uses implements plan.Scope.
func (c *collector) Uses(o *catalog.Object) {
	if !slices.Contains(c.uses, o) {
		c.uses = append(c.uses, o)
	}
}

// Within implements plan.OwnerScope: what a used view is made of is not a dependency of the definition itself.
func (c *collector) Within(owner string) plan.Scope {
	if o, ok := c.Scope.(plan.OwnerScope); ok {
		return o.Within(owner)
	}
	return c
}

func invalidIdentifier(name string) *sqlerr.Error {
	return message.ORA(904, fmt.Sprintf("\"%s\"", name))
}
