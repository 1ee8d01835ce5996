package ddl

import (
	"math"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/syntax"
)

// typesAndSequences executes statements about types and sequences.
func (x *run) typesAndSequences(st ast.Statement) bool {
	switch n := st.(type) {
	case *ast.CreateTypeTableStatement:
		x.createTableType(n)
	case *ast.DropTypeStatement:
		x.dropType(n)
	case *ast.CreateSequenceStatement:
		x.createSequence(n)
	case *ast.DropSequenceStatement:
		x.dropSequences(n)
	default:
		return false
	}
	return true
}

// typePlace finds the schema for a new type and makes sure that its name is free (error 219).
func (x *run) typePlace(n *ast.SchemaObjectName) (*catalog.Schema, error) {
	if n.DatabaseIdentifier != nil {
		return nil, message.MS(117, "type", Written(n), 1)
	}
	sch := x.target(n, "CREATE TYPE")
	_, system := datatype.FromName(base(n))
	if x.db.TypeByName(sch.Name, base(n)) != nil || system == nil {
		return nil, message.MS(219, Written(n))
	}
	return sch, nil
}

func (x *run) createTableType(n *ast.CreateTypeTableStatement) {
	if len(n.Options) > 0 {
		panic(sqlerr.NotSupported("memory-optimized table types"))
	}
	sch := query.Must(x.typePlace(n.Name))
	t := x.anonymousTable(base(n.Name), n.Definition)
	id := x.db.NewTypeID()
	o := &catalog.Object{
		SchemaID: catalog.SysSchema, Kind: catalog.TableTypeObject, Def: &catalog.TableType{UserType: id, Table: t},
		ID: x.db.NewID(), OwnOwner: sch.Owner,
	}
	o.Name = systemName("TT", base(n.Name), "", o.ID)
	x.add(o)
	x.db.AddType(x.tx, &catalog.UserType{ID: id, SchemaID: sch.ID, Name: base(n.Name), Table: o})
}

func (x *run) dropType(n *ast.DropTypeStatement) {
	t := x.userType(n.Name)
	if t == nil || !x.may("ALTER", catalog.OnSchema(x.db.SchemaByID(t.SchemaID))) && !x.may("CONTROL", catalog.OnType(t)) {
		if n.IsIfExists && t == nil {
			return
		}
		panic(message.MS(218, Written(n.Name)))
	}
	for _, o := range x.db.Objects() {
		if usesType(o, t.ID) {
			panic(message.MS(3732, Written(n.Name), o.Name))
		}
	}
	x.db.RemoveType(x.tx, t)
	if t.Table != nil {
		x.db.Remove(x.tx, x.db.ObjectByID(t.Table.ID))
	}
}

// usesType reports whether a table has a column or a module a parameter of a user-defined type.
func usesType(o *catalog.Object, id int32) bool {
	if t := o.Table(); t != nil {
		for i := range t.Columns {
			if t.Columns[i].UserType == id {
				return true
			}
		}
	}
	if m := o.Module(); m != nil {
		for _, p := range m.Params {
			if p.UserType == id {
				return true
			}
		}
		return m.ReturnUserType == id
	}
	return false
}

// sequenceRange is the range of the integer types that a sequence can have.
func sequenceRange(t datatype.Type) (low, high int64, ok bool) {
	switch t.ID {
	case datatype.TinyInt:
		return 0, math.MaxUint8, true
	case datatype.SmallInt:
		return math.MinInt16, math.MaxInt16, true
	case datatype.Int:
		return math.MinInt32, math.MaxInt32, true
	case datatype.BigInt:
		return math.MinInt64, math.MaxInt64, true
	case datatype.Decimal:
		if t.Scale != 0 {
			return 0, 0, false
		}
		if t.Prec > 18 {
			return math.MinInt64, math.MaxInt64, true
		}
		n := int64(1)
		for range t.Prec {
			n *= 10
		}
		return 1 - n, n - 1, true
	default:
	}
	return 0, 0, false
}

// sequenceOptions are the clauses of CREATE and ALTER SEQUENCE; nil: not given.
type sequenceOptions struct {
	typ                         ast.DataTypeReference
	start, increment, low, high *int64
	cycle                       *bool
	cache                       *int64
	cached                      *bool
}

