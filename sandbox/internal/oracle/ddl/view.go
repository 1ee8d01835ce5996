package ddl

import (
	"errors"
	"fmt"
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
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
	v := &catalog.View{Text: n.Text, Query: n.Query, ReadOnly: n.ReadOnly}
	for _, c := range n.Columns {
		v.Columns = append(v.Columns, catalog.Column{Name: c.Text, ID: len(v.Columns) + 1})
	}
	v.Named = len(n.Columns) > 0
	sc := x.collector(owner)
	err = compileView(sc, v)
	invalid := err != nil
	if invalid && !n.Force {
		return err
	}
	if old != nil && leadsTo(sc.uses, old) {
		return message.ORA(1731)
	}
	if old != nil {
		old.Invalid, old.Uses = invalid, sc.uses
		return x.cat.Replace(old, v)
	}
	return x.cat.Add(&catalog.Object{Owner: owner, Name: name, Kind: ast.KindView, Invalid: invalid, Uses: sc.uses, Def: v})
}

// leadsTo reports whether an object is among others or among what they depend on.
func leadsTo(from []*catalog.Object, o *catalog.Object) bool {
	return slices.ContainsFunc(from, func(u *catalog.Object) bool { return u == o || leadsTo(u.Uses, o) })
}

// compileView fills in a view's columns, or its errors. What is not modeled is refused even with FORCE: the caller
// recognizes that error by its number.
func compileView(sc plan.Scope, v *catalog.View) error {
	v.Errors = nil
	err := query.Catch(func() error {
		viewColumns(sc, v)
		return nil
	})
	var e *sqlerr.Error
	if errors.As(err, &e) && e.Number != sqlerr.NotSupportedNumber {
		v.Errors = []catalog.CompileError{{Text: fmt.Sprintf("ORA-%05d: %s", e.Number, e.Text), Attribute: "ERROR", Number: int(e.Number)}}
	}
	return err
}

func viewColumns(sc plan.Scope, v *catalog.View) {
	st := query.Must(plan.CompileStatement(sc, v.Query))
	count := 0
	if v.Named {
		count = len(v.Columns)
	}
	named(v.Query, count)
	if v.Named && count != len(st.Columns) {
		panic(message.ORA(1730))
	}
	columns := make([]catalog.Column, len(st.Columns))
	for i, c := range st.Columns {
		columns[i] = catalog.Column{Name: c.Name, ID: i + 1, Type: c.Type, Nullable: c.Nullable}
		if v.Named {
			columns[i].Name = v.Columns[i].Name
		}
		if slices.ContainsFunc(columns[:i], func(o catalog.Column) bool { return o.Name == columns[i].Name }) {
			panic(message.ORA(957))
		}
		if i < len(v.Columns) && v.Columns[i].Name == columns[i].Name { // a comment is kept when the view is compiled again
			columns[i].Comment = v.Columns[i].Comment
		}
	}
	q := *v.Query
	q.Body = query.Must(expanded(sc, &q, q.Body))
	v.Query, v.Columns = &q, columns
}

// expanded returns a query with the columns that each * stands for: columns added to a table later are not in the view
// (SQL Language Reference, "CREATE VIEW", notes on the defining query).
func expanded(sc plan.Scope, q *ast.Query, body ast.QueryBody) (ast.QueryBody, error) {
	var err error
	switch n := body.(type) {
	case *ast.Query:
		c := *n
		c.Body, err = expanded(sc, &c, n.Body)
		return &c, err
	case *ast.SetOperation:
		c := *n
		if c.Left, err = expanded(sc, q, n.Left); err == nil {
			c.Right, err = expanded(sc, q, n.Right)
		}
		return &c, err
	case *ast.Select:
		c := *n
		c.Items = nil
		for _, item := range n.Items {
			star, ok := item.Value.(*ast.Star)
			if !ok {
				c.Items = append(c.Items, item)
				continue
			}
			one := &ast.Query{Pos: q.Pos, With: q.With, Body: &ast.Select{Pos: n.Pos, Items: []ast.SelectItem{item}, From: n.From}}
			st, err := plan.CompileStatement(sc, one)
			if err != nil {
				return nil, err
			}
			for _, col := range st.Columns {
				ref := &ast.Ref{Pos: star.Pos}
				if star.Of != nil {
					ref.Parts = slices.Clone(star.Of.Parts)
				}
				ref.Parts = append(ref.Parts, ast.Name{Pos: star.Pos, Text: col.Name, Quoted: true})
				c.Items = append(c.Items, ast.SelectItem{Pos: item.Pos, Value: ref, Text: ref.String()})
			}
		}
		return &c, nil
	}
	return body, nil
}

// CompileView recompiles an invalid view, as its next use does; sc is for its owner's schema, with the owner's
// rights without roles. Errors: ORA-04063, with those of the view stored.
func CompileView(cat *catalog.Catalog, sc plan.Scope, o *catalog.Object) error {
	c := &collector{Scope: sc}
	v := *o.Def.(*catalog.View)
	err := compileView(c, &v)
	o.Def = &v
	cat.Validate(o, err != nil, c.uses)
	var e *sqlerr.Error
	if errors.As(err, &e) && e.Number != sqlerr.NotSupportedNumber {
		return message.ORA(4063, "view", o.Owner, o.Name)
	}
	return err
}

func (x *run) createSynonym(n *ast.CreateSynonym) {
	owner, name := catalog.Public, n.Name.Parts[len(n.Name.Parts)-1].Text
	if n.Public {
		if !x.cat.Has(x.rights, "CREATE PUBLIC SYNONYM") {
			panic(catalog.ErrPrivileges())
		}
	} else {
		var err error
		owner, name, err = x.target(n.Name, "CREATE SYNONYM")
		query.Check(err)
	}
	s := &catalog.Synonym{Owner: x.Schema(), Name: n.For.Parts[0].Text}
	switch len(n.For.Parts) {
	case 1:
	case 2:
		s.Owner, s.Name = s.Name, n.For.Parts[1].Text
	default:
		panic(message.ORA(995))
	}
	if s.Owner == owner && s.Name == name {
		panic(message.ORA(1471))
	}
	if old := x.cat.Object(owner, name); old != nil {
		if !n.OrReplace || old.Kind != ast.KindSynonym {
			panic(catalog.ErrNameUsed())
		}
		query.Check(x.cat.Replace(old, s))
		return
	}
	query.Check(x.cat.Add(&catalog.Object{Owner: owner, Name: name, Kind: ast.KindSynonym, Def: s}))
}
