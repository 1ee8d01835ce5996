package catalog

import (
	"slices"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
)

// unitViews registers the views about stored units and their errors.
func (c *Catalog) unitViews() {
	c.family("SOURCE", "OWNER VARCHAR2(128), NAME VARCHAR2(128), TYPE VARCHAR2(12), LINE NUMBER, TEXT VARCHAR2(4000), ORIGIN_CON_ID NUMBER",
		"OWNER", func(v *viewer) {
			for o := range v.objects() {
				u, ok := o.Def.(*Unit)
				if !ok {
					continue
				}
				row := Row(o.Owner, o.Name, string(u.Kind), 0, "", 3)
				for text := range strings.Lines(u.Source) {
					row[3].N++
					if row[4] = Cell(text); !v.row(row) {
						return
					}
				}
			}
		})
	c.family("ERRORS", "OWNER VARCHAR2(128), NAME VARCHAR2(128), TYPE VARCHAR2(12), SEQUENCE NUMBER, LINE NUMBER, POSITION NUMBER, "+
		"TEXT VARCHAR2(4000), ATTRIBUTE VARCHAR2(9), MESSAGE_NUMBER NUMBER", "OWNER", func(v *viewer) {
		for o := range v.objects() {
			var list []CompileError
			switch d := o.Def.(type) {
			case *Unit:
				list = d.Errors
			case *View:
				list = d.Errors
			}
			for i, e := range list {
				v.emit(o.Owner, o.Name, string(o.Kind), i+1, e.Line, e.Position, e.Text, e.Attribute, e.Number)
			}
		}
	})
	c.family("TRIGGERS", "OWNER VARCHAR2(128), TRIGGER_NAME VARCHAR2(128), TRIGGER_TYPE VARCHAR2(16), TRIGGERING_EVENT VARCHAR2(246), "+
		"TABLE_OWNER VARCHAR2(128), BASE_OBJECT_TYPE VARCHAR2(18), TABLE_NAME VARCHAR2(128), WHEN_CLAUSE VARCHAR2(4000), STATUS VARCHAR2(8), "+
		"ACTION_TYPE VARCHAR2(11)", "OWNER TABLE_OWNER", func(v *viewer) {
		for o := range v.objects(ast.KindTrigger) {
			u := o.Def.(*Unit)
			t, events := u.Node.Trigger, []string{}
			for _, e := range []ast.TriggerEvent{ast.Inserting, ast.Updating, ast.Deleting} {
				if slices.Contains(t.Events, e) {
					events = append(events, string(e))
				}
			}
			v.emit(o.Owner, o.Name, which(t.After, "AFTER ", "BEFORE ")+which(t.Row, "EACH ROW", "STATEMENT"), strings.Join(events, " OR "),
				u.Table.Owner, "TABLE", u.Table.Name, nil, which(u.Disabled, "DISABLED", "ENABLED"), "PL/SQL")
		}
	})
}
