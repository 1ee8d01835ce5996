package tns

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
	"github.com/dbsched/dbsched/sandbox/internal/wire"
)

// ErrCancelled says that the client sent a break.
var ErrCancelled = wire.ErrCancelled

// ResponseWriter takes the answer to a request. Rows stream; everything else is sent when Do
// has returned.
type ResponseWriter struct {
	wire.Answer
	conn *conn

	end     callEnd
	status  bool          // a short call: without an error it ends with a status message
	failure *sqlerr.Error // the first error

	tells      bool // the client always wants a message about the statement (JDBC)
	directed   bool // the directions of variables have been sent
	countsRows bool // send the rows of each execution of DML
	counts     []int64
	schema     string // the new current schema

	cur     *cursor
	binds   []Bind     // for an Execute
	opened  *ResultSet // by an Execute
	max     int        // rows that may still be sent
	fetched int
}

// Query answers an Execute: the statement is a query, and its rows can be fetched.
func (w *ResponseWriter) Query(r *ResultSet) error {
	if err := w.Err(); err != nil {
		return err
	}
	const maxColumns = 4096 // of a table, a view or a query since 23ai; 1000 before
	if r == nil || len(r.Columns) == 0 || len(r.Columns) > maxColumns {
		return errors.New("tns: result set without columns or with too many")
	}
	w.opened = r
	return nil
}

// Row answers a Fetch with a row. A value that does not fit its column is an error and
// sends nothing.
func (w *ResponseWriter) Row(row value.Row) error {
	if err := w.Err(); err != nil {
		return err
	}
	if w.fetched >= w.max || w.end.code != 0 {
		return errors.New("tns: more rows than were asked for")
	}
	columns := w.cur.result.Columns
	if len(row) != len(columns) {
		return fmt.Errorf("tns: row of %d values in a result set of %d columns", len(row), len(columns))
	}
	start := len(w.Buf)
	if w.fetched == 0 {
		w.Buf = appendRowHeader(append(w.Buf, msgRowHeader), len(columns))
	}
	w.Buf = append(w.Buf, msgRowData)
	for i, v := range row {
		t, prefetch := columns[i].Type, false
		if w.cur.defines != nil {
			t.ID, prefetch = w.cur.defines[i].Type.ID, w.cur.defines[i].prefetch
		}
		if t.ID.isText() && w.cur.result.Number != nil && (v.Kind == value.Int || v.Kind == value.Decimal) {
			v = value.NewString(w.cur.result.Number(v))
		}
		var err error
		if w.Buf, err = w.column(t, v, prefetch); err != nil {
			w.Buf = w.Buf[:start]
			return fmt.Errorf("column %q: %w", columns[i].Name, err)
		}
	}
	w.fetched++
	w.Spill()
	return w.Err()
}

// column appends a value in the type of its column or its define.
func (w *ResponseWriter) column(t Type, v value.Value, prefetch bool) ([]byte, error) {
	switch {
	case t.ID.isLOB():
		return w.conn.appendLOB(w.Buf, t, v, prefetch)
	case t.ID == RefCursor:
		return w.conn.appendCursor(w.Buf, v)
	case t.ID.isLong():
		b, err := appendValue(w.Buf, t, v)
		return append(b, 0, 0), err // indicator, return code
	default:
		return appendValue(w.Buf, t, v)
	}
}

// noData ends a result set; to clients, it is not an error.
const noData = 1403

// EndOfData answers a Fetch: there are no more rows than were sent.
func (w *ResponseWriter) EndOfData() {
	if w.max > 0 && w.failure == nil {
		w.end.code, w.end.text = noData, "ORA-01403: no data found\n"
	}
}

// Rows answers an Execute with the number of rows that it inserted, updated, deleted,
// merged.
func (w *ResponseWriter) Rows(n int64) { w.end.rows = n }

// Counts answers an Execute of array DML with the rows of each iteration; failed is the iteration that ended it, -1: none.
func (w *ResponseWriter) Counts(counts []int64, failed int) {
	w.counts, w.end.rows = counts, 0
	for _, n := range counts {
		w.end.rows += n
	}
	if failed >= 0 {
		w.end.position = failed
	}
}

