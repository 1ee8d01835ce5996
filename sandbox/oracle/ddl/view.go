package ddl

import (
	"errors"
	"fmt"
	"slices"

	"github.com/dbsched/dbsched/sandbox/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/sqlerr"
)

func (x *run) createView(n *ast.CreateView) error {
	owner, name, err := x.target(n.Name, "CREATE VIEW")
	if err != nil {
		return err
	}
	old := x.cat.Object(owner, name)
	if old != nil && (!n.OrReplace || old.Kind != ast.KindView) {
		return catalog.ErrNameUsed()
	}
	v := &catalog.View{Text: n.Text, Query: n.Query, ReadOnly: n.ReadOnly, CheckOption: n.CheckOption}
	for _, c := range n.Columns {
		v.Columns = append(v.Columns, catalog.Column{Name: c.Text, ID: len(v.Columns) + 1})
	}
	v.Named = len(n.Columns) > 0
	uses, err := x.compileView(owner, v)
	invalid := err != nil
	if invalid && !n.Force {
		return err
	}
	if old != nil {
		old.Invalid, old.Uses = invalid, uses
		return x.cat.Replace(old, v)
	}
	return x.cat.Add(&catalog.Object{Owner: owner, Name: name, Kind: ast.KindView, Invalid: invalid, Uses: uses, Def: v})
}

// compileView fills in a view's columns, or its errors, and returns what it uses. What is not modelled is refused even
// with FORCE: the caller sees that error by its number.
func (x *run) compileView(owner string, v *catalog.View) ([]*catalog.Object, error) {
	sc := x.collector(owner)
	v.Errors = nil
	err := func() error {
		count := 0
		if v.Named {
			count = len(v.Columns)
		}
		st, err := plan.CompileStatement(sc, v.Query)
		if err != nil {
			return err
		}
		if err := named(v.Query, count); err != nil {
			return err
		}
		if v.Named && count != len(st.Columns) {
			return sqlerr.New(1730, "invalid number of column names specified")
		}
		columns := make([]catalog.Column, len(st.Columns))
		for i, c := range st.Columns {
			columns[i] = catalog.Column{Name: c.Name, ID: i + 1, Type: c.Type, Nullable: c.Nullable}
			if v.Named {
				columns[i].Name = v.Columns[i].Name
			}
			if slices.ContainsFunc(columns[:i], func(o catalog.Column) bool { return o.Name == columns[i].Name }) {
				return sqlerr.New(957, "duplicate column name")
			}
			if i < len(v.Columns) && v.Columns[i].Name == columns[i].Name { // a comment stays when the view is compiled again
				columns[i].Comment = v.Columns[i].Comment
			}
		}
		v.Columns = columns
		return nil
	}()
	var e *sqlerr.Error
	if errors.As(err, &e) && e.Number != sqlerr.NotSupportedNumber {
		v.Errors = []catalog.CompileError{{Text: fmt.Sprintf("ORA-%05d: %s", e.Number, e.Text), Attribute: "ERROR", Number: int(e.Number)}}
	}
	return sc.uses, err
}

// CompileView compiles an invalid view again, as its next use does. Errors: ORA-04063, with those of the view stored.
func CompileView(s Session, o *catalog.Object) error {
	x := &run{Session: s, cat: s.Catalog(), rights: s.Rights()}
	v := *o.Def.(*catalog.View)
	uses, err := x.compileView(o.Owner, &v)
	o.Def = &v
	x.cat.Validate(o, err != nil, uses)
	var e *sqlerr.Error
	if errors.As(err, &e) && e.Number != sqlerr.NotSupportedNumber {
		return sqlerr.New(4063, "view \"%s.%s\" has errors", o.Owner, o.Name)
	}
	return err
}

// alterView is ALTER VIEW … COMPILE; other units are compiled by who has PL/SQL. Errors in the view are stored: the
// statement itself succeeds with a warning.
func (x *run) alterView(n *ast.AlterCompile) error {
	if n.Kind != ast.KindView {
		return sqlerr.NotSupported("ALTER %s", n.Kind)
	}
	o := x.cat.ResolveIn(x.rights, x.Schema(), n.Name, ast.KindView)
	if o == nil {
		return catalog.ErrNoTable()
	}
	if _, ok := o.Def.(*catalog.View); !ok {
		return catalog.ErrNoTable()
	}
	if o.Owner != x.rights.User && !x.cat.Has(x.rights, "ALTER ANY TABLE") {
		return catalog.ErrPrivileges()
	}
	err := CompileView(x.Session, o)
	var e *sqlerr.Error
	if errors.As(err, &e) && e.Number == 4063 {
		return nil
	}
	return err
}

func (x *run) createSynonym(n *ast.CreateSynonym) error {
	owner, name := catalog.Public, n.Name.Parts[len(n.Name.Parts)-1].Text
	if n.Public {
		if !x.cat.Has(x.rights, "CREATE PUBLIC SYNONYM") {
			return catalog.ErrPrivileges()
		}
	} else {
		var err error
		if owner, name, err = x.target(n.Name, "CREATE SYNONYM"); err != nil {
			return err
		}
	}
	s := &catalog.Synonym{Owner: x.Schema(), Name: n.For.Parts[0].Text}
	switch len(n.For.Parts) {
	case 1:
	case 2:
		s.Owner, s.Name = s.Name, n.For.Parts[1].Text
	default:
		return sqlerr.New(995, "missing or invalid synonym identifier")
	}
	if s.Owner == owner && s.Name == name {
		return sqlerr.New(1471, "cannot create a synonym with same name as object")
	}
	if old := x.cat.Object(owner, name); old != nil {
		if !n.OrReplace || old.Kind != ast.KindSynonym {
			return catalog.ErrNameUsed()
		}
		return x.cat.Replace(old, s)
	}
	return x.cat.Add(&catalog.Object{Owner: owner, Name: name, Kind: ast.KindSynonym, Def: s})
}
