package ddl

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/differ"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

func (x *run) createTable(n *ast.CreateTableStatement) {
	if n.AsEdge || n.AsNode || n.AsFileTable || n.SelectStatement != nil || n.FederationScheme != nil || n.FileStreamOn != nil || len(n.CtasColumns) > 0 {
		panic(sqlerr.NotSupported("graph, file and federated tables, CREATE TABLE AS SELECT"))
	}
	onPrimary(n.OnFileGroupOrPartitionScheme)
	if t := n.TextImageOn; t != nil && !strings.EqualFold(t.Value, "primary") && !strings.EqualFold(t.Value, "default") {
		panic(sqlerr.NotSupported("TEXTIMAGE_ON %s", t.Value))
	}
	tableOptions(n.Options)
	name := n.SchemaObjectName
	if IsTemp(base(name)) {
		x.createTemp(base(name), n.Definition)
		return
	}
	x.enter(name)
	sch := x.target(name, "CREATE TABLE")
	query.Check(x.vacant(sch, base(name), 6))
	b := newBuilder(x, base(name))
	b.id, b.schema = x.db.NewID(), sch.ID
	b.declare(n.Definition)
	query.Check(b.define(n.Definition))
	x.finishTable(b, sch)
}

// finishTable adds a table that was defined to the database.
func (x *run) finishTable(b *builder, sch *catalog.Schema) *catalog.Object {
	t := query.Must(b.table.WithData(x.tx, x.StoreSession().Store(), x.tableSpec(b.name, b.id)))
	b.table = t
	o := &catalog.Object{ID: b.id, SchemaID: sch.ID, Name: b.name, Kind: catalog.UserTable, Def: t}
	x.add(o)
	b.addConstraints()
	return o
}

func (x *run) tableSpec(name string, id int32) store.TableSpec {
	spec := store.TableSpec{Name: name, DB: int64(x.db.ID), Object: int64(id)}
	if !IsTemp(name) {
		spec.Stamped = &x.db.OptimizedLocking
	}
	return spec
}

// addConstraints adds the objects of new constraints to the database.
func (b *builder) addConstraints() {
	if !IsTemp(b.name) && !b.anonymous {
		for _, c := range b.fresh {
			b.db.Add(b.tx, c)
		}
	}
	b.fresh = nil
}

// CreateTableAs creates the table of SELECT INTO, or of another statement that has columns but no
// definition in the batch.
func CreateTableAs(s Session, name *ast.SchemaObjectName, columns []catalog.Column) (*catalog.Object, error) {
	x := &run{Session: s, db: s.Database(), tx: s.Txn()}
	t := &catalog.Table{Identity: -1}
	for i, c := range columns {
		if c.Name == "" {
			return nil, message.MS(1038).At(15, 5)
		}
		if t.Column(x.db.Collation, c.Name) >= 0 {
			return nil, message.MS(2705, c.Name, base(name)).At(16, 3)
		}
		c.ID = int32(i + 1)
		if c.Identity != nil {
			c.Identity, t.Identity = catalog.NewIdentity(c.Identity.Seed, c.Identity.Increment), i
		}
		c.Default = nil
		t.Columns = append(t.Columns, c)
	}
	t.LastColumn = int32(len(columns))
	b := newBuilder(x, base(name))
	b.table = t
	if IsTemp(base(name)) {
		return x.finishTemp(b), nil
	}
	x.enter(name)
	sch := x.target(name, "CREATE TABLE")
	if err := x.vacant(sch, base(name), 6); err != nil {
		return nil, err
	}
	b.id, b.schema = x.db.NewID(), sch.ID
	return x.finishTable(b, sch), nil
}

// createTemp creates a local temporary table: it belongs to the session and is in tempdb.
func (x *run) createTemp(name string, d *ast.TableDefinition) {
	if x.Temp(name) != nil {
		panic(ErrExists(name).At(16, 6))
	}
	x.db = x.Server().DatabaseByName("tempdb")
	b := newBuilder(x, name)
	b.declare(d)
	query.Check(b.define(d))
	x.finishTemp(b)
}

