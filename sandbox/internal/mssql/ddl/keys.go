package ddl

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// key records a PRIMARY KEY or UNIQUE constraint.
func (b *builder) key(k *ast.UniqueConstraintDefinition, at int) {
	onPrimary(k.OnFileGroupOrPartitionScheme)
	p := pendingKey{name: k.ConstraintIdentifier, cols: k.Columns, self: at}
	p.index.Unique, p.index.PrimaryKey, p.index.UniqueConstr = true, k.IsPrimaryKey, !k.IsPrimaryKey
	if len(k.Columns) > 0 {
		p.self = -1
	}
	clustered := k.IsPrimaryKey && !b.hasClustered()
	if k.IndexType != nil && k.IndexType.IndexTypeKind != "" {
		switch k.IndexType.IndexTypeKind {
		case "Clustered":
			clustered = true
		case "NonClustered":
			clustered = false
		default:
			panic(sqlerr.NotSupported("index type %s", k.IndexType.IndexTypeKind))
		}
	} else {
		p.index.ID = -1 // the default: clustered for a primary key if nothing else is
	}
	p.index.Clustered = clustered
	indexOptions(k.IndexOptions, &p.index)
	if k.IsPrimaryKey && (b.table.PrimaryKey() != nil || slices.ContainsFunc(b.keys, func(o pendingKey) bool { return o.index.PrimaryKey })) {
		if len(b.table.Indexes) == 0 { // both in one statement
			panic(message.MS(8110, b.name).At(16, 0))
		}
		panic(query.Raised(errConstraint(message.MS(1779, b.name).At(16, 0))))
	}
	b.keys = append(b.keys, p)
}

func (b *builder) hasClustered() bool { return b.table.Clustered() != nil }

// onPrimary accepts only the one filegroup that exists.
func onPrimary(g *ast.FileGroupOrPartitionScheme) {
	if g == nil || g.Name == nil {
		return
	}
	name := g.Name.Value
	if len(g.PartitionSchemeColumns) == 0 && (strings.EqualFold(name, "primary") || strings.EqualFold(name, "default")) {
		return
	}
	panic(sqlerr.NotSupported("filegroup or partition scheme %s", name))
}

// indexOptions applies the options of WITH (…). Those that only say how pages are filled or built
// have no effect on what a statement sees or locks.
func indexOptions(opts []ast.IndexOption, x *catalog.Index) {
	for _, o := range opts {
		switch n := o.(type) {
		case *ast.IndexExpressionOption:
			number, ok := n.Expression.(*ast.IntegerLiteral)
			if !ok || n.OptionKind != "FillFactor" && n.OptionKind != "MaxDop" {
				panic(sqlerr.NotSupported("index option %s", n.OptionKind))
			}
			if n.OptionKind == "FillFactor" {
				percent, err := strconv.Atoi(number.Value)
				if err != nil || percent < 1 || percent > 100 {
					panic(message.MS(129, number.Value))
				}
				x.FillFactor = percent
			}
		case *ast.OnlineIndexOption:
			if n.OptionState == "On" { // it would not hold Sch-M throughout
				panic(sqlerr.NotSupported("index option ONLINE = ON"))
			}
		case *ast.IgnoreDupKeyIndexOption:
			if n.OptionState == "On" {
				panic(sqlerr.NotSupported("index option IGNORE_DUP_KEY = ON"))
			}
		case *ast.DataCompressionOption:
		case *ast.IndexStateOption:
			switch n.OptionKind {
			case "AllowRowLocks", "AllowPageLocks":
				if n.OptionState == "Off" {
					panic(sqlerr.NotSupported("index option %s = OFF", n.OptionKind))
				}
			case "PadIndex", "DropExisting":
				if n.OptionState == "On" {
					panic(sqlerr.NotSupported("index option %s = ON", n.OptionKind))
				}
			case "SortInTempDB", "StatisticsNoRecompute", "OptimizeForSequentialKey":
			default:
				panic(sqlerr.NotSupported("index option %s", n.OptionKind))
			}
		default:
			panic(sqlerr.NotSupported("index option %T", o))
		}
	}
}

