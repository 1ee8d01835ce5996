package catalog

import (
	_ "embed"
	"iter"
	"slices"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Database is the name of the database.
const Database = "SANDBOX"

// scope says whose objects a dictionary view shows.
type scope uint8

const (
	ofUser scope = iota // USER_: the reader's own
	ofAll               // ALL_: those the reader may know about
	ofDBA               // DBA_: all
)

// viewer produces the rows of one reading of a dictionary view.
type viewer struct {
	ViewContext
	scope scope
	keep  []int // which of the columns given to emit the view has; nil: all
	yield func(value.Row) bool
	ended bool
}

// family registers USER_name, ALL_name and DBA_name. omitted are the columns that the USER_ view lacks, separated by
// blanks.
func (c *Catalog) family(name, columns, omitted string, rows func(v *viewer)) {
	all := parseColumns(columns)
	var mine []Column
	var keep []int
	for i, col := range all {
		if !slices.Contains(strings.Fields(omitted), col.Name) {
			mine = append(mine, col)
			keep = append(keep, i)
		}
	}
	c.view("USER_"+name, mine, ofUser, keep, rows)
	c.view("ALL_"+name, all, ofAll, nil, rows)
	c.view("DBA_"+name, all, ofDBA, nil, rows)
}

// single registers a view that has no family.
func (c *Catalog) single(name, columns string, s scope, rows func(v *viewer)) {
	c.view(name, parseColumns(columns), s, nil, rows)
}

func (c *Catalog) view(name string, columns []Column, s scope, keep []int, rows func(v *viewer)) {
	c.registerView(name, columns, func(ctx ViewContext) iter.Seq[value.Row] {
		return func(yield func(value.Row) bool) {
			rows(&viewer{ViewContext: ctx, scope: s, keep: keep, yield: yield})
		}
	})
}

// emit yields a row; false if the reader wants no more.
func (v *viewer) emit(cells ...any) bool { return v.row(Row(cells...)) }

// row is emit of a copy of a row that has been made.
func (v *viewer) row(row value.Row) bool {
	if v.ended {
		return false
	}
	mine := make(value.Row, 0, len(row))
	for _, k := range v.keep {
		mine = append(mine, row[k])
	}
	if v.keep == nil {
		mine = append(mine, row...)
	}
	v.ended = !v.yield(mine)
	return !v.ended
}

// sees reports whether the view covers an object.
func (v *viewer) sees(o *Object) bool {
	switch v.scope {
	case ofUser:
		return o.Owner == v.User
	case ofAll:
		return v.Catalog.Visible(v.Rights, o)
	}
	return true
}

// objects yields the objects that the view covers, of some kinds or all, by owner and name.
func (v *viewer) objects(kinds ...ast.ObjectKind) iter.Seq[*Object] {
	owner := ""
	if v.scope == ofUser {
		owner = v.User
	}
	return func(yield func(*Object) bool) {
		for o := range v.Catalog.Objects(owner) {
			if v.ended || (kinds == nil || slices.Contains(kinds, o.Kind)) && v.sees(o) && !yield(o) {
				return
			}
		}
	}
}

// everything yields all objects that the view covers, those that other packages keep last.
func (v *viewer) everything() iter.Seq[*Object] {
	return func(yield func(*Object) bool) {
		for o := range v.objects() {
			if !yield(o) {
				return
			}
		}
		if v.Catalog.others == nil {
			return
		}
		owner := ""
		if v.scope == ofUser {
			owner = v.User
		}
		for o := range v.Catalog.others(owner) {
			if v.ended || v.sees(o) && !yield(o) {
				return
			}
		}
	}
}

// tables yields tables with their definitions; DUAL has none.
func (v *viewer) tables() iter.Seq2[*Object, *Table] {
	return func(yield func(*Object, *Table) bool) {
		for o := range v.objects(ast.KindTable) {
			if t, ok := o.Def.(*Table); ok && !yield(o, t) {
				return
			}
		}
	}
}

// ColumnsOf returns the columns of a table or view.
func ColumnsOf(o *Object) []Column {
	switch d := o.Def.(type) {
	case *Table:
		return d.Columns
	case *View:
		return d.Columns
	case *SystemView:
		return d.Columns
	}
	return nil
}

// which returns one of two values.
func which[T any](b bool, yes, no T) T {
	if b {
		return yes
	}
	return no
}

// flag is Y or N; yesNo is YES or NO.
func flag(b bool) string  { return which(b, "Y", "N") }
func yesNo(b bool) string { return which(b, "YES", "NO") }

func (c *Catalog) registerViews() {
	dual := &Object{Owner: Sys, Name: "DUAL", Kind: ast.KindTable, Def: &SystemView{
		Columns: parseColumns("DUMMY VARCHAR2(1)"),
		Rows: func(ViewContext) iter.Seq[value.Row] {
			return func(yield func(value.Row) bool) { yield(Row("X")) }
		},
	}}
	c.register(dual, "DUAL")
	c.GrantObject(dual, ObjectGrant{Grantee: Public, Privilege: "SELECT", Grantor: Sys})
	c.objectViews()
	c.tableViews()
	c.columnViews()
	c.indexViews()
	c.constraintViews()
	c.unitViews()
	c.grantViews()
	c.userViews()
	c.single("GLOBAL_NAME", "GLOBAL_NAME VARCHAR2(128)", ofAll, func(v *viewer) { v.emit(Database) })
	for line := range strings.Lines(empty) {
		if name, columns, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			c.family(name, columns, "OWNER", func(*viewer) {})
		}
	}
}

// empty are the families of views about things that cannot be created here: a name, and the columns that the Database Reference lists.
//
//go:embed empty.txt
var empty string
