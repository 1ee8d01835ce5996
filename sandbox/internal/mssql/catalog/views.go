package catalog

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// ViewContext says who reads a system view, and where.
type ViewContext struct {
	Server   *Server   // nil: the database's
	Database *Database // the database whose view it is
	Token    Token     // who reads: metadata is visible by permission
	Now      time.Time
	Session  any       // the engine's session, for views that are about sessions
	Temp     []*Object // in tempdb: the #tables
	// Txn reads the views whose rows are under locks: conversations and messages.
	Txn *store.Txn
	// Access says how Txn reads: Locking (the zero value), Dirty or Versioned.
	Access store.Access
	// Fail raises an error of such a read (a deadlock, a lock timeout) and does not return.
	Fail func(error)
}

// Rows produces the rows of a system view.
type Rows func(ViewContext) iter.Seq[value.Row]

// sysnameType is the user_type_id of sysname.
const sysnameType = 256

// RegisterView adds a system view to every database; with schema dbo, a read-only table of msdb. It panics if the name is taken:
// views are registered when a server is created.
func (s *Server) RegisterView(schema, name string, columns []Column, rows Rows) *Object {
	key := viewKey{strings.ToLower(schema), strings.ToLower(name)}
	if s.views[key] != nil {
		panic(fmt.Sprintf("catalog: view %s.%s is registered twice", schema, name))
	}
	for i := range columns {
		columns[i].ID = int32(i + 1)
	}
	id := -(200 + int32(s.viewIDs.Len()))
	schemaID, owner := SysSchema, SysUser
	switch key.schema {
	case "information_schema":
		schemaID, owner = InformationSchemaSchema, InformationUser
	case "dbo":
		schemaID, owner = DboSchema, DboUser
	}
	o := &Object{
		ID: id, SchemaID: schemaID, Schema: schema, Name: name, Kind: SystemViewObject, Owner: owner,
		Def: &SystemView{Columns: columns, Rows: rows},
	}
	s.views[key] = o
	s.viewIDs.Set(id, o)
	return o
}

// view registers a view of schema sys.
func (s *Server) view(name string, rows func(v *viewer)) {
	columns := ColumnsOf("sys." + name)
	if name == "databases" && s.Major < 17 { // the last one is of SQL Server 2025
		columns = columns[:len(columns)-1]
	}
	s.RegisterView("sys", name, columns, func(c ViewContext) iter.Seq[value.Row] {
		return func(yield func(value.Row) bool) {
			v := &viewer{ViewContext: c, db: c.Database, yield: yield}
			rows(v)
		}
	})
}

// ParseColumns reads a column list, "object_id int, name sysname?, type char(2)".
func ParseColumns(spec string) []Column {
	var out []Column
	depth, start := 0, 0
	for i := 0; i <= len(spec); i++ {
		if i < len(spec) {
			switch spec[i] {
			case '(':
				depth++
			case ')':
				depth--
			}
			if spec[i] != ',' || depth > 0 {
				continue
			}
		}
		out = append(out, parseColumn(strings.TrimSpace(spec[start:i])))
		start = i + 1
	}
	return out
}

func parseColumn(def string) Column {
	name, typ, _ := strings.Cut(def, " ")
	c := Column{Name: name, Nullable: strings.HasSuffix(typ, "?")}
	typ = strings.TrimSuffix(typ, "?")
	base, facets, _ := strings.Cut(strings.TrimSuffix(typ, ")"), "(")
	var params []int
	if facets != "" {
		for f := range strings.SplitSeq(facets, ",") {
			n, err := strconv.Atoi(f)
			if f == "max" {
				n, err = datatype.Max, nil
			}
			if err != nil {
				panic(fmt.Sprintf("catalog: column %q: %v", def, err))
			}
			params = append(params, n)
		}
	}
	t, err := datatype.FromName(base, params...)
	if err != nil {
		panic(fmt.Sprintf("catalog: column %q: %v", def, err))
	}
	c.Type = t
	if base == "sysname" {
		c.UserType = sysnameType
	}
	return c
}

// viewer produces the rows of one reading of a view.
type viewer struct {
	ViewContext
	db    *Database
	yield func(value.Row) bool
	ended bool
}

// emit hands out a row; false when the reader wants no more.
func (v *viewer) emit(cells ...any) bool {
	if !v.ended && !v.yield(Cells(cells...)) {
		v.ended = true
	}
	return !v.ended
}

// Cells builds a row from Go values; nil is NULL. It panics on a type that no view has.
func Cells(cells ...any) value.Row {
	row := make(value.Row, len(cells))
	for i, c := range cells {
		row[i] = cell(c)
	}
	return row
}

// cell converts a Go value to one of a row; nil is NULL, an empty name is not.
func cell(c any) value.Value {
	switch x := c.(type) {
	case nil:
		return value.Value{}
	case value.Value:
		return x
	case int:
		return value.NewInt(int64(x))
	case int16:
		return value.NewInt(int64(x))
	case int32:
		return value.NewInt(int64(x))
	case int64:
		return value.NewInt(x)
	case uint8:
		return value.NewInt(int64(x))
	case bool:
		if x {
			return value.NewInt(1)
		}
		return value.NewInt(0)
	case string:
		return value.NewString(x)
	case []byte:
		return value.NewBytes(x)
	case time.Time:
		return DateTime(x)
	}
	panic(fmt.Sprintf("catalog: cell of type %T", c))
}

// DateTime returns a time as a datetime value: ticks since the year 1, rounded as the type does.
func DateTime(t time.Time) value.Value {
	t = t.UTC()
	days := datatype.DateTicks(t.Year(), int(t.Month()), t.Day())
	clock := t.Sub(time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC))
	return value.NewTime(datatype.RoundDateTime(days+int64(clock/100)), 0)
}

// orNull is NULL for the zero value.
func orNull[T comparable](x T) any {
	var zero T
	if x == zero {
		return nil
	}
	return x
}

// objects yields the objects that the reader may see.
func (v *viewer) objects(match func(*Object) bool) iter.Seq[*Object] {
	return func(yield func(*Object) bool) {
		for _, o := range v.Temp {
			if match(o) && !yield(o) {
				return
			}
		}
		for _, o := range v.db.Objects() {
			if match(o) && v.db.SeesObject(v.Token, o) && !yield(o) {
				return
			}
			if v.ended {
				return
			}
		}
	}
}

func ofKind(kinds ...Kind) func(*Object) bool {
	return func(o *Object) bool { return slices.Contains(kinds, o.Kind) }
}

func (s *Server) registerViews() {
	s.objectViews()
	s.columnViews()
	s.indexViews()
	s.securityViews()
	s.serverViews()
	s.brokerViews()
	s.informationSchema()
}