// LastRow tells the client the ROWID of the last row that a statement changed, or NULL.
func (w *ResponseWriter) LastRow(id value.Value) { w.end.row = id }

// Schema tells the client that the current schema has changed.
func (w *ResponseWriter) Schema(name string) { w.schema = name }

// InTransaction reports, at the end of the answer, that the session has a transaction.
func (w *ResponseWriter) InTransaction() { w.conn.status = inTransaction }

// CompileErrors answers an Execute that created a PL/SQL unit with compilation errors.
func (w *ResponseWriter) CompileErrors() { w.end.warning |= compiledWithErrors }

// Batch answers an Execute that had BatchErrors with the iterations that failed.
func (w *ResponseWriter) Batch(list []BatchError) { w.end.batch = list }

// Out answers an Execute of a PL/SQL block: how the block uses its bind variables, and
// the values of those that it writes; other values are ignored. A
// variable that a block both reads and writes is DirInOut even if it was never
// assigned. A client sends no values for DirOut when it executes the block again.
func (w *ResponseWriter) Out(use []Direction, values value.Row) error {
	return w.outs(use, len(values), func(i int) error { return w.out(&w.binds[i], values[i]) })
}

// Returning answers an Execute of DML with a RETURNING clause: the values of each
// DirOut variable, one per row affected. Clients other than go-ora accept more
// than one.
func (w *ResponseWriter) Returning(use []Direction, values [][]value.Value) error {
	return w.outs(use, len(values), func(i int) error {
		w.Buf = appendUint(w.Buf, uint64(len(values[i])))
		for _, v := range values[i] {
			if err := w.out(&w.binds[i], v); err != nil {
				return err
			}
		}
		return nil
	})
}

// outs sends the directions of all variables and the values of those that are written,
// or nothing if one of them cannot be sent.
func (w *ResponseWriter) outs(use []Direction, values int, value func(i int) error) (err error) {
	if err := w.Err(); err != nil {
		return err
	}
	start := len(w.Buf)
	defer func() {
		if err != nil {
			w.Buf, w.cur.written = w.Buf[:start], nil
		}
	}()
	if len(use) != len(w.binds) || values != len(use) {
		return fmt.Errorf("tns: directions of %d and %d values for %d bind variables", len(use), values, len(w.binds))
	}
	w.cur.written = make([]bool, len(use))
	if !w.directed { // once for all iterations
		w.Buf = appendRowHeader(append(w.Buf, msgIOVector), len(use))
	}
	for i, d := range use {
		if d != DirIn && d != DirOut && d != DirInOut {
			return fmt.Errorf("tns: direction %d", d)
		}
		if !w.directed {
			w.Buf = append(w.Buf, byte(d))
		}
		w.cur.written[i] = d == DirOut
	}
	w.directed = true
	if slices.ContainsFunc(use, func(d Direction) bool { return d != DirIn }) {
		w.Buf = append(w.Buf, msgRowData)
	}
	for i := range use {
		if use[i] != DirIn {
			if err := value(i); err != nil {
				return fmt.Errorf("bind variable %d: %w", i+1, err)
			}
		}
	}
	w.Spill()
	return w.Err()
}

// errNoRoom is PL/SQL's error for a value that is longer than its variable.
var errNoRoom = errors.New("character string buffer too small")