func (x *run) finishTemp(b *builder) *catalog.Object {
	if x.Temp(b.name) != nil {
		panic(ErrExists(b.name).At(16, 6))
	}
	x.db = x.Server().DatabaseByName("tempdb")
	if x.LoginID() == 0 && x.Server().Differ[differ.TasksWithoutTables] {
		panic(message.MS(916, "", x.db.Name))
	}
	id := -x.db.NewID()
	b.table.Temp = true
	t := query.Must(b.table.WithData(x.tx, x.StoreSession().Store(), x.tableSpec(b.name, id)))
	o := &catalog.Object{
		ID: id, DB: x.db, SchemaID: catalog.DboSchema, Schema: "dbo", Owner: catalog.DboUser, Name: b.name,
		Kind: catalog.UserTable, Def: t, Created: x.Now(), Modified: x.Now(),
	}
	x.PutTemp(o)
	x.tx.Undo(func() { x.RemoveTemp(o) })
	return o
}

// TableVariable builds the definition of DECLARE @t TABLE, without data: NewRows gives each
// execution its own rows.
func TableVariable(s Session, d *ast.TableDefinition) (*catalog.Table, error) {
	x := &run{Session: s, db: s.Database(), tx: s.Txn()}
	return x.anonymousTable("@table", d), nil
}

// NewRows gives a table variable or table-valued parameter storage of its own: empty, without
// locks, and not undone with a transaction.
func NewRows(ss *store.Session, def *catalog.Table, name string) *catalog.Table {
	tx := ss.Begin()
	t, err := def.Instance(tx, ss.Store(), store.TableSpec{Name: name, Volatile: true})
	if err != nil {
		panic(fmt.Sprintf("ddl: rows of %s: %v", name, err)) // there are no locks, and no rows to be duplicates
	}
	tx.Commit()
	return t
}

func (x *run) anonymousTable(name string, d *ast.TableDefinition) *catalog.Table {
	b := newBuilder(x, name)
	b.anonymous = true
	b.declare(d)
	query.Check(b.define(d))
	b.table.Temp = true
	return b.table
}

// declare records which columns of a definition say NULL explicitly.
func (b *builder) declare(d *ast.TableDefinition) {
	for _, c := range d.ColumnDefinitions {
		for _, k := range c.Constraints {
			if n, ok := k.(*ast.NullableConstraintDefinition); ok && n.Nullable {
				b.saidNull = append(b.saidNull, catalog.Fold(b.db.Collation, c.ColumnIdentifier.Value))
			}
		}
	}
}

// declaredNull reports whether a column was declared NULL.
func (b *builder) declaredNull(name string) bool {
	return slices.Contains(b.saidNull, catalog.Fold(b.db.Collation, name))
}

func tableOptions(opts []ast.TableOption) {
	for _, o := range opts {
		if d, ok := o.(*ast.TableDataCompressionOption); ok && len(d.DataCompressionOption.PartitionRanges) == 0 {
			continue
		}
		panic(sqlerr.NotSupported("table option %T", o))
	}
}

func (x *run) dropTables(n *ast.DropTableStatement) {
	home := x.db
	for _, name := range n.Objects {
		x.db = home
		x.dropTable(name, n.IsIfExists)
	}
}

func (x *run) dropTable(name *ast.SchemaObjectName, ifExists bool) {
	o := query.Must(x.claim(name))
	if o == nil || o.Kind != catalog.UserTable || !x.mayDrop(o) {
		if ifExists && o == nil {
			return
		}
		if o != nil && o.Kind != catalog.UserTable && o.DB != nil {
			panic(query.Raised(errWrongKind("DROP TABLE", o)))
		}
		panic(errDrop("table", Written(name)))
	}
	if o.Table().Temp {
		x.RemoveTemp(o)
		x.tx.Undo(func() { x.PutTemp(o) })
		return
	}
	for _, id := range constraintIDs(o.Table()) {
		if c := x.db.ObjectByID(id); c != nil {
			x.db.Remove(x.tx, c)
		}
	}
	x.db.Remove(x.tx, o)
}