func readSequence(list []any) (o sequenceOptions, err error) {
	yes, no := true, false
	for _, e := range list {
		switch n := e.(type) {
		case *ast.DataTypeSequenceOption:
			o.typ = n.DataType
		case *ast.ScalarExpressionSequenceOption:
			v, err := integer(n.OptionValue, 0)
			if err != nil {
				return o, sqlerr.NotSupported("sequence option %s beyond bigint", n.OptionKind)
			}
			switch n.OptionKind {
			case "Start":
				o.start = &v
			case "Increment":
				o.increment = &v
			case "MinValue":
				o.low = &v
			case "MaxValue":
				o.high = &v
			case "Cache":
				o.cache, o.cached = &v, &yes
			default:
				return o, sqlerr.NotSupported("sequence option %s", n.OptionKind)
			}
		case *ast.SequenceOption:
			switch n.OptionKind {
			case "MinValue", "MaxValue": // NO: those of the type apply
			case "Cycle":
				o.cycle = &yes
				if n.NoValue {
					o.cycle = &no
				}
			case "Cache":
				zero := int64(0)
				o.cache, o.cached = &zero, &yes
				if n.NoValue {
					o.cached = &no
				}
			default:
				return o, sqlerr.NotSupported("sequence option %s", n.OptionKind)
			}
		default:
			return o, sqlerr.NotSupported("sequence option %T", e)
		}
	}
	return o, nil
}

func (x *run) createSequence(n *ast.CreateSequenceStatement) {
	o := query.Must(readSequence(n.SequenceOptions))
	x.enter(n.Name)
	sch := x.target(n.Name, "")
	query.Check(x.vacant(sch, base(n.Name), 3))
	name := Written(n.Name)
	s := catalog.Sequence{Type: datatype.Of(datatype.BigInt), Increment: 1, Cached: true}
	if o.typ != nil {
		d := query.Must(x.typeOf(o.typ, 1))
		s.Type, s.UserType = d.t, d.user
	}
	low, high, ok := sequenceRange(s.Type)
	if !ok {
		panic(message.MS(11702, name))
	}
	s.Min, s.Max = low, high
	setIf(&s.Increment, o.increment)
	setIf(&s.Min, o.low)
	setIf(&s.Max, o.high)
	s.Start = s.Min
	if s.Increment < 0 {
		s.Start = s.Max
	}
	setIf(&s.Start, o.start)
	applySequence(&s, o)
	checkSequence(&s, name, s.Start, low, high)
	x.add(&catalog.Object{SchemaID: sch.ID, Name: base(n.Name), Kind: catalog.SequenceObject, Def: catalog.NewSequence(s)})
}

func setIf(to, from *int64) {
	if from != nil {
		*to = *from
	}
}

func applySequence(s *catalog.Sequence, o sequenceOptions) {
	if o.cycle != nil {
		s.Cycle = *o.cycle
	}
	if o.cached != nil {
		s.Cached, s.CacheSize = *o.cached, *o.cache
	}
}

func checkSequence(s *catalog.Sequence, name string, at, low, high int64) {
	switch {
	case s.Increment == 0:
		panic(message.MS(11700, name))
	case s.Min >= s.Max:
		panic(message.MS(11705, name))
	case s.Min < low || s.Max > high:
		panic(message.MS(11708, map[bool]string{true: "MINVALUE", false: "MAXVALUE"}[s.Min < low]))
	case at < s.Min || at > s.Max:
		panic(message.MS(11703, name))
	}
}

// sequence finds a sequence to alter or drop.
func (x *run) sequence(n *ast.SchemaObjectName) *catalog.Object {
	o := query.Must(x.claim(n))
	if o != nil && o.Kind != catalog.SequenceObject && o.DB != nil {
		panic(message.MS(11726, Written(n)))
	}
	return o
}

func (x *run) dropSequences(n *ast.DropSequenceStatement) {
	home := x.db
	for _, name := range n.Objects {
		x.db = home
		o := x.sequence(name)
		if o == nil || !x.mayDrop(o) {
			if n.IsIfExists && o == nil {
				continue
			}
			panic(errDrop("sequence object", Written(name)))
		}
		for _, t := range x.db.Objects() {
			for i := range t.Columns() {
				d := t.Columns()[i].Default
				if d == nil {
					continue
				}
				syntax.Walk(d.Expr, func(node any) bool {
					if n, ok := node.(*ast.NextValueForExpression); ok && x.sequence(n.SequenceName) == o {
						panic(message.MS(3729, "DROP SEQUENCE", Written(name), d.Name))
					}
					return true
				})
			}
		}
		x.db.Remove(x.tx, o)
	}
}
