package tns

import (
	"encoding/binary"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
	"github.com/dbsched/dbsched/sandbox/internal/wire"
)

// Limits on what a connection may keep through locators.
const (
	maxLocators = 1 << 16
	maxLOBBytes = 1 << 28
)

// lob is what a locator refers to. A CLOB's data is in AL16UTF16, which clients write,
// read and count in; it is created when first needed.
type lob struct {
	clob     bool
	national bool
	text     string // for a value that was sent
	data     []byte
	decoded  bool // data is valid
	own      bool // the client created it; otherwise it refers to a value of a row or variable
	counted  int  // bytes of data that count against maxLOBBytes
}

func (l *lob) bytes() []byte {
	if !l.decoded {
		if l.clob {
			l.data = utf16Bytes(l.text)
		} else {
			l.data = []byte(l.text)
		}
		l.text, l.decoded = "", true
	}
	return l.data
}

// unit is the number of bytes that offsets and amounts count as one.
func (l *lob) unit() int {
	if l.clob {
		return 2
	}
	return 1
}

func (l *lob) value() value.Value {
	switch {
	case !l.decoded && l.clob:
		return value.NewString(l.text)
	case l.clob:
		return value.NewString(utf16Text(l.data))
	default:
		return value.NewBytes(l.bytes())
	}
}

// lobTable holds a connection's locators.
type lobTable struct {
	m     map[uint64]*lob
	last  uint64
	bytes int // bytes of data that the client wrote
}

const (
	locatorSize = 40
	lobChunk    = 8132 // the recommended size for clients to read and write at a time
)

// Bytes of a locator that clients check (Lob.variableWidthChar, isTemporary).
const (
	locatorKind  = 4 // 1: BLOB, 2: CLOB
	locatorInit  = 5 // 8: it is initialized
	locatorWidth = 6 // 128: data is in AL16UTF16
	locatorTemp  = 7 // 1: the client has to free it
	locatorAt    = 8 // its number in this server
)

func (t *lobTable) add(l *lob) ([]byte, bool) {
	if len(t.m) >= maxLocators {
		return nil, false
	}
	if t.m == nil {
		t.m = map[uint64]*lob{}
	}
	t.last++
	t.m[t.last] = l
	b := make([]byte, locatorSize)
	b[1], b[locatorInit], b[locatorTemp] = locatorSize-2, 8, 1
	b[locatorKind] = 1
	if l.clob {
		b[locatorKind], b[locatorWidth] = 2, 128
	}
	binary.BigEndian.PutUint64(b[locatorAt:], t.last)
	return b, true
}

func (t *lobTable) free(id uint64) {
	if l := t.m[id]; l != nil {
		t.bytes -= l.counted
		delete(t.m, id)
	}
}

func locatorID(b []byte) (uint64, bool) {
	if len(b) < locatorAt+8 {
		return 0, false
	}
	return binary.BigEndian.Uint64(b[locatorAt:]), true
}

// appendLOB appends a locator for a value, preceded by the value's length if that
// is requested.
func (c *conn) appendLOB(b []byte, t Type, v value.Value, prefetch bool) ([]byte, error) {
	if v.IsNull() {
		return append(b, 0), nil
	}
	if t.ID == CLOB && v.Kind != value.String || t.ID == BLOB && v.Kind != value.Bytes {
		return b, mismatch(t, v)
	}
	l := &lob{clob: t.ID == CLOB, national: t.National, text: v.Str()}
	loc, ok := c.lobs.add(l)
	if !ok {
		return b, sqlerr.NotSupported("more than %d LOB locators in a session", maxLocators)
	}
	b = appendUint(b, locatorSize)
	if prefetch {
		b = appendUint(b, uint64(len(l.bytes())/l.unit()))
		b = appendUint(b, lobChunk)
	}
	return appendClr(b, loc), nil
}