// resolveKeys turns the recorded keys into indexes of the table, the clustered one first.
func (b *builder) resolveKeys() {
	explicit := b.hasClustered() || slices.ContainsFunc(b.keys, func(p pendingKey) bool { return p.index.Clustered && p.index.ID != -1 })
	for i := range b.keys {
		p := &b.keys[i]
		if p.index.ID == -1 {
			p.index.ID = 0
			p.index.Clustered = p.index.PrimaryKey && !explicit
		}
	}
	for i := range b.keys {
		query.Check(b.addKey(&b.keys[i]))
	}
	b.keys = nil
}

func (b *builder) addKey(p *pendingKey) error {
	x := p.index
	isConstraint := x.PrimaryKey || x.UniqueConstr
	wrap := func(err error) error {
		if isConstraint {
			return errConstraint(err)
		}
		return err
	}
	if c := b.table.Clustered(); c != nil && x.Clustered {
		if isConstraint && c.Constraint != 0 && b.id == 0 {
			return message.MS(8112, b.name).At(16, 0)
		}
		return wrap(message.MS(1902, b.name, c.Name).At(16, 3))
	}
	if err := query.Catch(func() (err error) {
		x.Keys, err = b.keyColumns(p)
		return err
	}); err != nil {
		return wrap(err)
	}
	x.Included = b.included(p, x.Keys, x.Clustered)
	b.indexFilter(p, &x)
	if x.PrimaryKey {
		if err := b.notNull(x.Keys); err != nil {
			return errConstraint(err)
		}
	}
	if isConstraint {
		kind, prefix := catalog.UniqueConstraint, "UQ"
		if x.PrimaryKey {
			kind, prefix = catalog.PrimaryKey, "PK"
		}
		o, err := b.constraintObject(p.name, kind, prefix, "")
		if err != nil {
			return err
		}
		x.Name, x.Constraint, x.SystemNamed = o.Name, o.ID, p.name == nil
	} else {
		x.Name = p.name.Value
	}
	for _, other := range b.table.Indexes {
		if catalog.SameName(b.db.Collation, other.Name, x.Name) {
			return wrap(message.MS(1913, x.Name, b.name))
		}
	}
	if err := b.keyLength(&x); err != nil {
		return wrap(err)
	}
	b.table.Indexes = insertIndex(b.table.Indexes, &x)
	return nil
}

// keyLength applies the limit on the bytes of a key: 900 for a clustered index, 1700 for others
// (learn.microsoft.com "Maximum capacity specifications for SQL Server"). A key that can be longer
// gets a warning, a key that always is gets an error.
func (b *builder) keyLength(x *catalog.Index) error {
	limit, kind := 1700, "nonclustered"
	if x.Clustered {
		limit, kind = 900, "clustered"
	}
	longest, shortest := 0, 0
	for _, k := range x.Keys {
		t := b.table.Columns[k.Column].Type
		n := int(t.MaxLength())
		longest += n
		if t.ID != datatype.VarChar && t.ID != datatype.NVarChar && t.ID != datatype.VarBinary && t.ID != datatype.SQLVariant {
			shortest += n
		}
	}
	if shortest > limit {
		return message.MS(1944, x.Name, shortest, kind, limit, limit)
	}
	if longest > limit && !b.anonymous {
		b.Info(message.MS(1945, kind, limit, x.Name, longest))
	}
	return nil
}

// insertIndex gives an index its id and its place: the clustered one is 1, others the lowest free from 2.
func insertIndex(list []*catalog.Index, x *catalog.Index) []*catalog.Index {
	list = slices.Clone(list)
	if x.Clustered {
		x.ID = 1
		return slices.Insert(list, 0, x)
	}
	x.ID = 2
	at := 0
	for ; at < len(list); at++ {
		if list[at].ID > x.ID {
			break
		}
		if list[at].ID == x.ID {
			x.ID++
		}
	}
	return slices.Insert(list, at, x)
}

