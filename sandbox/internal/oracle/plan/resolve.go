package plan

import (
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/builtin"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// ref binds a name without arguments. In SQL a column wins over anything in PL/SQL with that name.
func (b *binder) ref(x *ast.Ref) *Expr {
	if !b.c.plsql {
		if e := b.column(x); e != nil {
			return e
		}
	}
	if e := b.sequence(x); e != nil {
		return e
	}
	if e := b.operand(x); e != nil {
		return e
	}
	if b.c.plsql && sqlOnly(x.Word()) {
		panic(ErrPLS(204, x.Word()))
	}
	panic(b.unknown(x))
}

// unknown is the error for a name that means nothing here.
func (b *binder) unknown(e ast.Expr) error {
	name := nameOf(e)
	if err := catalog.Elsewhere(name); err != nil && strings.Contains(name, ".") {
		return err
	}
	call, called := e.(*ast.Call)
	if called {
		e = call.Func
	}
	if ref, ok := e.(*ast.Ref); ok {
		query.Check(builtin.Elsewhere(ref.Word(), called, b.c.plsql))
		if b.values && !called {
			return message.ORA(984)
		}
	}
	if b.c.plsql {
		return ErrPLS(201, strings.ReplaceAll(name, `"`, ""))
	}
	if x, ok := e.(*ast.Ref); ok { // a dictionary view has the columns that scripts and clients were seen to read
		for s := b; s != nil; s = s.outer {
			for _, src := range s.sources {
				if src.view != "" && src.is(x.Parts[:len(x.Parts)-1]) {
					return sqlerr.NotSupported("the column %s of %s", x.Parts[len(x.Parts)-1].Text, src.view)
				}
			}
		}
	}
	return message.ORA(904, name)
}

// nameOf writes a name as ORA-00904 does.
func nameOf(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.Ref:
		parts := make([]string, len(x.Parts))
		for i, p := range x.Parts {
			parts[i] = `"` + p.Text + `"`
		}
		return strings.Join(parts, ".")
	case *ast.Call:
		return nameOf(x.Func)
	case *ast.Field:
		return nameOf(x.Of) + `."` + x.Name.Text + `"`
	case *ast.Attribute:
		return nameOf(x.Of) + "%" + x.Name.Text
	case *ast.Bind:
		return ":" + x.Name
	}
	return ""
}

// column finds a column or pseudo column, in this query or an enclosing one; nil if there is none.
func (b *binder) column(x *ast.Ref) *Expr {
	for s := b; s != nil; s = s.outer {
		e := s.local(x)
		if e == nil {
			continue
		}
		if s.group != nil {
			e = s.group.column(e)
		}
		for crossed := b; crossed != s; crossed = crossed.outer {
			crossed.free.Add(e.Refs, e.Cols)
		}
		return e
	}
	return nil
}

// local finds a column among the sources of this level. If one of them has the qualifier, outer levels are not searched.
func (b *binder) local(x *ast.Ref) (found *Expr) {
	last := len(x.Parts) - 1
	name := x.Parts[last]
	known := false
	for _, src := range b.sources {
		if !src.is(x.Parts[:last]) {
			continue
		}
		known = last > 0
		for i := range src.cols {
			col := &src.cols[i]
			switch {
			case col.name != name.Text, col.merged && last == 0:
				continue
			case col.merged:
				fail(25154)
			case found != nil:
				fail(918)
			}
			found = col.e
		}
	}
	if found == nil && !name.Quoted {
		found = b.pseudoColumn(name.Text, x.Parts[:last])
	}
	if found == nil && known {
		panic(b.unknown(x))
	}
	return found
}

// is reports whether a qualifier ([schema.]table) means the source.
func (s *source) is(qualifier []ast.Name) bool {
	switch len(qualifier) {
	case 0:
		return true
	case 1:
		return s.alias == qualifier[0].Text && s.alias != ""
	case 2:
		return s.schema != "" && s.schema == qualifier[0].Text && s.alias == qualifier[1].Text
	}
	return false
}

