package plan

import (
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// target is the table that a statement changes, with what must hold for its rows.
type target struct {
	c        *compiler
	object   *catalog.Object // nil: a table variable
	table    *catalog.Table
	variable int
	cut      bool            // SET ANSI_WARNINGS OFF: values that are too long are truncated silently
	verb     string          // INSERT, UPDATE or DELETE, for messages
	at       expression.Slot // where a new row is while rules are checked and OUTPUT looks at it: "inserted"
	old      expression.Slot // the row before: "deleted"
	checks   []boundCheck
}

type boundCheck struct {
	check *catalog.Check
	holds query.Expr
}

func (c *compiler) target(sc Scope, o *catalog.Object, t *catalog.Table, variable int, verb string) *target {
	x := &target{c: c, object: o, table: t, variable: variable, verb: verb, at: c.Slot(len(t.Columns)), old: c.Slot(len(t.Columns))}
	x.cut = !sc.Settings().AnsiWarnings
	if o != nil {
		checkOptions(sc.Settings(), t, verb)
		sc = sc.Within(o)
	}
	n := c.names(sc)
	n.sources = []*source{{cols: columnsOf(c, sc, nil, t, x.at)}}
	for _, k := range t.Checks {
		x.checks = append(x.checks, boundCheck{k, n.predicate(k.Expr).Eval})
	}
	return x
}

// data is the storage of the target in this run.
func (x *target) data(fr *query.Frame) *store.Table {
	if x.variable >= 0 {
		return env(fr).TableVar(x.variable).Data
	}
	return x.table.Data
}

// definition is the target's definition in this run: identity generators belong to the variable.
func (x *target) definition(fr *query.Frame) *catalog.Table {
	if x.variable >= 0 {
		return env(fr).TableVar(x.variable)
	}
	return x.table
}

// name is the table as messages show it: the two-part name, or the variable.
func (x *target) name() string {
	if x.object == nil {
		return "@" + strings.TrimPrefix(x.tableVariable(), "@")
	}
	return x.object.QualifiedName()
}

func (x *target) tableVariable() string {
	if x.table.Data != nil {
		return x.table.Data.Name()
	}
	return "table"
}

// fullName is the three-part name of messages 515 and 2628.
func (x *target) fullName() string {
	if x.object == nil || x.object.DB == nil {
		return "tempdb.dbo." + strings.TrimPrefix(x.name(), "dbo.")
	}
	return x.object.DB.Name + "." + x.object.QualifiedName()
}

// checkRow checks what must hold for a new row. changed says
// which columns were given a value; nil: all.
func (x *target) checkRow(fr *query.Frame, row value.Row, changed map[int]bool) {
	fr.Slots[x.at.Slot] = query.Tuple{Row: row}
	for i := range x.table.Columns {
		col := &x.table.Columns[i]
		if row[i].IsNull() && !col.Nullable {
			panic(message.MS(515, col.Name, x.fullName(), x.verb).At(16, 2))
		}
	}
	for _, k := range x.checks {
		v := k.holds(fr)
		if v.IsNull() || v.IsTrue() {
			continue
		}
		column := ""
		if k.check.Column != 0 {
			if i := x.table.ColumnByID(k.check.Column); i >= 0 {
				column = ", column '" + x.table.Columns[i].Name + "'"
			}
		}
		panic(message.MS(547, x.verb, "CHECK", k.check.Name, x.database(), x.name(), column).At(16, 0))
	}
}

func (x *target) database() string {
	if x.object == nil || x.object.DB == nil {
		return "tempdb"
	}
	return x.object.DB.Name
}

// duplicate turns a store's unique violation into 2601 or 2627.
func (x *target) duplicate(err error) error {
	v, ok := err.(*store.UniqueViolation) //nolint:errorlint // the store returns it bare
	if !ok {
		return err
	}
	for n, ix := range x.table.Indexes {
		if ix.Name != v.Index.Name() || x.variable < 0 && ix.Data != v.Index {
			continue
		}
		_ = n
		return duplicateKey(x, ix, v.Row)
	}
	return err
}

func duplicateKey(x *target, ix *catalog.Index, row value.Row) *sqlerr.Error {
	var vals []string
	for _, k := range ix.Keys {
		vals = append(vals, keyText(row[k.Column], x.table.Columns[k.Column].Type))
	}
	key := strings.Join(vals, ", ")
	switch {
	case ix.PrimaryKey:
		return message.MS(2627, "PRIMARY KEY", ix.Name, x.name(), key)
	case ix.UniqueConstr:
		return message.MS(2627, "UNIQUE KEY", ix.Name, x.name(), key)
	}
	return message.MS(2601, x.name(), ix.Name, key)
}

func keyText(v value.Value, t datatype.Type) string {
	if v.IsNull() {
		return "<NULL>"
	}
	s, err := datatype.Convert(v, t, datatype.Sized(datatype.NVarChar, datatype.Max), datatype.NoStyle, datatype.Explicit)
	if err != nil {
		return "?"
	}
	return s.Str()
}

// toColumn converts a value for a column: 206, 257 at once, 2628 and the like when it runs.
func (x *target) toColumn(e *expr, ord int) *expr {
	col := &x.table.Columns[ord]
	if sameForm(e.Type, col.Type) {
		return implicitTo(e, col.Type)
	}
	query.Check(datatype.CheckImplicit(e.Type, col.Type))
	from, to, f, name, table := e.Type, col.Type, e.Eval, col.Name, x.fullName()
	if x.cut {
		return implicitTo(e, to)
	}
	if e.Shape == expression.Constant {
		if v, err := datatype.Assign(e.Const, from, to, name, table); err == nil {
			return constExpr(v, to)
		}
	}
	return derive(to, "", []*expr{e}, func(fr *query.Frame) value.Value { return query.Must(datatype.Assign(f(fr), from, to, name, table)) })
}

// wrong returns the SET options that do not have the values that filtered indexes
// need (learn.microsoft.com "CREATE INDEX", required SET options for filtered indexes).
// ARITHABORT is implied by ANSI_WARNINGS.
func (s Settings) wrong() (names []string) {
	for _, o := range []struct {
		name string
		ok   bool
	}{
		{"ANSI_NULLS", s.AnsiNulls}, {"QUOTED_IDENTIFIER", s.QuotedIdentifier}, {"CONCAT_NULL_YIELDS_NULL", s.ConcatNull},
		{"ANSI_WARNINGS", s.AnsiWarnings}, {"ANSI_PADDING", s.AnsiPadding}, {"NUMERIC_ROUNDABORT", !s.NumericRoundOff},
	} {
		if !o.ok {
			names = append(names, o.name)
		}
	}
	return names
}

// checkOptions refuses to change a table with such indexes under wrong options: 1934.
func checkOptions(s Settings, t *catalog.Table, verb string) {
	names := s.wrong()
	if len(names) == 0 {
		return
	}
	for _, ix := range t.Indexes {
		if ix.Filter != nil {
			panic(message.MS(1934, verb, strings.Join(names, ", ")))
		}
	}
}
