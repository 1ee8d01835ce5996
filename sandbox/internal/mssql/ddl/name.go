package ddl

import (
	"cmp"
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// Written shows a name as it was written, without quotes.
func Written(n *ast.SchemaObjectName) string {
	var parts []string
	for _, id := range []*ast.Identifier{n.ServerIdentifier, n.DatabaseIdentifier, n.SchemaIdentifier, n.BaseIdentifier} {
		if id != nil {
			parts = append(parts, id.Value)
		}
	}
	return strings.Join(parts, ".")
}

func base(n *ast.SchemaObjectName) string { return n.BaseIdentifier.Value }

// schemaOf returns the schema part of a name, or "".
func schemaOf(n *ast.SchemaObjectName) string {
	if n.SchemaIdentifier != nil {
		return n.SchemaIdentifier.Value
	}
	return ""
}

// IsTemp reports whether a name is that of a local temporary object.
func IsTemp(name string) bool { return strings.HasPrefix(name, "#") && !strings.HasPrefix(name, "##") }

// enter moves the statement to the database of a three-part name.
func (x *run) enter(n *ast.SchemaObjectName) {
	if strings.HasPrefix(base(n), "##") {
		panic(sqlerr.NotSupported("global temporary object %s", base(n)))
	}
	if n.DatabaseIdentifier == nil || n.DatabaseIdentifier.Value == "" {
		return
	}
	db := x.Server().DatabaseByName(n.DatabaseIdentifier.Value)
	if db == nil {
		panic(message.MS(911, n.DatabaseIdentifier.Value).
			Ending(sqlerr.Batch))
	}
	query.Must(x.TokenIn(db))
	x.db = db
}

// target finds the schema to create something in, and checks the permission.
func (x *run) target(n *ast.SchemaObjectName, permission string) *catalog.Schema {
	name := schemaOf(n)
	name = cmp.Or(name, x.defaultSchema())
	sch := x.db.SchemaByName(name)
	noSchema := message.MS(2760, name)
	if sch == nil {
		panic(noSchema)
	}
	if permission != "" && !x.may(permission, catalog.OnDatabase()) {
		panic(catalog.DeniedInDatabase(permission, x.db))
	}
	right := "ALTER"
	if permission == "" {
		right = "CREATE SEQUENCE"
	}
	if !x.may(right, catalog.OnSchema(sch)) || sch.ID == catalog.SysSchema || sch.ID == catalog.InformationSchemaSchema {
		panic(noSchema)
	}
	return sch
}

// defaultSchema is where a name without schema is created.
func (x *run) defaultSchema() string {
	if x.db == x.Database() {
		if s := x.DefaultSchema(); s != "" {
			return s
		}
	}
	return "dbo"
}

// lookup finds an object by a name: in the schema that it gives, else in the default schema,
// then in dbo. It does not lock.
func (x *run) lookup(n *ast.SchemaObjectName) *catalog.Object {
	if IsTemp(base(n)) {
		return x.Temp(base(n))
	}
	if s := schemaOf(n); s != "" {
		return x.db.Object(s, base(n))
	}
	if o := x.db.Object(x.defaultSchema(), base(n)); o != nil {
		return o
	}
	return x.db.Object("dbo", base(n))
}

// claim finds an object and locks it Sch-M; nil when there is none. Another session may have
// changed, dropped or created it while this one waited, so it looks again until what it
// finds is what it has locked.
func (x *run) claim(n *ast.SchemaObjectName) (*catalog.Object, error) {
	x.enter(n)
	if IsTemp(base(n)) {
		return x.Temp(base(n)), nil
	}
	for {
		o := x.lookup(n)
		if o == nil {
			again, err := x.awaitDrop(n)
			if err != nil || !again {
				return nil, err
			}
			continue
		}
		if o.DB == nil {
			return o, nil // a system view: the caller refuses
		}
		x.lockObject(o.DB, o.ID, store.SchM)
		if now := x.lookup(n); now != nil && now.ID == o.ID {
			return now, nil
		}
	}
}

// awaitDrop waits for the end of another transaction that has dropped an object of that name.
// It reports whether there was one.
func (x *run) awaitDrop(n *ast.SchemaObjectName) (bool, error) {
	schema := schemaOf(n)
	schema = cmp.Or(schema, x.defaultSchema())
	id, ok := x.db.Dropping(schema, base(n))
	if !ok || x.StoreSession().Store().ModeHeld(x.tx.Owner(), ObjectResource(x.db, id)) == store.SchM {
		return false, nil // none, or dropped by this transaction
	}
	x.lockObject(x.db, id, store.SchS)
	return true, nil
}

// vacant makes sure that a name is free in a schema (error 2714), waiting for transactions that
// have created or dropped something of that name.
func (x *run) vacant(sch *catalog.Schema, name string, state uint8) error {
	for {
		o := x.db.Object(sch.Name, name)
		if o != nil && o.Kind != catalog.SystemViewObject {
			x.lockObject(x.db, o.ID, store.SchS)
			if now := x.db.Object(sch.Name, name); now != nil && now.ID == o.ID {
				return ErrExists(name).At(16, state)
			}
			continue
		}
		n := &ast.SchemaObjectName{SchemaIdentifier: &ast.Identifier{Value: sch.Name}, BaseIdentifier: &ast.Identifier{Value: name}}
		again, err := x.awaitDrop(n)
		if err != nil {
			return err
		}
		if !again {
			return nil
		}
	}
}

// add puts a new object into the database and locks it.
func (x *run) add(o *catalog.Object) {
	o.Created, o.Modified = x.Now(), x.Now()
	x.db.Add(x.tx, o)
	x.lockObject(x.db, o.ID, store.SchM)
}

// replace replaces an object's definition.
func (x *run) replace(o *catalog.Object, def any) *catalog.Object {
	c := *o
	c.Def, c.Modified = def, x.Now()
	if IsTemp(o.Name) {
		x.PutTemp(&c)
		x.tx.Undo(func() { x.PutTemp(o) })
		return &c
	}
	x.db.Replace(x.tx, &c)
	return &c
}
