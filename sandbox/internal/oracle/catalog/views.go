package catalog

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// SystemView is a view of SYS whose rows Go code produces: the dictionary, V$ views, and DUAL, whose kind is TABLE.
type SystemView struct {
	Columns []Column
	Rows    func(ViewContext) iter.Seq[value.Row]
}

// ViewContext says who reads a system view.
type ViewContext struct {
	User    string // the session's or definer's: whose objects USER_ views show
	Rights  Rights // what ALL_ views show
	Catalog *Catalog
	Session any // the engine's session, for views that are about sessions
}

// RegisterView adds SYS.name with a public synonym. columns is written as a column list:
// "SID NUMBER, STATUS VARCHAR2(8), LOGON_TIME DATE". V$ names are synonyms of V_$ views, as in a real database.
// Everybody may read it, but DBA_ and V$ views require the role SELECT_CATALOG_ROLE (DBA has) or SELECT ANY
// DICTIONARY, except for the few that Oracle grants to PUBLIC. It panics when the name is taken.
func (c *Catalog) RegisterView(name, columns string, rows func(ViewContext) iter.Seq[value.Row]) {
	c.registerView(name, parseColumns(columns), rows)
}

func (c *Catalog) registerView(name string, columns []Column, rows func(ViewContext) iter.Seq[value.Row]) {
	view := name
	if rest, ok := strings.CutPrefix(name, "V$"); ok {
		view = "V_$" + rest
	}
	o := &Object{Owner: Sys, Name: view, Kind: ast.KindView, Def: &SystemView{Columns: columns, Rows: rows}}
	c.register(o, name)
	grantee := Public
	if strings.HasPrefix(name, "DBA_") || strings.HasPrefix(name, "V$") && !slices.Contains(publicV, name) {
		grantee = "SELECT_CATALOG_ROLE"
	}
	c.GrantObject(o, ObjectGrant{Grantee: grantee, Privilege: "SELECT", Grantor: Sys})
}

// publicV are V$ views that everybody may read.
var publicV = []string{"V$VERSION", "V$NLS_PARAMETERS"}

// register adds an object of SYS and its public synonym.
func (c *Catalog) register(o *Object, synonym string) {
	if err := c.Add(o); err != nil {
		panic(fmt.Sprintf("catalog: %s is registered twice", o.Name))
	}
	s := &Object{Owner: Public, Name: synonym, Kind: ast.KindSynonym, Def: &Synonym{Sys, o.Name}}
	if err := c.Add(s); err != nil {
		panic(fmt.Sprintf("catalog: synonym %s is registered twice", synonym))
	}
}

// Columns reads "OWNER VARCHAR2(128), BYTES NUMBER".
func Columns(spec string) []Column { return parseColumns(spec) }

// parseColumns reads "OWNER VARCHAR2(128), BYTES NUMBER".
func parseColumns(spec string) []Column {
	var out []Column
	for def := range strings.SplitSeq(spec, ",") {
		name, typ, _ := strings.Cut(strings.TrimSpace(def), " ")
		base, length, sized := strings.Cut(strings.TrimSuffix(typ, ")"), "(")
		s := datatype.Spec{Name: base}
		if base == "TIMESTAMPTZ" {
			s = datatype.Spec{Name: "TIMESTAMP", WithZone: true}
		}
		if sized {
			n, err := strconv.Atoi(length)
			if err != nil {
				panic(fmt.Sprintf("catalog: column %q: %v", def, err))
			}
			s.Precision = &n
		}
		t, err := datatype.FromSpec(s)
		if err != nil {
			panic(fmt.Sprintf("catalog: column %q: %v", def, err))
		}
		out = append(out, Column{Name: name, ID: len(out) + 1, Type: t, Nullable: true})
	}
	return out
}

// Cell converts a Go value to a value of a view's row: nil and "" are NULL, a time a DATE.
func Cell(x any) value.Value {
	switch x := x.(type) {
	case nil:
		return value.Value{}
	case value.Value:
		return x
	case int:
		return value.NewInt(int64(x))
	case int64:
		return value.NewInt(x)
	case string:
		return datatype.NewText(x)
	case time.Time:
		return DateOf(x)
	}
	panic(fmt.Sprintf("catalog: cell of type %T", x))
}

// Row makes a view's row from cells.
func Row(cells ...any) value.Row {
	row := make(value.Row, len(cells))
	for i, x := range cells {
		row[i] = Cell(x)
	}
	return row
}

// DateOf returns a time as a DATE, in UTC and to the second; NULL for the zero time.
func DateOf(t time.Time) value.Value {
	if t.IsZero() {
		return value.Value{}
	}
	t = t.UTC().Truncate(time.Second)
	days := datatype.DaysOf(t.Year(), int(t.Month()), t.Day())
	clock := t.Hour()*3600 + t.Minute()*60 + t.Second()
	return value.NewTime(days*datatype.TicksPerDay+int64(clock)*datatype.TicksPerSecond, 0)
}
