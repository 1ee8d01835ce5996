package mssql

import (
	"maps"
	"slices"
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/plan"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// cursor is a T-SQL cursor. The sandbox materializes it when it is opened, which is how a STATIC (INSENSITIVE) one
// behaves. Any other cursor would show later changes: if there are any, FETCH is refused.
type cursor struct {
	name   string
	frame  *frame // the frame whose variables the query reads
	node   *ast.CursorDefinition
	static bool
	read   []tableState // for a cursor that is not static: what its rows were read from
	open   bool
	rows   []value.Row
	cols   []plan.Column
	at     int // index of the current row; -1 before the first
}

func (s *Session) cursorStatement(f *frame, st ast.Statement) {
	switch n := st.(type) {
	case *ast.DeclareCursorStatement:
		s.declareCursor(f, n)
		return
	case *ast.OpenCursorStatement:
		c := s.cursor(f, n.Cursor)
		query.Check(s.openCursor(c))
		return
	case *ast.FetchCursorStatement:
		s.fetch(f, n)
		return
	case *ast.CloseCursorStatement:
		c := s.cursor(f, n.Cursor)
		if !c.open {
			panic(message.MS(16917))
		}
		c.open, c.rows = false, nil
		return
	case *ast.DeallocateCursorStatement:
		query.Check(s.deallocate(f, n.Cursor))
		return
	}
	panic(sqlerr.NotSupported("%T", st))
}

// tableState is a table as it was when a cursor was opened.
type tableState struct {
	table   *store.Table
	changes uint64
}

// tablesOf records the state of the tables that a query reads.
func tablesOf(uses []plan.Use) (read []tableState) {
	for _, u := range uses {
		if u.Object == nil {
			continue
		}
		if t := u.Object.Table(); t != nil && t.Data != nil {
			read = append(read, tableState{t.Data, t.Data.Changes()})
		}
	}
	return read
}

// newCursor reads a cursor's options. GLOBAL is the default, as the database option CURSOR_DEFAULT says
// (learn.microsoft.com, "DECLARE CURSOR (Transact-SQL)").
func newCursor(f *frame, name string, d *ast.CursorDefinition) (c *cursor, local bool, err error) {
	c = &cursor{name: name, frame: f, node: d}
	if d.Select != nil && d.Select.Into != nil {
		return nil, false, sqlerr.NotSupported("INTO in the SELECT of a cursor")
	}
	for _, o := range d.Options {
		switch strings.ToLower(o.OptionKind) {
		case "local":
			local = true
		case "static", "insensitive":
			c.static = true
		case "global", "forwardonly", "readonly", "fastforward":
		default:
			return nil, false, sqlerr.NotSupported("cursor option %s", o.OptionKind)
		}
	}
	return c, local, nil
}

func (s *Session) declareCursor(f *frame, n *ast.DeclareCursorStatement) {
	c, local, err := newCursor(f, n.Name.Value, n.CursorDefinition)
	query.Check(err)
	if _, err := s.cursorPlan(c); err != nil && !deferred(s.asSQLError(err)) {
		panic(query.Raised(err))
	}
	key := foldName(n.Name.Value)
	place := s.cursors
	if local {
		if f.cursors == nil {
			f.cursors = map[string]*cursor{}
		}
		place = f.cursors
	}
	if place[key] != nil {
		panic(message.MS(16915, n.Name.Value))
	}
	place[key] = c
}

func cursorName(id *ast.CursorId) string {
	if id.Name.Identifier != nil {
		return id.Name.Identifier.Value
	}
	return id.Name.Value
}

// cursor finds a cursor by name: a local one first.
func (s *Session) cursor(f *frame, id *ast.CursorId) *cursor {
	name := cursorName(id)
	if strings.HasPrefix(name, "@") {
		slot, _, err := f.lookup(name)
		query.Check(err)
		c, ok := f.vars[slot].Any().(*cursor)
		if !ok {
			panic(message.MS(16950, name).At(16, 2))
		}
		return c
	}
	key := foldName(name)
	if c := f.cursors[key]; c != nil && !id.IsGlobal {
		return c
	}
	if c := s.cursors[key]; c != nil {
		return c
	}
	panic(message.MS(16916, name))
}

func (s *Session) cursorPlan(c *cursor) (*plan.Query, error) {
	return planned(s, c.frame, c.node, func(sc scope) (*plan.Query, error) { return plan.CompileCursor(sc, c.node.Select) })
}

func (s *Session) openCursor(c *cursor) error {
	if c.open {
		return message.MS(16905)
	}
	f := c.frame
	p, err := s.cursorPlan(c)
	if err != nil {
		return err
	}
	s.checkUses(f, p.Uses)
	s.beginImplicitly()
	c.cols, c.rows, c.at = p.Columns, nil, -1
	s.frames = append(s.frames, f) // the query reads this frame's variables, wherever OPEN is
	defer func() { s.frames = s.frames[:len(s.frames)-1] }()
	err = s.atomic(false, func() error {
		r, err := p.Open(s)
		if err != nil {
			return err
		}
		defer r.Close()
		for {
			row, ok, err := r.Next()
			if err != nil || !ok {
				return err
			}
			c.rows = append(c.rows, append(value.Row(nil), row...))
		}
	})
	c.open = err == nil
	if !c.static {
		c.read = tablesOf(p.Uses)
	}
	return err
}

func (s *Session) fetch(f *frame, n *ast.FetchCursorStatement) {
	c := s.cursor(f, n.Cursor)
	if !c.open {
		panic(message.MS(16917))
	}
	s.beginImplicitly()
	for _, t := range c.read {
		if t.table.Changes() != t.changes {
			panic(sqlerr.NotSupported("FETCH from a cursor that is not STATIC, when %s has changed since OPEN", t.table.Name()))
		}
	}
	if t := n.FetchType; t != nil && !strings.EqualFold(t.Orientation, "next") && !strings.EqualFold(t.Orientation, "none") {
		panic(sqlerr.NotSupported("FETCH %s", strings.ToUpper(t.Orientation)))
	}
	if c.at = min(c.at+1, len(c.rows)); c.at == len(c.rows) {
		s.fetchStatus, s.rowCount = -1, 0
		if len(n.IntoVariables) == 0 {
			s.out.Columns(c.cols)
			s.done(Select, 0, true)
		}
		return
	}
	s.fetchStatus, s.rowCount = 0, 1
	row := c.rows[c.at]
	if len(n.IntoVariables) == 0 {
		s.out.Columns(c.cols)
		s.out.Row(row)
		s.done(Select, 1, true)
		return
	}
	if len(n.IntoVariables) != len(row) {
		panic(message.MS(16924))
	}
	for i, e := range n.IntoVariables {
		v, ok := e.(*ast.VariableReference)
		if !ok {
			panic(sqlerr.NotSupported("FETCH INTO %T", e))
		}
		query.Check(f.store(v.Name, row[i], c.cols[i].Type))
	}
}

func (s *Session) deallocate(f *frame, id *ast.CursorId) error {
	c := s.cursor(f, id)
	if name := cursorName(id); strings.HasPrefix(name, "@") {
		slot, _, err := f.lookup(name)
		if err == nil {
			f.vars[slot] = value.Value{}
		}
		return err
	}
	for _, place := range []map[string]*cursor{f.cursors, s.cursors} {
		if key := foldName(c.name); place[key] == c {
			delete(place, key)
			break
		}
	}
	return nil
}

// closeCursors closes all cursors (SET CURSOR_CLOSE_ON_COMMIT ON).
func (s *Session) closeCursors() {
	for _, c := range s.cursors {
		c.open, c.rows = false, nil
	}
	for _, f := range s.frames {
		for _, c := range f.cursors {
			c.open, c.rows = false, nil
		}
	}
}

// closeLocals drops a frame's local cursors.
func (s *Session) closeLocals(f *frame) { f.cursors = nil }

// cursorStatus is CURSOR_STATUS(): 1 open with rows, 0 open and empty, -1 closed, -3 none.
func (s *Session) cursorStatus(args []value.Value) value.Value {
	f, name := s.top(), textOf(args[1])
	var c *cursor
	switch kind := strings.ToLower(textOf(args[0])); kind {
	case "local":
		c = f.cursors[foldName(name)]
	case "global":
		c = s.cursors[foldName(name)]
	default:
		panic(sqlerr.NotSupported("CURSOR_STATUS('%s', …)", kind))
	}
	switch {
	case c == nil:
		return value.NewInt(-3)
	case !c.open:
		return value.NewInt(-1)
	case len(c.rows) == 0:
		return value.NewInt(0)
	}
	return value.NewInt(1)
}

// cursorList is sp_cursor_list: a cursor over the session's cursors; scope 1: the caller's local ones, 2: the
// global ones, 3: both (learn.microsoft.com, "sp_cursor_list (Transact-SQL)").
func (s *Session) cursorList(f *frame, c procedureCall) (int64, error) {
	scope := c.int("@cursor_scope")
	out := &cursor{open: true, at: -1, cols: cursorListColumns()}
	add := func(place map[string]*cursor, number int64) {
		for _, name := range slices.Sorted(maps.Keys(place)) {
			cur := place[name]
			status, rows, fetched, last := int64(-1), int64(0), s.fetchStatus, int64(0)
			if cur.at < 0 {
				fetched = -9 // nothing has been fetched yet
			}
			if cur.open {
				last = 1
				status, rows = min(1, int64(len(cur.rows))), int64(len(cur.rows))
			}
			out.rows = append(out.rows, value.Row{
				value.NewString(cur.name), value.NewString(cur.name), value.NewInt(number), value.NewInt(status), value.NewInt(1), value.NewInt(1),
				boolInt(false), boolInt(cur.open), value.NewDecimal(rows, 0), value.NewInt(fetched), value.NewInt(int64(len(cur.cols))),
				value.NewDecimal(0, 0), value.NewInt(last), value.NewInt(int64(len(out.rows) + 1)),
			})
		}
	}
	if scope&1 != 0 {
		add(f.cursors, 1)
	}
	if scope&2 != 0 {
		add(s.cursors, 2)
	}
	c.vals[c.index("@cursor_return")] = value.NewRef(out)
	return 0, nil
}

func cursorListColumns() []plan.Column {
	tiny, count := datatype.Type{ID: datatype.TinyInt}, datatype.Type{ID: datatype.Decimal, Prec: 10}
	var out []plan.Column
	for _, c := range []struct {
		name string
		t    datatype.Type
	}{
		{"reference_name", typeName}, {"cursor_name", typeName}, {"cursor_scope", typeSmallInt}, {"status", typeSmallInt}, {"model", tiny},
		{"concurrency", tiny}, {"scrollable", tiny}, {"open_status", tiny}, {"cursor_rows", count}, {"fetch_status", typeSmallInt},
		{"column_count", typeSmallInt}, {"row_count", count}, {"last_operation", tiny}, {"cursor_handle", typeInt},
	} {
		out = append(out, plan.Column{Name: c.name, Type: c.t})
	}
	return out
}