// out appends the value of one variable and its return code.
func (w *ResponseWriter) out(b *Bind, v value.Value) (err error) {
	defer func() {
		if err == nil && !b.Array {
			w.Buf = append(w.Buf, 0)
		}
	}()
	t := b.Type
	switch {
	case b.Array:
		list, _ := v.Any().([]value.Value)
		if len(list) > b.MaxElements {
			return fmt.Errorf("tns: %d elements where there is room for %d", len(list), b.MaxElements)
		}
		w.Buf = appendUint(w.Buf, uint64(len(list)))
		for _, e := range list {
			if w.Buf, err = appendValue(w.Buf, t, e); err != nil {
				return err
			}
			w.Buf = append(w.Buf, 0)
		}
		return nil
	case t.ID.isLOB():
		w.Buf, err = w.conn.appendLOB(w.Buf, t, v, b.prefetch)
	case t.ID == Boolean && w.conn.d.bare && !v.IsNull(): // JDBC 19 checks the first and the fourth byte, whatever the length
		w.Buf = append(w.Buf, 4, byte(v.N), 0, 0, 0)
	case t.ID == RefCursor:
		w.Buf, err = w.conn.appendCursor(w.Buf, v)
	case (t.ID == Varchar2 || t.ID == Char || t.ID == Raw) && t.Length == 0:
		// go-ora reads no value where it has no room for any (decodePrimValue).
		if !v.IsNull() && v.N > 0 {
			return errNoRoom
		}
	case (t.ID == Varchar2 || t.ID == Char || t.ID == Raw) && !t.National && v.N > int64(t.Length) && !v.IsNull():
		return errNoRoom
	default:
		w.Buf, err = appendValue(w.Buf, t, v)
	}
	return err
}

// appendRowHeader appends what rows and directions begin with (ResultSet.load): flags,
// number of columns, more of that number, rows, buffer length, bit vector, row id.
func appendRowHeader(b []byte, n int) []byte {
	return append(appendUint(append(b, 0), uint64(n)), 0, 0, 0, 0, 0)
}

// Error answers any request with an error; the first one counts. The text may have
// several lines, an error stack, and gets the prefix "ORA-" if it has none. An error
// that ends the connection closes it when Do has returned.
func (w *ResponseWriter) Error(e *sqlerr.Error) { w.ErrorAt(e, 0) }

// ErrorAt is Error with the position in the statement's text at which parsing failed,
// in bytes from 0.
func (w *ResponseWriter) ErrorAt(e *sqlerr.Error, position int) {
	if e.Scope == sqlerr.Connection {
		w.Fatal = true
	}
	if w.failure != nil {
		return
	}
	w.failure = e
	w.end.code, w.end.position = errorCode(e), max(position, 0)
	w.end.text = errorText(e)
}

// errorCode returns the number of an error as the protocol can carry it.
func errorCode(e *sqlerr.Error) int {
	if e.Number <= 0 || e.Number > 65535 {
		return 600
	}
	return int(e.Number)
}

func errorText(e *sqlerr.Error) string {
	text := e.Text
	if !strings.HasPrefix(text, "ORA-") {
		text = fmt.Sprintf("ORA-%05d: %s", errorCode(e), text)
	}
	return strings.TrimSuffix(text, "\n") + "\n"
}

// Hangup closes the connection without an answer.
func (w *ResponseWriter) Hangup() {
	w.Fail(net.ErrClosed)
	_ = w.conn.Net.Close()
}

// finish sends the end of the answer.
func (w *ResponseWriter) finish() error {
	if len(w.end.batch) > 0 && w.failure == nil {
		w.end.code, w.end.text = 24381, "ORA-24381: error(s) in array DML\n"
	}
	if w.failure != nil {
		w.end.batch = nil
	}
	if w.tells && w.failure == nil || w.countsRows && w.counts != nil || w.schema != "" {
		// Six numbers, of which clients use only the cursor's; no text, perhaps a setting, no registration.
		w.Buf = appendUint(append(w.Buf, msgParameter), 6)
		w.Buf = appendUint(append(w.Buf, 0, 0), uint64(w.end.cursor))
		w.Buf = append(w.Buf, 0, 0, 0, 0)
		if w.schema == "" {
			w.Buf = append(w.Buf, 0)
		} else {
			const currentSchema = 168
			w.Buf = appendUint(append(appendDlc(append(w.Buf, 1, 1), w.schema), 0), currentSchema)
		}
		w.Buf = append(w.Buf, 0)
		if w.countsRows && w.counts != nil {
			w.Buf = appendUint(w.Buf, uint64(len(w.counts)))
			for _, n := range w.counts {
				w.Buf = appendUint(w.Buf, uint64(n))
			}
		}
	}
	w.end.status = w.conn.status
	if w.status && w.failure == nil {
		w.Buf = appendStatus(w.Buf, w.end.status)
	} else {
		w.Buf = appendEnd(w.Buf, w.end)
	}
	return w.Finish()
}
