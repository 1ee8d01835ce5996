package supplied

import (
	"slices"
	"strings"

	"github.com/dbsched/dbsched/sandbox/differ"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plsql"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// cursors holds a session's DBMS_SQL cursors.
type cursors struct {
	open   map[int64]*cursor
	denied bool // a number that is not a cursor's was used: ORA-29471 from then on
}

// cursor is a cursor of DBMS_SQL.
type cursor struct {
	user    string // who parsed it
	dynamic plsql.Dynamic
	binds   []*plsql.Bind // by name
	defined []bool        // by position
	rows    *plan.Rows
	ran     bool // DDL
}

// cursor returns the cursor of parameter C. Any other number disables DBMS_SQL for the session
// ("DBMS_SQL", Security Model, "Preventing Malicious or Accidental Access of Open Cursor Numbers").
func (c *call) cursor() (*cursor, error) {
	all := &c.s.Supplied().cursors
	if all.denied {
		return nil, message.ORA(29471)
	}
	if c.isNull("C") {
		return nil, message.ORA(1001)
	}
	if cur := all.open[c.whole("C")]; cur != nil {
		return cur, nil
	}
	all.denied = true
	return nil, message.ORA(29471)
}

// parsed returns a cursor that has a statement.
func (c *call) parsed() (*cursor, error) {
	cur, err := c.cursor()
	if err == nil && cur.dynamic == nil {
		err = message.ORA(1003)
	}
	return cur, err
}

// usable is parsed for binding and executing, which only the user who parsed may do ("Preventing Inappropriate Use of a Cursor").
func (c *call) usable() (*cursor, error) {
	cur, err := c.parsed()
	if err == nil && cur.user != c.s.ViewContext().User {
		err = message.ORA(29470)
	}
	return cur, err
}

// close ends the query that the cursor is running.
func (cur *cursor) close() {
	if cur.rows != nil {
		cur.rows.Close()
	}
	cur.rows = nil
}

var dynamicSQL = natives{
	"OPEN_CURSOR": func(c *call) error {
		all := &c.s.Supplied().cursors
		if all.denied {
			return message.ORA(29471)
		}
		if all.open == nil {
			all.open = map[int64]*cursor{}
		}
		const numbers = 1 << 31
		id := int64(c.kernel().Choose("cursor number", numbers-1)) + 1
		for all.open[id] != nil {
			id = id%(numbers-1) + 1
		}
		all.open[id] = &cursor{}
		c.returnInt(id)
		return nil
	},
	"IS_OPEN": func(c *call) error {
		if c.isNull("C") && !c.s.Supplied().cursors.denied {
			c.Return(value.NewBool(false))
			return nil
		}
		_, err := c.cursor()
		c.Return(value.NewBool(err == nil))
		return err
	},
	"CLOSE_CURSOR": func(c *call) error {
		cur, err := c.cursor()
		if err != nil {
			return err
		}
		cur.close()
		delete(c.s.Supplied().cursors.open, c.whole("C"))
		c.Set("C", value.Value{})
		return nil
	},
	"PARSE": parse, "PARSE#2": parse,
	"EXECUTE": func(c *call) error {
		cur, err := c.usable()
		if err != nil {
			return err
		}
		n, err := cur.execute()
		c.returnInt(n)
		return err
	},
	"FETCH_ROWS": func(c *call) error {
		cur, err := c.parsed()
		if err != nil {
			return err
		}
		n, err := cur.fetch()
		c.returnInt(n)
		return err
	},
	"DESCRIBE_COLUMNS3": describeColumns,
}

// parse prepares a statement, and runs it if it is DDL.
func parse(c *call) error {
	cur, err := c.cursor()
	if err != nil {
		return err
	}
	cur.close()
	*cur = cursor{user: c.s.ViewContext().User}
	d, err := c.s.Prepare(c.text("STATEMENT"))
	if err != nil {
		return sqlerr.Outside(err)
	}
	cur.dynamic, cur.defined = d, make([]bool, len(d.Columns()))
	if d.Kind() == plsql.DynamicDDL && c.kernel().Differs(differ.ParseRefusesDDL) {
		return message.ORA(900)
	}
	if cur.ran = d.Kind() == plsql.DynamicDDL && !c.kernel().Differs(differ.ParseDefersDDL); cur.ran {
		_, err = d.Execute(nil)
	}
	return sqlerr.Outside(err)
}

// bind returns the bind with a name. Error: 1006 if the statement has no such bind.
func (cur *cursor) bind(name string) (*plsql.Bind, error) {
	name = strings.ToUpper(strings.TrimPrefix(name, ":"))
	if !slices.Contains(cur.dynamic.Placeholders(), name) {
		return nil, message.ORA(1006)
	}
	for _, b := range cur.binds {
		if b.Name == name {
			return b, nil
		}
	}
	b := &plsql.Bind{Name: name, Mode: "IN OUT"}
	cur.binds = append(cur.binds, b)
	return b, nil
}

// execute runs the statement and returns the number of rows that DML processed; fetch returns the rows of a query.
func (cur *cursor) execute() (int64, error) {
	cur.close()
	if cur.ran {
		return 0, nil
	}
	var binds []*plsql.Bind
	for _, name := range cur.dynamic.Placeholders() {
		i := slices.IndexFunc(cur.binds, func(b *plsql.Bind) bool { return b.Name == name })
		if i < 0 {
			return 0, message.ORA(1008)
		}
		binds = append(binds, cur.binds[i])
	}
	from := len(binds) - len(cur.dynamic.Returning())
	r, err := cur.dynamic.Execute(binds[:from])
	if err != nil {
		return 0, sqlerr.Outside(err)
	}
	if len(r.Returning) > 1 {
		return 0, sqlerr.NotSupported("RETURNING of more than one row into variables of DBMS_SQL")
	}
	for _, row := range r.Returning {
		for i, b := range binds[from:] {
			if b.Value, err = datatype.Convert(row[i], cur.dynamic.Returning()[i].Type, b.Type, nil); err != nil {
				return 0, err
			}
		}
	}
	cur.rows = r.Rows
	return r.Count, nil
}

// fetch gets the next row; 0: no row. Every column must have been defined.
// Error: 1002 without a running query, or after its end.
func (cur *cursor) fetch() (int64, error) {
	if cur.rows == nil {
		return 0, message.ORA(1002)
	}
	if i := slices.Index(cur.defined, false); i >= 0 {
		return 0, sqlerr.NotSupported("DBMS_SQL.FETCH_ROWS before column %d is defined", i+1)
	}
	_, ok, err := cur.rows.Next()
	if err != nil {
		return 0, sqlerr.Outside(err)
	}
	if !ok {
		cur.close()
		return 0, nil
	}
	return 1, nil
}
