package ddl

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// builder builds the definition of a table from CREATE TABLE, ALTER TABLE ADD, CREATE TYPE or
// DECLARE @t TABLE.
type builder struct {
	*run
	name  string         // of the table, for messages and the names of constraints
	table *catalog.Table // as built so far
	fresh []*catalog.Object
	keys  []pendingKey // in the order in which they are written
	// anonymous is set for table types and table variables: constraints may not be named, and
	// foreign keys and permissions do not exist.
	anonymous bool
	id        int32    // object id of the table, for constraints; 0: a temporary table, type or variable
	saidNull  []string // folded names of the columns declared NULL
	schema    int32
}

// pendingKey is a PRIMARY KEY, UNIQUE constraint or index that waits until all columns are known.
type pendingKey struct {
	index catalog.Index
	name  *ast.Identifier
	cols  []*ast.ColumnWithSortOrder
	self  int // ordinal of the column that it was written with; -1: a list
	incl  []*ast.ColumnReferenceExpression
	where ast.BooleanExpression
}

func newBuilder(x *run, name string) *builder {
	return &builder{run: x, name: name, table: &catalog.Table{Identity: -1}}
}

// define adds columns, constraints and indexes of a definition.
func (b *builder) define(d *ast.TableDefinition) error {
	first := len(b.table.Columns)
	for _, c := range d.ColumnDefinitions {
		b.column(c)
	}
	for i, c := range d.ColumnDefinitions {
		b.columnExtras(c, first+i)
	}
	for _, tc := range d.TableConstraints {
		b.constraint(tc, -1)
	}
	b.resolveKeys()
	return nil
}

// column adds one column, without anything that refers to others.
func (b *builder) column(c *ast.ColumnDefinition) {
	t := b.table
	name := c.ColumnIdentifier.Value
	if t.Column(b.db.Collation, name) >= 0 {
		panic(message.MS(2705, name, b.name).At(16, 3))
	}
	refuseColumnOptions(c)
	t.LastColumn++
	col := catalog.Column{ID: t.LastColumn, Name: name, GuidCol: c.IsRowGuidCol}
	if c.ComputedColumnExpression != nil {
		panic(sqlerr.NotSupported("computed columns"))
	}
	if c.DataType == nil { // "timestamp" alone is a column name and a type
		panic(message.MS(173, name))
	}
	d := query.Must(b.typeOf(c.DataType, len(t.Columns)+1))
	if d.table != nil || d.t.ID == datatype.Cursor {
		panic(message.MS(2715, len(t.Columns)+1, d.t))
	}
	col.Type = b.collation(c.Collation, d.t)
	if !b.Setting().AnsiPadding && (col.Type.IsCharacter() || col.Type.IsBinary()) {
		panic(sqlerr.NotSupported("a column of %s made with ANSI_PADDING OFF", col.Type.Name()))
	}
	col.UserType = d.user
	explicit, nullable := b.nullability(c, d)
	col.Nullable = nullable
	if c.IdentityOptions != nil {
		query.Check(b.identity(c.IdentityOptions, &col, explicit))
	}
	if col.GuidCol && col.Type.ID != datatype.UniqueIdentifier {
		panic(message.MS(8196))
	}
	t.Columns = append(t.Columns, col)
}

func refuseColumnOptions(c *ast.ColumnDefinition) {
	switch {
	case c.GeneratedAlways != "":
		panic(sqlerr.NotSupported("GENERATED ALWAYS"))
	case c.IsHidden, c.IsMasked, c.Encryption != nil:
		panic(sqlerr.NotSupported("HIDDEN, MASKED and ENCRYPTED columns"))
	case c.StorageOptions != nil:
		panic(sqlerr.NotSupported("SPARSE and FILESTREAM columns"))
	}
}

// nullability is what the definition says about NULL, or the session's default.
func (b *builder) nullability(c *ast.ColumnDefinition, d declared) (explicit, nullable bool) {
	n := c.Nullable
	for _, k := range c.Constraints {
		if nc, ok := k.(*ast.NullableConstraintDefinition); ok {
			n = nc
		}
	}
	switch {
	case n != nil:
		return true, n.Nullable
	case d.nullable != nil:
		return false, *d.nullable
	}
	return false, b.Setting().AnsiNullDefault
}

func (b *builder) identity(o *ast.IdentityOptions, col *catalog.Column, explicit bool) error {
	if b.table.Identity >= 0 {
		return message.MS(2744, b.name).At(16, 2)
	}
	t := col.Type
	if !t.IsInteger() && (t.ID != datatype.Decimal || t.Scale != 0) {
		return message.MS(2749, col.Name).At(16, 2)
	}
	if explicit && col.Nullable {
		return message.MS(8147, col.Name, b.name)
	}
	seed, err := integer(o.IdentitySeed, 1)
	if err != nil {
		return message.MS(2752, col.Name)
	}
	step, err := integer(o.IdentityIncrement, 1)
	if err != nil || step == 0 {
		return message.MS(2753, col.Name)
	}
	col.Identity = catalog.NewIdentity(seed, step)
	col.Nullable = false
	b.table.Identity = len(b.table.Columns)
	return nil
}

// integer evaluates an integer literal with an optional sign.
func integer(e ast.ScalarExpression, missing int64) (int64, error) {
	switch n := e.(type) {
	case nil:
		return missing, nil
	case *ast.IntegerLiteral:
		return strconv.ParseInt(n.Value, 10, 64)
	case *ast.NumericLiteral:
		return strconv.ParseInt(n.Value, 10, 64)
	case *ast.ParenthesisExpression:
		return integer(n.Expression, missing)
	case *ast.UnaryExpression:
		v, err := integer(n.Expression, missing)
		if err == nil && n.UnaryExpressionType == "Negative" {
			v = -v
		}
		return v, err
	}
	return 0, fmt.Errorf("not an integer: %T", e)
}

