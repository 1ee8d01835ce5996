package ddl

import (
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// PropertyLevel is a pair of @levelNtype and @levelNname; an empty type stands for NULL.
type PropertyLevel struct{ Type, Name string }

// PropertyAction says which of the three procedures about extended properties runs.
type PropertyAction uint8

// sp_addextendedproperty, sp_updateextendedproperty and sp_dropextendedproperty.
const (
	AddProperty PropertyAction = iota
	UpdateProperty
	DropProperty
)

// ExtendedProperty is sp_addextendedproperty, sp_updateextendedproperty or sp_dropextendedproperty.
// The value is a sql_variant; DropProperty does not look at it.
func ExtendedProperty(s Session, action PropertyAction, name string, v value.Value, levels [3]PropertyLevel) error {
	x := &run{Session: s, db: s.Database(), tx: s.Txn()}
	p, on, shown, err := x.propertyTarget(levels)
	if err != nil {
		return err
	}
	if !x.may("ALTER", on) {
		return sqlerr.New(15135, "Object is invalid. Extended properties are not permitted on '%s', or the object does not exist.", shown)
	}
	p.Name, p.Value = name, v
	old, exists := x.db.Property(p.Class, p.Major, p.Minor, name)
	switch {
	case action == AddProperty && exists:
		return sqlerr.New(15233, "Property cannot be added. Property '%s' already exists for '%s'.", name, shown)
	case action != AddProperty && !exists:
		return sqlerr.New(15217, "Property cannot be updated or deleted. Property '%s' does not exist for '%s'.", name, shown)
	}
	if exists {
		x.db.RemoveProperty(x.tx, old)
	}
	if action != DropProperty {
		x.db.SetProperty(x.tx, p)
	}
	return nil
}

// propertyTarget resolves the levels: nothing is the database, then schema, object, and a column,
// parameter, index or constraint of it.
func (x *run) propertyTarget(levels [3]PropertyLevel) (catalog.Property, catalog.Securable, string, error) {
	var parts []string
	for _, l := range levels {
		if l.Type != "" {
			parts = append(parts, l.Name)
		}
	}
	shown := strings.Join(parts, ".")
	if shown == "" {
		shown = "object specified"
	}
	invalid := sqlerr.New(15135, "Object is invalid. Extended properties are not permitted on '%s', or the object does not exist.", shown)
	fail := func(err error) (catalog.Property, catalog.Securable, string, error) {
		return catalog.Property{}, catalog.Securable{}, shown, err
	}
	switch strings.ToUpper(levels[0].Type) {
	case "":
		return catalog.Property{}, catalog.OnDatabase(), shown, nil
	case "SCHEMA":
	case "USER":
		p := x.db.PrincipalByName(levels[0].Name)
		if p == nil || levels[1].Type != "" {
			return fail(invalid)
		}
		return catalog.Property{Class: 4, Major: p.ID}, catalog.OnPrincipal(p), shown, nil
	default:
		return fail(sqlerr.NotSupported("extended properties of level 0 type %s", levels[0].Type))
	}
	sch := x.db.SchemaByName(levels[0].Name)
	if sch == nil {
		return fail(invalid)
	}
	if levels[1].Type == "" {
		return catalog.Property{Class: 3, Major: sch.ID}, catalog.OnSchema(sch), shown, nil
	}
	o := x.db.Object(sch.Name, levels[1].Name)
	if strings.EqualFold(levels[1].Type, "TYPE") {
		t := x.db.TypeByName(sch.Name, levels[1].Name)
		if t == nil || levels[2].Type != "" {
			return fail(invalid)
		}
		return catalog.Property{Class: 6, Major: t.ID}, catalog.OnType(t), shown, nil
	}
	if o == nil || o.DB == nil || !strings.EqualFold(levels[1].Type, levelType(o.Kind)) {
		return fail(invalid)
	}
	p := catalog.Property{Class: 1, Major: o.ID}
	if levels[2].Type == "" {
		return p, catalog.OnObject(o), shown, nil
	}
	if !x.minor(&p, o, levels[2]) {
		return fail(invalid)
	}
	return p, catalog.OnObject(o), shown, nil
}

func levelType(k catalog.Kind) string {
	switch k {
	case catalog.UserTable:
		return "TABLE"
	case catalog.View:
		return "VIEW"
	case catalog.Procedure:
		return "PROCEDURE"
	case catalog.ScalarFunction, catalog.InlineFunction, catalog.TableFunction:
		return "FUNCTION"
	case catalog.Queue:
		return "QUEUE"
	case catalog.SequenceObject:
		return "SEQUENCE"
	default:
	}
	return ""
}

// minor resolves level 2: a column, parameter, index or constraint.
func (x *run) minor(p *catalog.Property, o *catalog.Object, l PropertyLevel) bool {
	same := func(name string) bool { return catalog.SameName(x.db.Collation, name, l.Name) }
	switch strings.ToUpper(l.Type) {
	case "COLUMN":
		for _, c := range o.Columns() {
			if same(c.Name) {
				p.Minor = c.ID
				return true
			}
		}
	case "PARAMETER":
		if m := o.Module(); m != nil {
			for i, q := range m.Params {
				if same(q.Name) {
					p.Class, p.Minor = 2, int32(i+1)
					return true
				}
			}
		}
	case "INDEX":
		if t := o.Table(); t != nil {
			if i := x.findIndex(t, l.Name); i >= 0 {
				p.Class, p.Minor = 7, t.Indexes[i].ID
				return true
			}
		}
	case "CONSTRAINT":
		if c := x.db.Object(o.Schema, l.Name); c != nil && c.Parent == o.ID {
			p.Major = c.ID
			return true
		}
	}
	return false
}
