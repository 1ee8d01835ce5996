package tns

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Options of an execution (Stmt.getExeOption).
const (
	optParse       = 0x1
	optDefine      = 0x10
	optExecute     = 0x20
	optFetch       = 0x40
	optCommit      = 0x100
	optNotPLSQL    = 0x8000
	optBatchErrors = 0x80000
)

// executeCall is a call that parses, binds, defines, executes and fetches, in any
// combination ("OALL8").
type executeCall struct {
	options  int
	cursor   int
	parse    bool
	sql      string
	binds    []Bind
	defines  []Bind
	rows     []value.Row
	refusal  *sqlerr.Error
	prefetch int     // rows to send with the description of a query without LOBs
	numbers  [13]int // "al8i4"
}

// Meanings of executeCall.numbers.
const (
	numIterations = 1 // executions; for a query, the rows to send with it
	numQuery      = 7 // 1: the client considers it a query
	numFlags      = 9
)

// Flags in executeCall.numbers.
const (
	flagScrollable = 0x2
	flagRowCounts  = 0x4000 // for each execution of array DML
)

// executeCall reads the body of the call (defaultStmt.basicWrite, for TTC 11).
// returning says how many binds of the statement receive values of a RETURNING clause: in array DML the client sends none for them.
func (d *decoder) executeCall(returning func(c *executeCall) int) executeCall {
	var c executeCall
	c.options = d.u()
	c.cursor = d.u()
	d.U8() // whether there is a text
	size := d.u()
	d.U8()
	d.u() // 13
	d.U8()
	d.U8()
	d.u() // prefetch in bytes
	c.prefetch = d.u()
	d.u() // maximum length of a LONG
	d.U8()
	binds := d.count()
	d.Bytes(5) // pointers that clients omit
	d.U8()
	defines := d.count()
	d.u() // registration
	d.Bytes(2)
	d.Bytes(5)
	d.U8() // whether row counts of array DML are wanted, and for how many executions
	d.u()
	d.U8()
	d.Bytes(5) // signature and SQL id
	d.Bytes(2) // chunk ids
	if c.parse = size > 0; c.parse {
		c.sql = d.text(size)
	}
	for i := range c.numbers {
		c.numbers[i] = d.u()
	}
	if defines > 0 {
		c.defines = d.bindDefs(defines)
		return c
	}
	n := 1
	if c.numbers[numQuery] != 1 {
		n = max(1, c.numbers[numIterations])
	}
	if binds == 0 {
		if c.options&optExecute != 0 && d.Cell(n) {
			c.rows = make([]value.Row, n)
		}
		return c
	}
	c.binds = d.bindDefs(binds)
	if c.options&optNotPLSQL != 0 {
		const maxLength = 32767 // for a VARCHAR2 or RAW; longer ones are LONG
		for i := range c.binds {
			c.binds[i].late = c.binds[i].late || c.binds[i].Type.Length > maxLength && !c.binds[i].Type.ID.isLOB()
		}
	}
	sent := len(c.binds)
	if n > 1 && d.Err == nil && !d.bare { // JDBC sends NULL
		sent -= returning(&c)
	}
	c.rows, c.refusal = d.rows(n, c.binds, func(i int) bool { return i < sent && !c.binds[i].Repeated })
	return c
}

// rowsWanted returns how many rows to send with the description. Without optFetch, JDBC wants none, and go-ora as many as it has room for.
func (c *executeCall) rowsWanted(jdbc bool) int {
	if jdbc && c.options&optFetch == 0 {
		return 0
	}
	return c.prefetch
}

// cursor is what a client refers to by a cursor number.
type cursor struct {
	id      int
	stmt    *Statement // nil for a REF CURSOR
	binds   []Bind
	written []bool     // the variables reported to the client as OUT: it sends no more values for them
	result  *ResultSet // open
	ended   bool       // all its rows have been fetched
	told    []Column   // the columns the client knows about
	defines []Bind     // the types that it wants them in
}