// appendCursor appends a REF CURSOR: its columns and a cursor number (ref_cursor.go).
func (c *conn) appendCursor(b []byte, v value.Value) ([]byte, error) {
	b = append(b, 1) // present; a cursor that is not open has number 0
	if v.IsNull() {
		return appendUint(c.describe(b, nil), 0), nil
	}
	r, ok := v.Any().(*ResultSet)
	if !ok || len(r.Columns) == 0 {
		return b, mismatch(Type{ID: RefCursor}, v)
	}
	cu := c.newCursor()
	if cu == nil {
		return b, sqlerr.New(1000, "maximum open cursors exceeded")
	}
	cu.result, cu.told = r, r.Columns
	return appendUint(c.describe(b, r.Columns), uint64(cu.id)), nil
}

// resolve replaces locators with the values of their LOBs.
func (c *conn) resolve(rows []value.Row, w *ResponseWriter) bool {
	for _, row := range rows {
		for i, v := range row {
			id, ok := v.Any().(locator)
			if !ok {
				continue
			}
			l := c.lobs.m[uint64(id)]
			if l == nil {
				w.Error(errLocator())
				return false
			}
			row[i] = l.value()
		}
	}
	return true
}

func errLocator() *sqlerr.Error { return sqlerr.New(22275, "invalid LOB locator specified") }

// Operations on LOBs (lob.go).
const (
	lobLength     = 0x1
	lobRead       = 0x2
	lobTrim       = 0x20
	lobWrite      = 0x40
	lobCreateTemp = 0x110
	lobFreeTemp   = 0x111
	lobFreeArray  = 0x80111
	lobChunkSize  = 0x4000
	lobOpen       = 0x8000
	lobClose      = 0x10000
)

// lobCall is a call on a LOB.
type lobCall struct {
	op         int
	source     []byte // locators
	offset     int    // 1-based
	destOffset int
	charset    int
	hasCharset bool
	hasNull    bool
	hasAmount  bool
	amount     int
	data       []byte // data of a write
}

// lobCall reads the body of the call (Lob.writeOp).
func (d *decoder) lobCall() lobCall {
	var c lobCall
	hasSource := d.U8() != 0
	size := d.u()
	hasDest := d.U8() != 0
	d.u() // its length, or the kind of temporary LOB
	d.u() // short offsets
	d.u()
	c.hasCharset = d.U8() != 0
	d.U8() // short amount
	c.hasNull = d.U8() != 0
	c.op = d.u()
	hasSCN := d.U8() != 0
	scn := d.count()
	c.offset, c.destOffset = d.u(), d.u()
	c.hasAmount = d.U8() != 0
	d.Bytes(6)
	if hasDest {
		d.Fail(sqlerr.NotSupported("LOB operation %#x on two LOBs", c.op))
		return c
	}
	if hasSource {
		c.source = d.Bytes(size)
	}
	if c.hasCharset {
		c.charset = d.u()
	}
	if hasSCN {
		for i := 0; i < scn && d.Err == nil; i++ {
			d.u()
		}
	}
	if c.hasAmount {
		c.amount = d.u()
	}
	if c.op == lobWrite && d.Err == nil {
		if m := d.U8(); m != msgLOBData {
			d.Failf("message %#x instead of LOB data", m)
		}
		c.data = d.clr()
	}
	return c
}

// lob serves a call on a LOB.
func (c *conn) lob() error {
	call := c.d.lobCall()
	return c.respond(func(w *ResponseWriter) {
		if e := c.lobOp(&call, w); e != nil {
			w.Buf = w.Buf[:0]
			w.Error(e)
			return
		}
		// The parameters as received, possibly changed (Lob.read).
		w.Buf = append(append(w.Buf, msgParameter), call.source...)
		if call.hasCharset {
			w.Buf = appendUint(w.Buf, uint64(max(call.charset, 0)))
		}
		if call.hasAmount {
			w.Buf = appendUint(w.Buf, uint64(max(call.amount, 0)))
		}
		if call.hasNull {
			w.Buf = append(w.Buf, 0)
		}
	})
}

