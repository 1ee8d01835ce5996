package ddl

import (
	"slices"
	"strconv"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// extend starts changing an existing table.
func (x *run) extend(o *catalog.Object) *builder {
	b := newBuilder(x, o.Name)
	t := *o.Table()
	t.Columns = slices.Clone(t.Columns)
	b.table, b.schema = &t, o.SchemaID
	if !t.Temp {
		b.id = o.ID
	}
	return b
}

// attachNew gives storage to the indexes that a builder has added to a table that has data.
func (b *builder) attachNew(o *catalog.Object) error {
	for i, ix := range b.table.Indexes {
		if ix.Data != nil {
			continue
		}
		data, err := b.table.Data.AddIndex(b.tx, b.table.IndexSpec(ix))
		if err != nil {
			err = b.duplicate(err, o, b.table)
			if ix.Constraint != 0 {
				return errConstraint(err)
			}
			return err
		}
		n := *ix
		n.Data = data
		b.table.Indexes = slices.Clone(b.table.Indexes)
		b.table.Indexes[i] = &n
	}
	return nil
}

func (x *run) createIndex(n *ast.CreateIndexStatement) {
	onPrimary(n.OnFileGroupOrPartitionScheme)
	o := query.Must(x.claim(n.OnName))
	missing := message.MS(1088, Written(n.OnName)).At(16, 12)
	switch {
	case o == nil || !x.mayAlter(o):
		panic(missing)
	case o.Kind == catalog.View:
		panic(sqlerr.NotSupported("indexed views"))
	case o.Kind != catalog.UserTable:
		panic(missing)
	}
	b := x.extend(o)
	p := pendingKey{name: n.Name, cols: n.Columns, self: -1, incl: n.IncludeColumns, where: n.FilterPredicate}
	p.index.Unique = n.Unique
	p.index.Clustered = n.Clustered != nil && *n.Clustered
	indexOptions(n.IndexOptions, &p.index)
	query.Check(b.addKey(&p))
	query.Check(b.attachNew(o))
	x.replace(o, b.table)
}

// findIndex returns the position of an index by name, or -1.
func (x *run) findIndex(t *catalog.Table, name string) int {
	return slices.IndexFunc(t.Indexes, func(i *catalog.Index) bool { return catalog.SameName(x.db.Collation, i.Name, name) })
}

func (x *run) dropIndexes(n *ast.DropIndexStatement) {
	home := x.db
	for _, c := range n.DropIndexClauses {
		x.db = home
		if len(c.Options) > 0 {
			panic(sqlerr.NotSupported("DROP INDEX … WITH"))
		}
		if c.Object == nil || c.Index == nil {
			panic(sqlerr.NotSupported("DROP INDEX without ON"))
		}
		x.dropIndex(c.Object, c.Index.Value, n.IsIfExists)
	}
}

func (x *run) dropIndex(table *ast.SchemaObjectName, name string, ifExists bool) {
	o := query.Must(x.claim(table))
	shown := Written(table) + "." + name
	missing := errDrop("index", shown).At(11, 7)
	if o == nil || o.Kind != catalog.UserTable || !x.mayAlter(o) {
		if ifExists && (o == nil || o.Kind == catalog.UserTable) {
			return
		}
		panic(missing)
	}
	t := o.Table()
	i := x.findIndex(t, name)
	if i < 0 {
		if ifExists {
			return
		}
		panic(missing)
	}
	ix := t.Indexes[i]
	if ix.Constraint != 0 {
		kind := "UNIQUE KEY"
		if ix.PrimaryKey {
			kind = "PRIMARY KEY"
		}
		panic(message.MS(3723, shown, kind).At(16, 4))
	}
	x.removeIndex(o, i)
}

func (x *run) removeIndex(o *catalog.Object, i int) {
	c := *o.Table()
	query.Check(c.Data.DropIndex(x.tx, c.Indexes[i].Data))
	c.Indexes = slices.Delete(slices.Clone(c.Indexes), i, i+1)
	x.replace(o, &c)
}

// alterIndex: REBUILD keeps its options and locks the table for its duration, also with ONLINE = ON, which has the lock in the end;
// REORGANIZE does not (learn.microsoft.com, "ALTER INDEX"; "How online index operations work").
func (x *run) alterIndex(n *ast.AlterIndexStatement) {
	if n.Partition != nil && !n.Partition.All || len(n.PromotedPaths) > 0 || n.XmlNamespaces != nil {
		panic(sqlerr.NotSupported("ALTER INDEX on partitions and XML indexes"))
	}
	rebuild := n.AlterIndexType == "Rebuild"
	if !rebuild && n.AlterIndexType != "Reorganize" {
		panic(sqlerr.NotSupported("ALTER INDEX … %s", n.AlterIndexType))
	}
	x.enter(n.OnName)
	find := x.claim
	if !rebuild {
		find = func(name *ast.SchemaObjectName) (*catalog.Object, error) { return x.lookup(name), nil }
	}
	o := query.Must(find(n.OnName))
	if o == nil || o.Kind != catalog.UserTable || !x.mayAlter(o) {
		panic(message.MS(1088, Written(n.OnName)).At(16, 9))
	}
	t := *o.Table()
	if !n.All && x.findIndex(&t, n.Name.Value) < 0 {
		panic(message.MS(2727, n.Name.Value))
	}
	if !rebuild || len(n.IndexOptions) == 0 {
		return
	}
	t.Indexes = slices.Clone(t.Indexes)
	for i, ix := range t.Indexes {
		if n.All || i == x.findIndex(&t, n.Name.Value) {
			c := *ix
			indexOptions(slices.DeleteFunc(slices.Clone(n.IndexOptions), isOnline), &c)
			t.Indexes[i] = &c
		}
	}
	x.replace(o, &t)
}

func isOnline(o ast.IndexOption) bool {
	online, ok := o.(*ast.OnlineIndexOption)
	return ok && online.LowPriorityLockWaitOption == nil
}

// updateStatistics: plans here need no statistics (learn.microsoft.com, "UPDATE STATISTICS").
func (x *run) updateStatistics(n *ast.UpdateStatisticsStatement) {
	x.enter(n.SchemaObjectName)
	o := x.lookup(n.SchemaObjectName)
	switch {
	case o == nil || o.Kind == catalog.View:
		panic(message.MS(2706, base(n.SchemaObjectName)).At(11, 6))
	case o.Kind != catalog.UserTable || !x.mayAlter(o):
		panic(message.MS(1088, Written(n.SchemaObjectName)).At(16, 12))
	}
	samples := 0
	for _, option := range n.StatisticsOptions {
		switch option := option.(type) {
		case *ast.LiteralStatisticsOption:
			samples++
			if n, err := strconv.Atoi(option.Literal.(*ast.IntegerLiteral).Value); option.OptionKind == "SamplePercent" && (err != nil || n > 100) {
				panic(message.MS(1031))
			}
		case *ast.ResampleStatisticsOption:
			samples++
		case *ast.SimpleStatisticsOption:
			if option.OptionKind == "FullScan" {
				samples++
			}
		}
	}
	if samples > 1 {
		panic(sqlerr.NotSupported("UPDATE STATISTICS WITH several samples"))
	}
	for _, name := range n.SubElements {
		if x.findIndex(o.Table(), name.Value) < 0 {
			panic(message.MS(2727, name.Value))
		}
	}
}