// execute serves an OALL8.
func (c *conn) execute() error {
	call := c.d.executeCall(c.returning)
	if cu := c.cursors[call.cursor]; cu != nil && !call.parse && call.binds == nil && call.options&optExecute != 0 && !c.d.Ended() {
		call.rows, call.refusal = c.d.rows(max(1, call.numbers[numIterations]), cu.binds, func(i int) bool { return !cu.binds[i].Repeated })
	}
	return c.respond(func(w *ResponseWriter) {
		w.tells, w.countsRows = c.d.bare, call.numbers[numFlags]&flagRowCounts != 0
		c.executeCall(&call, w)
	})
}

func (c *conn) executeCall(call *executeCall, w *ResponseWriter) {
	if call.refusal != nil {
		w.Error(call.refusal)
		return
	}
	if call.numbers[numFlags]&flagScrollable != 0 {
		w.Error(sqlerr.NotSupported("scrollable cursors"))
		return
	}
	cu, created := c.cursors[call.cursor], false
	switch {
	case call.cursor == 0 && call.parse:
		if cu = c.newCursor(); cu == nil {
			w.Error(sqlerr.New(1000, "maximum open cursors exceeded"))
			return
		}
		created = true
	case cu == nil:
		w.Error(sqlerr.New(1001, "invalid cursor"))
		return
	}
	defer func() {
		if created && w.failure != nil {
			c.closeCursor(cu.id)
		} else if w.end.cursor == 0 {
			w.end.cursor = cu.id
		}
	}()
	if call.parse {
		c.closeResult(cu)
		cu.stmt, cu.binds, cu.told, cu.defines = &Statement{SQL: call.sql}, nil, nil, nil
	}
	if call.binds != nil {
		cu.binds, cu.written = call.binds, nil
	}
	if call.defines != nil && !c.define(cu, call.defines, w) {
		return
	}
	switch {
	case call.options&optExecute != 0 || call.parse:
		if cu.stmt == nil {
			w.Error(sqlerr.New(1001, "invalid cursor"))
			return
		}
		c.run(cu, &Execute{
			Statement: cu.stmt, Binds: cu.binds, Iterations: call.rows,
			AutoCommit:   call.options&optCommit != 0,
			AllValues:    c.sendsAll,
			BatchErrors:  call.options&optBatchErrors != 0,
			DescribeOnly: call.options&optExecute == 0,
		}, call.rowsWanted(c.d.bare), call.numbers[numIterations], w)
	case call.options&optFetch != 0:
		c.fetchRows(cu, call.numbers[numIterations], w)
	}
}

// returning asks the session how many variables of a statement receive values. go-ora sends values for them, too.
func (c *conn) returning(call *executeCall) int {
	r := &Returning{SQL: call.sql}
	if cu := c.cursors[call.cursor]; cu != nil && cu.stmt != nil && !call.parse {
		r.SQL = cu.stmt.SQL
	}
	if c.sendsAll {
		return 0
	}
	_ = c.quietly(r)
	return r.Count
}

// define records the types that the client wants columns in.
func (c *conn) define(cu *cursor, defines []Bind, w *ResponseWriter) bool {
	if cu.result == nil || len(defines) != len(cu.result.Columns) {
		w.Error(sqlerr.New(1007, "variable not in select list"))
		return false
	}
	for i := range defines {
		if defines[i].Type.ID.isLOB() && defines[i].Type.Chars > 0 {
			w.Error(sqlerr.NotSupported("prefetching the data of LOBs"))
			return false
		}
		if column := cu.result.Columns[i].Type.ID; c.python && !column.isLOB() {
			defines[i].Type.ID = column
		}
		defines[i].Type.National = cu.result.Columns[i].Type.National
	}
	cu.defines = defines
	return true
}