// lobOp executes a call; its changes to the call are sent to the client.
func (c *conn) lobOp(call *lobCall, w *ResponseWriter) *sqlerr.Error {
	if call.op == lobCreateTemp {
		room := len(call.source) // JDBC has more room than others
		if room < locatorSize {
			return errLocator()
		}
		loc, ok := c.lobs.add(&lob{clob: call.destOffset == int(CLOB), national: call.offset == 2, decoded: true, own: true})
		if !ok {
			return sqlerr.NotSupported("more than %d LOB locators in a session", maxLocators)
		}
		call.source = append(loc, make([]byte, room-locatorSize)...)
		binary.BigEndian.PutUint16(call.source, uint16(room-2))
		return nil
	}
	id, _ := locatorID(call.source)
	l := c.lobs.m[id]
	if l == nil {
		return errLocator()
	}
	if call.offset > maxLOBBytes {
		return sqlerr.New(24801, "illegal parameter value in OCI lob function")
	}
	if !l.own && (call.op == lobWrite || call.op == lobTrim) {
		return sqlerr.NotSupported("writing to a LOB of a row or variable by its locator; write the whole value")
	}
	from := (call.offset - 1) * l.unit()
	switch call.op {
	case lobLength:
		call.amount = len(l.bytes()) / l.unit()
	case lobRead:
		data := l.bytes()
		if call.offset < 1 || call.amount < 0 {
			return sqlerr.New(24801, "illegal parameter value in OCI lob function")
		}
		data = data[min(max(from, 0), len(data)):]
		if n := call.amount; n > 0 && n < len(data)/l.unit() { // go-ora asks for 0 to get everything
			data = data[:n*l.unit()]
		}
		call.amount = len(data) / l.unit()
		w.Buf = appendClr(append(w.Buf, msgLOBData), data)
		w.Spill()
	case lobTrim:
		if n := call.amount * l.unit(); call.amount >= 0 && call.amount <= maxLOBBytes && n <= len(l.bytes()) {
			l.data = l.data[:n:n]
			return nil
		}
		return sqlerr.New(22926, "specified trim length is greater than current LOB value's length")
	case lobWrite:
		return c.lobWrite(l, from, call)
	case lobFreeTemp:
		c.lobs.free(id)
	case lobChunkSize:
		call.amount = lobChunk
	case lobOpen, lobClose:
	default:
		return sqlerr.NotSupported("LOB operation %#x", call.op)
	}
	return nil
}

func (c *conn) lobWrite(l *lob, from int, call *lobCall) *sqlerr.Error {
	data := l.bytes()
	if from < 0 || from > len(data) || len(call.data)%l.unit() != 0 {
		return sqlerr.New(24801, "illegal parameter value in OCI lob function")
	}
	grown := max(0, from+len(call.data)-len(data))
	if c.lobs.bytes+grown > maxLOBBytes {
		return sqlerr.NotSupported("more than %d bytes in temporary LOBs", maxLOBBytes)
	}
	c.lobs.bytes, l.counted = c.lobs.bytes+grown, l.counted+grown
	l.data = append(data[:min(from, len(data))], append(call.data, data[min(from+len(call.data), len(data)):]...)...)
	call.amount = len(call.data) / l.unit()
	return nil
}

// freeLOBs serves the piggyback that frees temporary LOBs.
func (c *conn) freeLOBs() error {
	call := c.d.lobCall()
	if c.d.Err != nil {
		return c.d.Err
	}
	if call.op != lobFreeArray {
		return wire.Errorf("LOB operation %#x in a piggyback", call.op)
	}
	for b := call.source; len(b) >= locatorSize; b = b[min(len(b), int(be16(b))+2):] {
		if id, ok := locatorID(b); ok {
			c.lobs.free(id)
		}
	}
	return nil
}