func (b *builder) keyColumns(p *pendingKey) ([]catalog.KeyColumn, error) {
	if p.self >= 0 {
		b.indexable(p.self)
		return []catalog.KeyColumn{{Column: p.self}}, nil
	}
	if len(p.cols) > 32 {
		return nil, message.MS(1904, identifierOr(p.name, ""), b.name, len(p.cols))
	}
	var keys []catalog.KeyColumn
	for _, c := range p.cols {
		name := lastIdentifier(c.Column)
		i := b.table.Column(b.db.Collation, name)
		if i < 0 {
			return nil, message.MS(1911, name)
		}
		if slices.ContainsFunc(keys, func(k catalog.KeyColumn) bool { return k.Column == i }) {
			return nil, message.MS(1909, name)
		}
		b.indexable(i)
		keys = append(keys, catalog.KeyColumn{Column: i, Desc: c.SortOrder == ast.SortOrderDescending})
	}
	return keys, nil
}

// indexable refuses columns that cannot be part of a key.
func (b *builder) indexable(i int) {
	c := &b.table.Columns[i]
	if !c.Type.IsComparable() || c.Type.IsMax() {
		panic(message.MS(1919, c.Name, b.name))
	}
}

func (b *builder) included(p *pendingKey, keys []catalog.KeyColumn, clustered bool) []int {
	if len(p.incl) > 0 && clustered {
		panic(message.MS(10601))
	}
	var out []int
	for _, c := range p.incl {
		name := lastIdentifier(c)
		i := b.table.Column(b.db.Collation, name)
		if i < 0 {
			panic(message.MS(1911, name))
		}
		if slices.Contains(out, i) || slices.ContainsFunc(keys, func(k catalog.KeyColumn) bool { return k.Column == i }) {
			panic(message.MS(1909, name))
		}
		out = append(out, i)
	}
	return out
}

// indexFilter compiles the WHERE of a filtered index. The SET options must be those that
// filtered indexes need (learn.microsoft.com "Create filtered indexes").
func (b *builder) indexFilter(p *pendingKey, x *catalog.Index) {
	if p.where == nil {
		return
	}
	if x.Clustered {
		panic(message.MS(1900))
	}
	if wrong := b.Setting().wrongForIndexes(); wrong != "" {
		panic(message.MS(1934, "CREATE INDEX", wrong))
	}
	for _, ref := range columnRefs(p.where) {
		i := b.table.Column(b.db.Collation, ref)
		if i < 0 {
			panic(message.MS(1911, ref))
		}
	}
	match := query.Must(b.CompileFilter(b.table, p.where))
	x.Filter, x.FilterText, x.Matches = p.where, "("+b.normalBool(p.where)+")", match
}

// wrongForIndexes lists the SET options that differ from what filtered indexes need.
func (s Setting) wrongForIndexes() string {
	var wrong []string
	for _, o := range []struct {
		name string
		bad  bool
	}{
		{"ANSI_NULLS", !s.AnsiNulls}, {"QUOTED_IDENTIFIER", !s.QuotedIdentifier}, {"CONCAT_NULL_YIELDS_NULL", !s.ConcatNull},
		{"ANSI_WARNINGS", !s.AnsiWarnings}, {"ANSI_PADDING", !s.AnsiPadding}, {"NUMERIC_ROUNDABORT", s.NumericRound},
	} {
		if o.bad {
			wrong = append(wrong, o.name)
		}
	}
	return strings.Join(wrong, ", ")
}

// notNull makes the columns of a primary key not nullable, unless that is a contradiction.
func (b *builder) notNull(keys []catalog.KeyColumn) error {
	for _, k := range keys {
		c := &b.table.Columns[k.Column]
		if c.Nullable && (b.id != 0 && b.table.Data != nil || b.declaredNull(c.Name)) {
			return message.MS(8111, b.name)
		}
		c.Nullable = false
	}
	return nil
}

func lastIdentifier(c *ast.ColumnReferenceExpression) string {
	if c == nil || c.MultiPartIdentifier == nil || len(c.MultiPartIdentifier.Identifiers) == 0 {
		return ""
	}
	ids := c.MultiPartIdentifier.Identifiers
	return ids[len(ids)-1].Value
}