// columnExtras adds what a column definition says besides its type: default, constraints, index.
func (b *builder) columnExtras(c *ast.ColumnDefinition, at int) {
	if c.DefaultConstraint != nil {
		b.setDefault(c.DefaultConstraint, at)
	}
	for _, k := range c.Constraints {
		tc, ok := k.(ast.TableConstraint)
		if !ok {
			continue
		}
		b.constraint(tc, at)
	}
}

func (b *builder) setDefault(d *ast.DefaultConstraintDefinition, at int) {
	col := &b.table.Columns[at]
	if d.Column != nil {
		if at = b.table.Column(b.db.Collation, d.Column.Value); at < 0 {
			panic(query.Raised(errConstraint(message.MS(1752, d.Column.Value, b.name).At(16, 0))))
		}
		col = &b.table.Columns[at]
	}
	switch {
	case col.Default != nil:
		panic(query.Raised(errConstraint(message.MS(1781))))
	case col.Identity != nil:
		panic(query.Raised(errConstraint(message.MS(1754, b.name, col.Name).At(16, 0))))
	}
	if refs := columnRefs(d.Expression); len(refs) > 0 {
		panic(message.MS(128, refs[0]))
	}
	from, _, err := b.CompileDefault(d.Expression)
	query.Check(err)
	query.Check(datatype.CheckImplicit(from, col.Type))
	def := &catalog.Default{Expr: d.Expression, Text: "(" + b.normal(d.Expression) + ")"}
	o := query.Must(b.constraintObject(d.ConstraintIdentifier, catalog.DefaultConstraint, "DF", col.Name))
	def.ID, def.Name, def.SystemNamed = o.ID, o.Name, d.ConstraintIdentifier == nil
	col.Default = def
}

// constraint adds a table constraint, or a column's (at is then its ordinal).
func (b *builder) constraint(tc ast.TableConstraint, at int) {
	switch k := tc.(type) {
	case *ast.UniqueConstraintDefinition:
		b.key(k, at)
		return
	case *ast.CheckConstraintDefinition:
		query.Check(b.check(k, at))
		return
	case *ast.DefaultConstraintDefinition:
		b.setDefault(k, max(at, 0))
		return
	}
	panic(sqlerr.NotSupported("constraint %T", tc))
}

func identifierOr(id *ast.Identifier, missing string) string {
	if id == nil {
		return missing
	}
	return id.Value
}

func (b *builder) check(k *ast.CheckConstraintDefinition, at int) error {
	c := &catalog.Check{Expr: k.CheckCondition, Text: "(" + b.normalCheck(k.CheckCondition) + ")"}
	column := ""
	for _, ref := range columnRefs(k.CheckCondition) {
		i := b.table.Column(b.db.Collation, ref)
		if i < 0 {
			return errConstraint(message.MS(207, ref))
		}
		if at >= 0 && i != at {
			return errConstraint(message.MS(8141, b.table.Columns[at].Name, b.name).At(16, 0))
		}
	}
	if at >= 0 {
		c.Column, column = b.table.Columns[at].ID, b.table.Columns[at].Name
	}
	if _, err := b.CompileCheck(b.table, k.CheckCondition); err != nil {
		return errConstraint(err)
	}
	o, err := b.constraintObject(k.ConstraintIdentifier, catalog.CheckConstraint, "CK", column)
	if err != nil {
		return err
	}
	c.ID, c.Name, c.SystemNamed = o.ID, o.Name, k.ConstraintIdentifier == nil
	b.table.Checks = append(slices.Clip(b.table.Checks), c)
	return nil
}

// constraintObject creates the object of a constraint, with the given name or a generated one.
func (b *builder) constraintObject(id *ast.Identifier, kind catalog.Kind, prefix, column string) (*catalog.Object, error) {
	o := &catalog.Object{ID: b.db.NewID(), Kind: kind, Parent: b.id, SchemaID: b.schema, Created: b.Now(), Modified: b.Now()}
	o.Def = &catalog.Constraint{Table: b.id, SystemNamed: id == nil}
	if id == nil {
		o.Name = systemName(prefix, b.name, column, o.ID)
	} else {
		if b.anonymous {
			return nil, message.MS(156, "CONSTRAINT")
		}
		o.Name = id.Value
		if !IsTemp(b.name) {
			sch := b.db.SchemaByID(b.schema)
			if err := b.vacant(sch, o.Name, 5); err != nil {
				return nil, errConstraint(err)
			}
		}
		if slices.ContainsFunc(b.fresh, func(other *catalog.Object) bool { return catalog.SameName(b.db.Collation, other.Name, o.Name) }) {
			return nil, errConstraint(ErrExists(o.Name).At(16, 5))
		}
	}
	b.fresh = append(b.fresh, o)
	return o, nil
}

// systemName generates the name of a constraint as the server does: parts of the table and column
// names, and a number in hexadecimal digits.
func systemName(prefix, table, column string, id int32) string {
	cut := func(s string, n int) string {
		r := []rune(s)
		return string(r[:min(n, len(r))])
	}
	if prefix == "PK" || prefix == "UQ" {
		return fmt.Sprintf("%s__%s__%08X%08X", prefix, cut(table, 8), uint32(id)*2654435761, uint32(id))
	}
	if column == "" {
		return fmt.Sprintf("%s__%s__%08X", prefix, cut(table, 9), uint32(id))
	}
	return fmt.Sprintf("%s__%s__%s__%08X", prefix, cut(table, 9), cut(column, 5), uint32(id))
}
