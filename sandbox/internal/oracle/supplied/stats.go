package supplied

import (
	"cmp"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// statistics checks requests by the rules but gathers nothing: no plan here uses statistics.
var statistics = natives{
	"GATHER_TABLE_STATS":  func(c *call) error { return c.gather(c.text("TABNAME")) },
	"GATHER_SCHEMA_STATS": func(c *call) error { return c.gather("") },
}

// gather commits and checks that the object exists, and the right to gather its statistics.
func (c *call) gather(table string) error {
	if err := c.s.Commit(nil); err != nil {
		return err
	}
	owner, _, _ := simpleName(cmp.Or(c.text("OWNNAME"), c.s.Schema()))
	name, _, _ := simpleName(table)
	v := c.s.ViewContext()
	allowed := owner.Text == v.Rights.User || v.Catalog.Has(v.Rights, "ANALYZE ANY")
	switch o := v.Catalog.Object(owner.Text, name.Text); {
	case table == "" && (!allowed || v.Catalog.User(owner.Text) == nil):
		return sqlerr.New(20000, "Schema \"%s\" does not exist or insufficient privileges", owner.Text)
	case table != "" && (!allowed || o == nil || o.Kind != ast.KindTable):
		return sqlerr.New(20000, "Unable to analyze TABLE \"%s\".\"%s\", insufficient privileges or does not exist", owner.Text, name.Text)
	}
	return nil
}