// constraintIDs lists the objects of a table's constraints.
func constraintIDs(t *catalog.Table) []int32 {
	var ids []int32
	for _, i := range t.Indexes {
		if i.Constraint != 0 {
			ids = append(ids, i.Constraint)
		}
	}
	for _, c := range t.Checks {
		ids = append(ids, c.ID)
	}
	for i := range t.Columns {
		if d := t.Columns[i].Default; d != nil {
			ids = append(ids, d.ID)
		}
	}
	return ids
}

// mayDrop: DROP needs ALTER on the schema or CONTROL on the object.
func (x *run) mayDrop(o *catalog.Object) bool {
	t := o.Table()
	return o.DB != nil && (t != nil && t.Temp || x.may("ALTER", catalog.OnSchema(x.db.SchemaByID(o.SchemaID))) || x.may("CONTROL", catalog.OnObject(o)))
}

// mayAlter: ALTER on the object.
func (x *run) mayAlter(o *catalog.Object) bool {
	t := o.Table()
	return o.DB != nil && (t != nil && t.Temp || x.may("ALTER", catalog.OnObject(o)))
}

func errWrongKind(verb string, o *catalog.Object) error {
	word := map[catalog.Kind]string{
		catalog.UserTable: "table", catalog.View: "view", catalog.Procedure: "procedure", catalog.Queue: "service queue",
		catalog.ScalarFunction: "function", catalog.InlineFunction: "function",
	}[o.Kind]
	use := "DROP " + strings.ToUpper(strings.TrimPrefix(word, "service "))
	return message.MS(3705, verb, o.Name, o.Name, word, use)
}

func (x *run) truncate(n *ast.TruncateTableStatement) {
	o := query.Must(x.claim(n.TableName))
	missing := message.MS(4701, base(n.TableName))
	switch {
	case o == nil || !x.mayAlter(o):
		panic(missing)
	case o.Kind != catalog.UserTable:
		panic(message.MS(4708, base(n.TableName)))
	}
	t := o.Table()
	query.Check(t.Data.Truncate(x.tx))
	if t.Identity >= 0 {
		t.Columns[t.Identity].Identity.Reset(x.tx)
	}
}

// rows reads all rows of a table that is locked Sch-M.
func (x *run) rows(t *catalog.Table, fn func(value.Row) error) (err error) {
	broken := x.tx.Each(t.Data, store.Access{Mode: store.Dirty}, func(_ store.RowID, r value.Row) bool {
		err = fn(r)
		return err == nil
	})
	return cmp.Or(err, broken)
}

// rebuild gives a table a new definition whose rows are computed from the old ones.
func (x *run) rebuild(o *catalog.Object, next *catalog.Table, convert func(value.Row) (value.Row, error)) *catalog.Object {
	old := o.Table()
	t := query.Must(next.WithData(x.tx, x.StoreSession().Store(), old.Data.Spec()))
	query.Check(x.rows(old, func(r value.Row) error {
		n, err := convert(r)
		if err != nil {
			return err
		}
		_, err = x.tx.Insert(t.Data, n)
		return x.duplicate(err, o, t)
	}))
	x.tx.NewStatement() // so that what follows in this statement sees the rows
	return x.replace(o, t)
}

// duplicate turns a violation found while building an index into 1505.
func (x *run) duplicate(err error, o *catalog.Object, t *catalog.Table) error {
	v, ok := errors.AsType[*store.UniqueViolation](err)
	if !ok {
		return err
	}
	for _, ix := range t.Indexes {
		if ix.Data == v.Index || ix.Name == v.Index.Name() {
			return message.MS(1505, o.QualifiedName(), ix.Name, keyText(t, ix, v.Row))
		}
	}
	return err
}

// keyText shows the key of a row as messages 1505, 2601 and 2627 do.
func keyText(t *catalog.Table, ix *catalog.Index, r value.Row) string {
	parts := make([]string, len(ix.Keys))
	for i, k := range ix.Keys {
		parts[i] = "<NULL>"
		if v := r[k.Column]; !v.IsNull() {
			s, err := datatype.Convert(v, t.Columns[k.Column].Type, datatype.Sized(datatype.NVarChar, datatype.Max), 0, datatype.Explicit)
			if err != nil {
				parts[i] = fmt.Sprint(v)
				continue
			}
			parts[i] = s.Str()
		}
	}
	return "(" + strings.Join(parts, ", ") + ")"
}
