package tns

import (
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// describeTable serves JDBC, which requests the columns of a table, view or synonym for its generated keys (T4C8Odsy, T4C8Kpcds).
// Most of the answer is lengths of parts that are empty.
func (c *conn) describeTable() error {
	c.d.U8()
	size := c.d.u()
	c.d.U8() // any kind of object
	c.d.u()
	c.d.U8()
	c.d.u() // flags
	name := c.d.text(size)
	return c.respond(func(w *ResponseWriter) {
		if !c.parse("SELECT * FROM "+name, w) {
			if w.end.code == 942 {
				w.failure = nil
				w.Error(sqlerr.New(4043, "object %s does not exist", name))
			}
			return
		}
		w.Buf = append(w.Buf, msgParameter, 0)
		w.Buf = append(appendUint(w.Buf, 1), 0, 1, 0, 0, 0, 0, 0) // of a table
		w.lack(3)
		w.Buf = appendUint(w.Buf, 1) // a table
		w.lack(3)
		w.Buf = append(appendUint(w.Buf, 1), 0) // its columns
		w.lack(3)
		w.Buf = append(appendUint(w.Buf, 1), 0, 0) // as a list
		w.Buf = append(appendUint(w.Buf, uint64(len(w.opened.Columns))), 0)
		for i := range w.opened.Columns {
			w.lack(10)
			w.Buf = append(appendUint(w.Buf, 1), 0)
			w.Buf = appendDescribed(w.Buf, &w.opened.Columns[i])
			w.lack(13)
		}
		w.lack(20)
		w.Buf = appendUint(w.Buf, uint64(len(w.opened.Columns)))
		w.lack(18 + 19)
	})
}

// parse lets the session describe a query.
func (c *conn) parse(sql string, w *ResponseWriter) bool {
	w.cur = &cursor{}
	c.do(&Execute{Statement: &Statement{SQL: sql}, Iterations: []value.Row{{}}, DescribeOnly: true}, w)
	return w.opened != nil
}

// describeQuery serves JDBC, which requests the columns of a query before executing it (T4C8Odscrarr).
func (c *conn) describeQuery() error {
	c.d.U8()
	c.d.u() // the cursor
	c.d.U8()
	size := c.d.u()
	c.d.u()
	c.d.Bytes(2)
	sql := c.d.text(size)
	return c.respond(func(w *ResponseWriter) {
		if !c.parse(sql, w) {
			return
		}
		w.Buf = appendUint(append(w.Buf, msgParameter), uint64(len(w.opened.Columns)))
		for i := range w.opened.Columns {
			w.Buf = appendColumn(w.Buf, &w.opened.Columns[i], c.byteScales)
		}
	})
}

// lack appends n zeros: the lengths of missing parts.
func (w *ResponseWriter) lack(n int) { w.Buf = append(w.Buf, make([]byte, n)...) }

func appendDescribed(b []byte, c *Column) []byte {
	t := c.Type
	b = appendUint(b, uint64(t.size()))
	b = appendDlc(appendUint(b, uint64(t.ID)), c.Name)
	b = appendInt(append(b, t.Precision), int64(t.Scale))
	b = append(b, nullable(c), 0, 0, 0)
	id, form := t.charset()
	b = append(appendUint(b, id), form)
	return append(b, 0, 0, 0, 0, 0, 0, 0, 0, 0)
}

// describe appends the description of a result set's columns, which a describe message
// and a REF CURSOR have in common (command.go read, case 16; ref_cursor.go load).
func (c *conn) describe(b []byte, columns []Column) []byte {
	width := 0
	for i := range columns {
		width += columns[i].Type.size()
	}
	b = appendUint(b, uint64(width))
	b = appendUint(b, uint64(len(columns)))
	if len(columns) > 0 {
		b = append(b, 0)
	}
	for i := range columns {
		b = appendColumn(b, &columns[i], c.byteScales)
	}
	return append(b, 0, 0, 0, 0, 0, 0) // time of the description, four numbers, query id
}

// maxNameLength is the longest name whose length fits in one byte.
const maxNameLength = 255

func appendColumn(b []byte, c *Column, byteScales bool) []byte {
	t := c.Type
	b = append(b, byte(t.ID), 0, t.Precision)
	switch t.ID {
	case Number, Timestamp, TimestampTZ, TimestampLTZ, IntervalDS:
		if !byteScales {
			b = appendInt(b, int64(t.Scale))
			break
		}
		fallthrough
	default:
		b = append(b, byte(t.Scale))
	}
	size := uint64(t.size())
	b = appendUint(b, size)
	b = append(b, 0, 0, 0, 0) // elements of an array, flags, object type and its version
	id, form := t.charset()
	b = append(appendUint(b, id), form)
	chars := uint64(0)
	if t.ID.isText() {
		// 0 would mean that no bytes follow, not even those of NULL.
		if chars = uint64(t.Chars); chars == 0 {
			chars = size
		}
	}
	b = appendUint(b, chars)
	b = append(b, 0, nullable(c), byte(min(len(c.Name), maxNameLength))) // collation, …
	b = appendDlc(b, c.Name)
	return append(b, 0, 0, 0, 0) // schema and name of an object type, position, flags
}

func nullable(c *Column) byte {
	if c.Nullable {
		return 1
	}
	return 0
}