// pseudoColumn finds, where the query has them, ROWNUM, LEVEL and the like.
func (b *binder) pseudoColumn(name string, qualifier []ast.Name) *Expr {
	if name == "ROWID" {
		return b.rowid(qualifier)
	}
	if len(qualifier) > 0 || len(b.sources) == 0 {
		return nil
	}
	if e := b.pseudo[name]; e != nil {
		return e
	}
	switch name {
	case "LEVEL", "CONNECT_BY_ISLEAF", "CONNECT_BY_ISCYCLE":
		fail(1788)
	case "ROWNUM":
		fail(976)
	}
	return nil
}

// rowid finds the address of a row of a table; nil: the query has none.
func (b *binder) rowid(qualifier []ast.Name) (found *Expr) {
	for _, src := range b.sources {
		switch {
		case !src.is(qualifier):
			continue
		case found != nil:
			fail(918)
		case src.rowid == nil:
			refuse("ROWID of what is no table")
		}
		found = src.rowid
	}
	return found
}

// sequence binds s.NEXTVAL and s.CURRVAL; nil for any other name.
func (b *binder) sequence(x *ast.Ref) *Expr {
	last := len(x.Parts) - 1
	word := x.Parts[last]
	if last == 0 || word.Quoted || word.Text != "NEXTVAL" && word.Text != "CURRVAL" {
		return nil
	}
	o, err := b.c.sc.Table(&ast.Ref{Pos: x.Pos, Parts: x.Parts[:last]}, "SELECT")
	if err != nil {
		if e := b.operand(x); e != nil {
			return e
		}
		if oraNumber(err) == 942 {
			err = message.ORA(2289)
		}
		query.Check(err)
	}
	seq, ok := o.Def.(*catalog.Sequence)
	if !ok {
		fail(2289)
	}
	if b.noSeq {
		fail(2287)
	}
	b.c.uses(o)
	next := word.Text == "NEXTVAL"
	// All references in one row give the same value (SQL Language Reference, "Sequence Pseudocolumns"): with one
	// NEXTVAL that is evaluated before any CURRVAL this needs no further work.
	if !b.c.plsql {
		drawn := b.c.drawn[seq]
		if next && drawn {
			refuse("a sequence's NEXTVAL behind another reference to the sequence in the same statement")
		}
		if b.c.drawn == nil {
			b.c.drawn = map[*catalog.Sequence]bool{}
		}
		b.c.drawn[seq] = true
	}
	name := o.Name
	e := Volatile(word.Text, datatype.Of(datatype.Number), nil, func(fr *query.Frame) value.Value {
		if next {
			return env(fr).NextVal(seq)
		}
		return query.Must(env(fr).CurrVal(seq, name))
	})
	e.Null = false
	return e
}

// operand asks the scope; nil if it does not know the name.
func (b *binder) operand(e ast.Expr) *Expr {
	if _, isName := e.(*ast.Ref); b.noPLS && !isName {
		if _, isCall := e.(*ast.Call); !isCall {
			return nil
		}
	}
	x, err := b.c.sc.Operand(e, b.bind)
	query.Check(err)
	b.c.foreign = b.c.foreign || x != nil
	if x == nil || b.c.plsql || x.Shape != expression.Fixed || len(x.Args) > 0 || x.Composite != nil {
		return x
	}
	return b.c.once(x)
}

// once has an expression evaluated when a run starts, so it has one value however long the statement takes.
func (c *compiler) once(x *Expr) *Expr {
	o := *x
	c.Start(x.Key, &o.Eval)
	return &o
}

// held evaluates an expression once for several uses in sequence: first must be evaluated before again.
func (c *compiler) held(x *Expr) (first, again *Expr) {
	if !x.PerRow {
		return x, x // the same value, and it does not matter how often it is computed
	}
	memo := c.Memo()
	f, a, eval := *x, *x, x.Eval
	f.Eval = func(fr *query.Frame) value.Value {
		v := eval(fr)
		fr.Memos[memo] = v
		return v
	}
	a.Eval = func(fr *query.Frame) value.Value { return fr.Memos[memo].(value.Value) }
	return &f, &a
}
