package catalog_test

import (
	"testing"
	"time"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/broker"
	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// undoLog is as much of a transaction as the catalog needs.
type undoLog struct {
	undo   []func()
	commit []func()
}

func (u *undoLog) Undo(fn func())     { u.undo = append(u.undo, fn) }
func (u *undoLog) OnCommit(fn func()) { u.commit = append(u.commit, fn) }

func (u *undoLog) rollback() {
	for i := len(u.undo) - 1; i >= 0; i-- {
		u.undo[i]()
	}
	u.undo, u.commit = nil, nil
}

func (u *undoLog) commitNow() {
	for _, fn := range u.commit {
		fn()
	}
	u.undo, u.commit = nil, nil
}

func newServer(t *testing.T) (*catalog.Server, *catalog.Database, *store.Store) {
	t.Helper()
	k := kernel.New(kernel.Options{})
	st := store.New(k, store.Options{})
	s := catalog.NewServer("TEST", 16, datatype.CIAS, broker.New(k, st, broker.Options{}), k.Now())
	return s, s.CreateDatabase("Shop", datatype.CIAS, catalog.SaLogin, k.Now()), st
}

func table(schema int32, name string) *catalog.Object {
	return &catalog.Object{SchemaID: schema, Name: name, Kind: catalog.UserTable, Def: &catalog.Table{Identity: -1}}
}

func TestObjectsAreFoundByTheCollationOfTheirDatabase(t *testing.T) {
	s, db, _ := newServer(t)
	u := &undoLog{}
	o := table(catalog.DboSchema, "Tasks")
	db.Add(u, o)
	require.Same(t, o, db.Object("DBO", "tasks"))
	require.Equal(t, catalog.DboUser, o.Owner)
	require.Same(t, o, db.ObjectByID(o.ID))
	require.Nil(t, db.Object("guest", "tasks"))

	bin := s.CreateDatabase("bin", datatype.BIN2, catalog.SaLogin, time.Time{})
	bin.Add(u, table(catalog.DboSchema, "Tasks"))
	require.Nil(t, bin.Object("dbo", "tasks"))
	require.NotNil(t, bin.Object("dbo", "Tasks"))
}

func TestChangesAreUndone(t *testing.T) {
	_, db, _ := newServer(t)
	kept, u := &undoLog{}, &undoLog{}
	o := table(catalog.DboSchema, "a")
	db.Add(kept, o)
	version := db.Version

	c := *o
	c.Name = "b"
	db.Replace(u, &c)
	require.Nil(t, db.Object("dbo", "a"))
	require.Equal(t, o.ID, db.Object("dbo", "B").ID)
	db.Remove(u, db.Object("dbo", "b"))
	require.Nil(t, db.Object("dbo", "b"))
	id, dropping := db.Dropping("dbo", "b")
	require.True(t, dropping)
	require.Equal(t, o.ID, id)
	u.rollback()
	require.Same(t, o, db.Object("dbo", "a"))
	_, dropping = db.Dropping("dbo", "b")
	require.False(t, dropping)
	require.Greater(t, db.Version, version+2, "an undone change is a change for a plan")

	db.Remove(u, o)
	u.commitNow()
	_, dropping = db.Dropping("dbo", "a")
	require.False(t, dropping)
}

func TestEveryViewGivesRowsAsWideAsItsColumns(t *testing.T) {
	_, db, st := newServer(t)
	u := &undoLog{}
	db.Add(u, table(catalog.DboSchema, "a"))
	db.Add(u, &catalog.Object{SchemaID: catalog.DboSchema, Name: "p", Kind: catalog.Procedure, Def: &catalog.Module{Params: []catalog.Param{{Name: "@a", Type: datatype.Of(datatype.Int)}}}})
	tx := st.NewSession(nil).Begin()
	defer tx.Rollback()
	tok := db.UserToken(catalog.DboUser)
	seen := 0
	for r := range view(t, db, "sys", "all_objects").Rows(catalog.ViewContext{Database: db, Token: tok}) {
		o := db.ObjectByID(int32(r[1].Int64()))
		v, ok := o.Def.(*catalog.SystemView)
		if !ok {
			continue
		}
		seen++
		if v.Query != nil {
			q := v.Query().QueryExpression
			for {
				union, ok := q.(*ast.BinaryQueryExpression)
				if !ok {
					break
				}
				q = union.FirstQueryExpression
			}
			require.Len(t, q.(*ast.QuerySpecification).SelectElements, len(v.Columns), "%s.%s", o.Schema, o.Name)
			continue
		}
		for row := range v.Rows(catalog.ViewContext{Database: db, Token: tok, Txn: tx}) {
			require.Len(t, row, len(v.Columns), "%s.%s", o.Schema, o.Name)
			for i, c := range v.Columns {
				require.False(t, row[i].IsNull() && !c.Nullable, "%s.%s.%s is NULL", o.Schema, o.Name, c.Name)
				_, err := datatype.Convert(row[i], c.Type, c.Type, 0, datatype.Implicit)
				require.NoError(t, err, "%s.%s.%s", o.Schema, o.Name, c.Name)
			}
		}
	}
	require.Greater(t, seen, 40)
}

func view(t *testing.T, db *catalog.Database, schema, name string) *catalog.SystemView {
	t.Helper()
	o := db.Object(schema, name)
	require.NotNil(t, o)
	v, ok := o.Def.(*catalog.SystemView)
	require.True(t, ok)
	return v
}

func TestPermissionCheck(t *testing.T) {
	_, db, _ := newServer(t)
	u := &undoLog{}
	o := table(catalog.DboSchema, "t")
	o.Def = &catalog.Table{Identity: -1, Columns: []catalog.Column{{ID: 1, Name: "a"}, {ID: 2, Name: "b"}}}
	db.Add(u, o)
	bob := &catalog.Principal{Name: "bob", Kind: catalog.SQLUser}
	db.PutPrincipal(u, bob)
	role := &catalog.Principal{Name: "r", Kind: catalog.DatabaseRole, Owner: catalog.DboUser}
	db.PutPrincipal(u, role)
	outer := &catalog.Principal{Name: "outer", Kind: catalog.DatabaseRole, Owner: catalog.DboUser}
	db.PutPrincipal(u, outer)
	db.SetMember(u, role.ID, bob.ID, true)
	db.SetMember(u, outer.ID, role.ID, true)
	on := catalog.OnObject(o)
	grant := func(s catalog.Securable, name string, to int32, state catalog.GrantState) {
		db.Grant(u, catalog.Permission{Class: s.Class, Major: s.ID, Grantee: to, Grantor: catalog.DboUser, Name: name, State: state})
	}
	allowed := func(name string) bool { return db.Allowed(db.UserToken(bob.ID), name, on) }

	require.False(t, allowed("SELECT"))
	require.True(t, db.Allowed(db.UserToken(catalog.DboUser), "SELECT", on))
	grant(on, "SELECT", outer.ID, catalog.Granted)
	require.True(t, allowed("SELECT"), "through a role in a role")
	grant(catalog.OnSchema(db.SchemaByID(catalog.DboSchema)), "SELECT", catalog.PublicRole, catalog.Denied)
	require.False(t, allowed("SELECT"), "a DENY above wins")
	grant(catalog.OnSchema(db.SchemaByID(catalog.DboSchema)), "SELECT", catalog.PublicRole, 0)
	require.True(t, allowed("SELECT"))
	grant(catalog.OnDatabase(), "CONTROL", bob.ID, catalog.Granted)
	require.True(t, allowed("DELETE"), "CONTROL of the database covers everything in it")
	grant(on, "CONTROL", role.ID, catalog.Denied)
	require.False(t, allowed("DELETE"))
	require.False(t, allowed("SELECT"), "CONTROL denied is everything denied")
	require.EqualError(t, db.CheckObject(db.UserToken(bob.ID), "DELETE", o),
		"Msg 229, Level 14, State 5, Line 0: The DELETE permission was denied on the object 't', database 'Shop', schema 'dbo'.")

	db.SetMember(u, catalog.RoleReader, bob.ID, true)
	require.True(t, db.Allowed(db.UserToken(bob.ID), "SELECT", catalog.OnSchema(db.SchemaByID(catalog.DboSchema))))
	u.rollback()
	require.Nil(t, db.PrincipalByName("bob"))
}

func TestOwnersHoldControl(t *testing.T) {
	_, db, _ := newServer(t)
	u := &undoLog{}
	bob := &catalog.Principal{Name: "bob", Kind: catalog.SQLUser}
	db.PutPrincipal(u, bob)
	s := db.AddSchema(u, "app", bob.ID)
	o := table(s.ID, "t")
	db.Add(u, o)
	require.Equal(t, bob.ID, o.Owner)
	require.True(t, db.Allowed(db.UserToken(bob.ID), "INSERT", catalog.OnObject(o)))
	db.SetSchemaOwner(u, s.ID, catalog.DboUser)
	require.Equal(t, catalog.DboUser, db.ObjectByID(o.ID).Owner)
	require.False(t, db.Allowed(db.UserToken(bob.ID), "INSERT", catalog.OnObject(db.ObjectByID(o.ID))))
}

func TestMetadataIsVisibleByPermission(t *testing.T) {
	_, db, _ := newServer(t)
	u := &undoLog{}
	o := table(catalog.DboSchema, "t")
	db.Add(u, o)
	bob := &catalog.Principal{Name: "bob", Kind: catalog.SQLUser}
	db.PutPrincipal(u, bob)
	rows := func() (n int) {
		for range view(t, db, "sys", "tables").Rows(catalog.ViewContext{Database: db, Token: db.UserToken(bob.ID)}) {
			n++
		}
		return n
	}
	require.Zero(t, rows())
	db.Grant(u, catalog.Permission{Class: catalog.ClassObject, Major: o.ID, Grantee: bob.ID, Grantor: catalog.DboUser, Name: "SELECT", State: catalog.Granted})
	require.Equal(t, 1, rows())
}

func TestLoginsAndUsers(t *testing.T) {
	s, db, _ := newServer(t)
	u := &undoLog{}
	l := &catalog.Login{Name: "app", SID: "0123456789abcdef"}
	s.PutLogin(u, l)
	_, ok := db.LoginToken(l)
	require.False(t, ok, "916")
	p := &catalog.Principal{Name: "appuser", Kind: catalog.SQLUser, SID: l.SID}
	db.PutPrincipal(u, p)
	_, ok = db.LoginToken(l)
	require.False(t, ok, "without CONNECT")
	db.Grant(u, catalog.Permission{Grantee: p.ID, Grantor: catalog.DboUser, Name: "CONNECT", State: catalog.Granted})
	tok, ok := db.LoginToken(l)
	require.True(t, ok)
	require.Equal(t, "appuser", tok.Name)
	tok, ok = db.LoginToken(s.LoginByName("SA"))
	require.True(t, ok)
	require.True(t, tok.Dbo)
	_, ok = s.DatabaseByName("master").LoginToken(l)
	require.True(t, ok, "guest may connect to master")
	require.Equal(t, "S-1-9-3-1-2-3-4", catalog.SIDString(catalog.UserSID([16]byte{1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4})))
}

func TestIdentityIsNotUndone(t *testing.T) {
	i := catalog.NewIdentity(10, 5)
	require.Equal(t, int64(10), i.Next())
	i.Saw(100)
	require.Equal(t, int64(105), i.Next())
	u := &undoLog{}
	i.Reset(u)
	u.rollback()
	require.Equal(t, int64(110), i.Next())
}
