package catalog_test

import (
	"errors"
	"iter"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

func ref(parts ...string) *ast.Ref {
	r := &ast.Ref{}
	for _, p := range parts {
		r.Parts = append(r.Parts, ast.Name{Text: p})
	}
	return r
}

// fresh returns a catalog with users APP and OTHER and the role CLERK, which OTHER has.
func fresh(t *testing.T) *catalog.Catalog {
	t.Helper()
	c := catalog.New(kernel.New(kernel.Options{}))
	for _, u := range []*catalog.User{{Name: "APP"}, {Name: "OTHER"}, {Name: "CLERK", Role: true}} {
		require.NoError(t, c.CreateUser(u))
	}
	require.NoError(t, c.GrantRole(c.User("OTHER"), "CLERK", false))
	return c
}

func add(t *testing.T, c *catalog.Catalog, owner, name string, kind ast.ObjectKind, def any, uses ...*catalog.Object) *catalog.Object {
	t.Helper()
	o := &catalog.Object{Owner: owner, Name: name, Kind: kind, Def: def, Uses: uses}
	require.NoError(t, c.Add(o))
	return o
}

func number(err error) int32 {
	var e *sqlerr.Error
	if errors.As(err, &e) {
		return e.Number
	}
	return 0
}

func TestResolve(t *testing.T) {
	c := fresh(t)
	table := add(t, c, "APP", "T", ast.KindTable, &catalog.Table{})
	add(t, c, "APP", "PKG", ast.KindPackage, &catalog.Unit{Kind: ast.KindPackage})
	add(t, c, "OTHER", "OWN", ast.KindTable, &catalog.Table{})
	add(t, c, "OTHER", "MINE", ast.KindSynonym, &catalog.Synonym{Owner: "APP", Name: "T"})
	add(t, c, "OTHER", "LOST", ast.KindSynonym, &catalog.Synonym{Owner: "APP", Name: "NOWHERE"})
	add(t, c, "OTHER", "RING", ast.KindSynonym, &catalog.Synonym{Owner: "OTHER", Name: "RING2"})
	add(t, c, "OTHER", "RING2", ast.KindSynonym, &catalog.Synonym{Owner: "OTHER", Name: "RING"})
	add(t, c, catalog.Public, "ALL_T", ast.KindSynonym, &catalog.Synonym{Owner: "APP", Name: "T"})
	add(t, c, catalog.Public, "GONE", ast.KindSynonym, &catalog.Synonym{Owner: "APP", Name: "GONE"})
	add(t, c, catalog.Public, "OWN", ast.KindSynonym, &catalog.Synonym{Owner: "APP", Name: "T"})
	c.GrantObject(table, catalog.ObjectGrant{Grantee: "CLERK", Privilege: "SELECT", Grantor: "APP"})

	app, other, definer := catalog.Rights{User: "APP", Roles: true}, catalog.Rights{User: "OTHER", Roles: true}, catalog.Rights{User: "OTHER"}
	for _, x := range []struct {
		rights catalog.Rights
		ref    []string
		want   string
		rest   int
		ora    int32
	}{
		{app, []string{"T"}, "APP.T", 0, 0},
		{app, []string{"T", "A"}, "APP.T", 1, 0},
		{app, []string{"APP", "T", "A"}, "APP.T", 1, 0},
		{app, []string{"PKG", "PROC"}, "APP.PKG", 1, 0},
		{app, []string{"DUAL"}, "SYS.DUAL", 0, 0},
		{app, []string{"SYS", "DUAL"}, "SYS.DUAL", 0, 0},
		{app, []string{"USER_TABLES"}, "SYS.USER_TABLES", 0, 0},
		{app, []string{"DBA_TABLES"}, "", 0, 0},
		{app, []string{"NOSUCH"}, "", 0, 0},
		{app, []string{"OTHER", "OWN"}, "", 0, 0},
		{other, []string{"MINE"}, "APP.T", 0, 0},
		{definer, []string{"MINE"}, "", 0, 0},
		{other, []string{"ALL_T"}, "APP.T", 0, 0},
		{other, []string{"APP", "T"}, "APP.T", 0, 0},
		{definer, []string{"APP", "T"}, "", 0, 0},
		{other, []string{"APP", "PKG"}, "", 0, 0},
		{other, []string{"OWN"}, "OTHER.OWN", 0, 0},
		{app, []string{"OWN"}, "APP.T", 0, 0},
		{other, []string{"LOST"}, "", 0, 980},
		{other, []string{"RING"}, "", 0, 1775},
		{app, []string{"GONE"}, "", 0, 1775},
		{catalog.Rights{User: "SYSTEM", Roles: true}, []string{"APP", "PKG"}, "APP.PKG", 0, 0},
		{catalog.Rights{User: "SYSTEM", Roles: true}, []string{"DBA_TABLES"}, "SYS.DBA_TABLES", 0, 0},
	} {
		o, rest, err := c.Resolve(x.rights, x.rights.User, ref(x.ref...))
		require.Equal(t, x.ora, number(err), x.ref)
		got := ""
		if o != nil {
			got = o.Owner + "." + o.Name
		}
		require.Equal(t, x.want, got, x.ref)
		require.Len(t, rest, x.rest, x.ref)
	}
}

func TestNamespaces(t *testing.T) {
	c := fresh(t)
	key := &catalog.Constraint{Name: "K", Kind: ast.PrimaryKey}
	def := &catalog.Table{Indexes: []*catalog.Index{{Owner: "APP", Name: "T"}}, Constraints: []*catalog.Constraint{key}}
	table := add(t, c, "APP", "T", ast.KindTable, def) // an index may have the name of its table
	add(t, c, "APP", "P", ast.KindPackage, &catalog.Unit{})
	add(t, c, "APP", "P", ast.KindPackageBody, &catalog.Unit{})
	add(t, c, "OTHER", "T", ast.KindTable, &catalog.Table{Constraints: []*catalog.Constraint{{Name: "K", Kind: ast.Check}}})
	for _, kind := range []ast.ObjectKind{ast.KindView, ast.KindSequence, ast.KindSynonym, ast.KindProcedure, ast.KindType, catalog.KindQueue} {
		require.Equal(t, int32(955), number(c.Add(&catalog.Object{Owner: "APP", Name: "T", Kind: kind, Def: &catalog.Synonym{}})), kind)
	}
	same := &catalog.Object{Owner: "APP", Name: "T2", Kind: ast.KindTable, Def: &catalog.Table{Constraints: []*catalog.Constraint{{Name: "K"}}}}
	require.Equal(t, int32(2264), number(c.Add(same)))
	require.Nil(t, c.Object("APP", "T2"))
	same.Def = &catalog.Table{Indexes: []*catalog.Index{{Owner: "APP", Name: "T"}}}
	require.Equal(t, int32(955), number(c.Add(same)))

	o, k := c.Constraint("APP", "K")
	require.Same(t, table, o)
	require.Same(t, key, k)
	id := c.Index("APP", "T").ID
	renamed := *def
	renamed.Indexes = []*catalog.Index{{ID: id, Owner: "APP", Name: "T_IX"}}
	renamed.Constraints = nil
	require.NoError(t, c.Replace(table, &renamed))
	require.Nil(t, c.Index("APP", "T"))
	require.Equal(t, id, c.Index("APP", "T_IX").ID)
	o, _ = c.Constraint("APP", "K")
	require.Nil(t, o)
	c.Remove(table)
	require.Nil(t, c.Index("APP", "T_IX"))
	require.Nil(t, c.ByID(id))
}

func TestPrivileges(t *testing.T) {
	c := fresh(t)
	table := add(t, c, "APP", "T", ast.KindTable, &catalog.Table{})
	view := add(t, c, "APP", "V", ast.KindView, &catalog.View{})
	pkg := add(t, c, "APP", "P", ast.KindPackage, &catalog.Unit{})
	body := add(t, c, "APP", "P", ast.KindPackageBody, &catalog.Unit{})
	session, definer := catalog.Rights{User: "OTHER", Roles: true}, catalog.Rights{User: "OTHER"}

	require.True(t, c.Allowed(catalog.Rights{User: "APP"}, "DELETE", table))
	require.False(t, c.Visible(session, table))
	c.GrantObject(table, catalog.ObjectGrant{Grantee: "CLERK", Privilege: "SELECT", Grantor: "APP"})
	require.True(t, c.Allowed(session, "SELECT", table))
	require.True(t, c.Allowed(session, "READ", table))
	require.False(t, c.Allowed(session, "INSERT", table))
	require.True(t, c.Visible(session, table), "one privilege is enough to know of it")
	require.False(t, c.Allowed(definer, "SELECT", table), "roles do not count in definer's rights units")
	require.False(t, c.Visible(definer, table))

	c.GrantObject(pkg, catalog.ObjectGrant{Grantee: catalog.Public, Privilege: "EXECUTE", Grantor: "APP"})
	require.True(t, c.Allowed(definer, "EXECUTE", pkg))
	require.False(t, c.Visible(session, body))

	c.GrantSystem(c.Grantee("CLERK"), "SELECT ANY TABLE", false)
	require.True(t, c.Allowed(session, "SELECT", view))
	require.False(t, c.Allowed(definer, "SELECT", view))
	require.False(t, c.Allowed(session, "SELECT", c.Object("SYS", "DBA_TABLES")), "ANY privileges do not reach SYS")
	c.GrantSystem(c.User("OTHER"), "SELECT ANY DICTIONARY", false)
	require.True(t, c.Allowed(definer, "SELECT", c.Object("SYS", "DBA_TABLES")))
	require.Equal(t, []string{"SELECT ANY DICTIONARY", "SELECT ANY TABLE"}, c.SessionPrivileges(session))
	require.Equal(t, []string{"CLERK"}, c.SessionRoles(session))
	require.Empty(t, c.SessionRoles(definer))

	require.False(t, c.MayAdminister(session, "CREATE TABLE", false))
	c.GrantSystem(c.Grantee("CLERK"), "CREATE TABLE", true)
	require.True(t, c.MayAdminister(session, "CREATE TABLE", false))
	require.False(t, c.MayAdminister(session, "CLERK", true))
	require.Equal(t, int32(1934), number(c.GrantRole(c.Grantee("CLERK"), "CLERK", false)))

	require.Equal(t, int32(1950), number(c.NeedSegment(table)))
	c.GrantSystem(c.User("APP"), "UNLIMITED TABLESPACE", false)
	require.NoError(t, c.NeedSegment(table))
	require.True(t, table.Segment)

	c.DropUser(c.Grantee("CLERK"))
	require.False(t, c.Visible(session, table))
}

func TestInvalidation(t *testing.T) {
	c := fresh(t)
	table := add(t, c, "APP", "T", ast.KindTable, &catalog.Table{})
	view := add(t, c, "APP", "V", ast.KindView, &catalog.View{}, table)
	spec := add(t, c, "APP", "P", ast.KindPackage, &catalog.Unit{}, view)
	body := add(t, c, "APP", "P", ast.KindPackageBody, &catalog.Unit{}, table)
	user := add(t, c, "APP", "U", ast.KindProcedure, &catalog.Unit{}, spec)
	all := []*catalog.Object{view, spec, body, user}
	invalid := func() (names []string) {
		for _, o := range all {
			if o.Invalid {
				names = append(names, string(o.Kind))
			}
		}
		return names
	}
	mend := func() {
		for _, o := range all {
			c.Validate(o, false, o.Uses)
		}
	}
	version, stamp := c.Version(), table.Stamp
	require.NoError(t, c.Replace(body, &catalog.Unit{}))
	require.Empty(t, invalid(), "nothing depends on a body")
	require.NoError(t, c.Replace(spec, &catalog.Unit{}))
	require.Equal(t, []string{"PACKAGE BODY", "PROCEDURE"}, invalid())
	mend()
	require.NoError(t, c.Replace(table, &catalog.Table{}))
	require.Equal(t, []string{"VIEW", "PACKAGE", "PACKAGE BODY", "PROCEDURE"}, invalid())
	require.Greater(t, c.Version(), version)
	require.Greater(t, table.Stamp, stamp)
	mend()
	c.Remove(view)
	require.Equal(t, []string{"PACKAGE", "PACKAGE BODY", "PROCEDURE"}, invalid())
	mend()

	// A name that now leads elsewhere: a private object before a public synonym.
	c.GrantObject(table, catalog.ObjectGrant{Grantee: "OTHER", Privilege: "SELECT", Grantor: "APP"})
	add(t, c, catalog.Public, "T", ast.KindSynonym, &catalog.Synonym{Owner: "APP", Name: "T"})
	outside := add(t, c, "OTHER", "F", ast.KindFunction, &catalog.Unit{}, table)
	add(t, c, "OTHER", "T", ast.KindTable, &catalog.Table{})
	require.True(t, outside.Invalid)
	require.Empty(t, invalid())
}

// TestViews reads every view of the dictionary, for everybody.
func TestViews(t *testing.T) {
	c := fresh(t)
	add(t, c, "APP", "P", ast.KindPackage, &catalog.Unit{
		Kind: ast.KindPackage, Source: "package p as\nend;", Errors: []catalog.CompileError{{Line: 2, Position: 1, Text: "PLS-00103", Attribute: "ERROR"}},
		Node: &ast.CreateUnit{Decls: []ast.Decl{&ast.Subprogram{Name: ast.Name{Text: "A"}}, &ast.Subprogram{Name: ast.Name{Text: "A"}}}},
	})
	seq := &catalog.Sequence{Start: 1}
	seq.Restart()
	add(t, c, "APP", "S", ast.KindSequence, seq)
	queue := &catalog.Object{Owner: "APP", Name: "Q", Kind: catalog.KindQueue}
	c.SetOthers(func(owner string) iter.Seq[*catalog.Object] {
		return func(yield func(*catalog.Object) bool) { _ = (owner == "" || owner == "APP") && yield(queue) }
	})
	require.Equal(t, int32(955), number(c.Add(&catalog.Object{Owner: "APP", Name: "Q", Kind: ast.KindTable, Def: &catalog.Table{}})))
	for o := range c.Objects(catalog.Sys) {
		v, ok := o.Def.(*catalog.SystemView)
		if !ok {
			continue
		}
		for _, r := range []catalog.Rights{{User: "APP", Roles: true}, {User: "SYS", Roles: true}} {
			for row := range v.Rows(catalog.ViewContext{User: r.User, Rights: r, Catalog: c}) {
				require.Len(t, row, len(v.Columns), o.Name)
			}
			for range v.Rows(catalog.ViewContext{User: r.User, Rights: r, Catalog: c}) {
				break // readers may stop early
			}
		}
	}
	count := func(view string) int {
		v := c.Object(catalog.Sys, view).Def.(*catalog.SystemView)
		rows := slices.Collect(v.Rows(catalog.ViewContext{User: "APP", Rights: catalog.Rights{User: "APP", Roles: true}, Catalog: c}))
		return len(rows)
	}
	require.Equal(t, 3, count("USER_OBJECTS"))
	require.Equal(t, 2, count("USER_SOURCE"))
	require.Equal(t, 1, count("USER_ERRORS"))
	require.Equal(t, 1, count("USER_USERS"))
	require.Equal(t, 4, count("ALL_USERS"))
}