// run lets the session execute and, for a query, fetch the first rows.
func (c *conn) run(cu *cursor, e *Execute, prefetch, iterations int, w *ResponseWriter) {
	if len(e.Iterations) == 0 {
		e.Iterations = []value.Row{make(value.Row, len(e.Binds))}
	}
	if !c.resolve(e.Iterations, w) {
		return
	}
	c.closeResult(cu)
	w.cur, w.binds, w.opened = cu, e.Binds, nil
	c.do(e, w)
	if w.opened == nil {
		return
	}
	if w.failure != nil {
		_ = c.quietly(&CloseResult{w.opened})
		return
	}
	cu.result = w.opened
	if !slices.Equal(cu.told, cu.result.Columns) {
		w.Buf = c.describe(append(w.Buf, msgDescribe, 0), cu.result.Columns)
		cu.told, cu.defines = cu.result.Columns, nil
	}
	rows := iterations
	if cu.defines != nil || !slices.ContainsFunc(cu.result.Columns, func(c Column) bool { return c.Type.ID.isLOB() || c.Type.ID.isLong() }) {
		// Rows with LOBs are sent once the client has said how it wants them, or asks
		// for locators.
		rows = max(rows, prefetch)
	}
	if rows > 0 && !e.DescribeOnly {
		c.fetchRows(cu, rows, w)
	}
}

// reexecute serves the short calls that execute a cursor again; query is the call that
// also fetches.
func (c *conn) reexecute(query bool) error {
	id, n := c.d.u(), c.d.count()
	c.d.u()
	flags := c.d.u()
	if c.d.Err != nil {
		return c.d.Err
	}
	cu := c.cursors[id]
	if cu == nil || cu.stmt == nil {
		c.d.B = nil // values that cannot be understood
		return c.respond(func(w *ResponseWriter) { w.Error(sqlerr.New(1001, "invalid cursor")) })
	}
	rows := []value.Row{make(value.Row, len(cu.binds))}
	var refusal *sqlerr.Error
	// No message follows if no variable has a value to send. Only the client
	// knows how many have one: go-ora uses its caller's sql.Out.
	if len(cu.binds) > 0 && !c.d.Ended() {
		iterations := 1
		if !query {
			iterations = max(1, n)
		}
		rows, refusal = c.d.rows(iterations, cu.binds, func(i int) bool {
			return !cu.binds[i].Repeated && (cu.written == nil || !cu.written[i])
		})
	}
	return c.respond(func(w *ResponseWriter) {
		w.end.cursor = id
		if refusal != nil {
			w.Error(refusal)
			return
		}
		prefetch := 0
		if query {
			prefetch = n
		}
		c.run(cu, &Execute{Statement: cu.stmt, Binds: cu.binds, Iterations: rows, AutoCommit: flags&1 != 0}, prefetch, 0, w)
	})
}

// fetch serves a fetch.
func (c *conn) fetch() error {
	id, n := c.d.u(), c.d.count()
	return c.respond(func(w *ResponseWriter) {
		w.end.cursor = id
		cu := c.cursors[id]
		if cu == nil {
			w.Error(sqlerr.New(1001, "invalid cursor"))
			return
		}
		c.fetchRows(cu, n, w)
	})
}

func (c *conn) fetchRows(cu *cursor, n int, w *ResponseWriter) {
	if cu.result == nil || cu.ended {
		w.Error(sqlerr.New(1002, "fetch out of sequence"))
		return
	}
	w.cur, w.max, w.fetched = cu, max(n, 1), 0
	c.do(&Fetch{Result: cu.result, Max: w.max}, w)
	w.max = 0
	cu.ended = w.end.code == noData
	if w.failure == nil {
		w.end.rows = int64(w.fetched)
	}
}

// newCursor makes a cursor with the lowest free number; nil: there are too many.
func (c *conn) newCursor() *cursor {
	if len(c.cursors) >= maxCursors {
		return nil
	}
	id := 1
	for c.cursors[id] != nil {
		id++
	}
	cu := &cursor{id: id}
	c.cursors[id] = cu
	return cu
}

// closeCursor removes a cursor and closes its result set.
func (c *conn) closeCursor(id int) {
	if cu := c.cursors[id]; cu != nil {
		c.closeResult(cu)
		delete(c.cursors, id)
	}
}

func (c *conn) closeResult(cu *cursor) {
	if cu.result != nil {
		_ = c.quietly(&CloseResult{cu.result})
		cu.result, cu.ended = nil, false
	}
}
