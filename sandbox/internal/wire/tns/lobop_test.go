package tns

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/value"
	"github.com/dbsched/dbsched/sandbox/internal/wire"
)

// lobConn is a connection on which LOB calls can be made.
func lobConn(t *testing.T) (*conn, *ResponseWriter) {
	t.Helper()
	c := quietConn()
	c.ctx = t.Context()
	w := &ResponseWriter{conn: c, Answer: wire.NewAnswer(c.ctx, &c.out.Packets)}
	t.Cleanup(w.Cancel)
	return c, w
}

func TestLOBOperations(t *testing.T) {
	c, w := lobConn(t)
	create := lobCall{op: lobCreateTemp, source: make([]byte, locatorSize), destOffset: int(CLOB), offset: 1}
	require.Nil(t, c.lobOp(&create, w))
	clob := create.source
	require.EqualValues(t, 1, clob[locatorTemp]&1)
	require.EqualValues(t, 128, clob[locatorWidth])

	// data returns what an operation sent; offsets and amounts are UTF-16 code units.
	data := func(op lobCall) string {
		t.Helper()
		w.Buf = nil
		op.source = clob
		require.Nil(t, c.lobOp(&op, w))
		require.EqualValues(t, msgLOBData, w.Buf[0])
		return utf16Text(stream(w.Buf[1:], 1000).clr())
	}
	write := func(offset int, text string) { // also past the end
		t.Helper()
		require.Nil(t, c.lobOp(&lobCall{op: lobWrite, source: clob, offset: offset, data: utf16Bytes(text)}, w))
	}
	length := func() int {
		t.Helper()
		op := lobCall{op: lobLength, source: clob}
		require.Nil(t, c.lobOp(&op, w))
		return op.amount
	}
	require.Zero(t, length())
	require.Empty(t, data(lobCall{op: lobRead, offset: 1}))
	write(1, "añ😀d")
	require.Equal(t, 5, length())
	write(6, "ende")
	write(2, "n")
	require.Equal(t, "an😀dende", data(lobCall{op: lobRead, offset: 1}))
	require.Equal(t, "😀", data(lobCall{op: lobRead, offset: 3, amount: 2}))
	require.Equal(t, "de", data(lobCall{op: lobRead, offset: 8, amount: 100}))
	require.Empty(t, data(lobCall{op: lobRead, offset: 100, amount: 1}))
	require.Nil(t, c.lobOp(&lobCall{op: lobTrim, source: clob, amount: 2}, w))
	require.Equal(t, "an", data(lobCall{op: lobRead, offset: 1}))

	id, ok := locatorID(clob)
	require.True(t, ok)
	row := value.Row{value.NewInt(1), value.NewRef(locator(id))}
	require.True(t, c.resolve([]value.Row{row}, w))
	require.Equal(t, "an", row[1].Str())

	for name, op := range map[string]lobCall{
		"offset 0":        {op: lobRead, source: clob},
		"offset too far":  {op: lobRead, source: clob, offset: math.MaxInt},
		"negative amount": {op: lobRead, source: clob, offset: 1, amount: -1},
		"half a unit":     {op: lobWrite, source: clob, offset: 1, data: []byte{1}},
		"behind the end":  {op: lobWrite, source: clob, offset: 9, data: []byte{0, 1}},
		"longer":          {op: lobTrim, source: clob, amount: 3},
		"overflow":        {op: lobTrim, source: clob, amount: math.MaxInt/2 + 2},
		"not there":       {op: lobRead, source: make([]byte, locatorSize), offset: 1},
		"short locator":   {op: lobCreateTemp, source: make([]byte, 4)},
		"unknown":         {op: 0x4444, source: clob},
	} {
		require.NotNil(t, c.lobOp(&op, w), name)
	}

	require.NotZero(t, c.lobs.bytes)
	require.Nil(t, c.lobOp(&lobCall{op: lobFreeTemp, source: clob}, w))
	require.Zero(t, c.lobs.bytes)
	require.False(t, c.resolve([]value.Row{{value.NewRef(locator(id))}}, w))
	require.EqualValues(t, 22275, w.failure.Number)
}

// A locator of a sent value refers to no place in a table: a write to it would be lost, so it is refused.
func TestLOBOfValue(t *testing.T) {
	c, w := lobConn(t)
	v := value.NewBytes([]byte("stored"))
	b, err := c.appendLOB(nil, Type{ID: BLOB}, v, false)
	require.NoError(t, err)
	d := stream(b, 1000)
	require.Equal(t, locatorSize, d.u())
	loc := d.clr()
	for _, op := range []int{lobWrite, lobTrim} {
		refusal := c.lobOp(&lobCall{op: op, source: loc, offset: 1, data: []byte("S")}, w)
		require.NotNil(t, refusal)
		require.EqualValues(t, 49999, refusal.Number)
	}
	id, _ := locatorID(loc)
	require.Equal(t, "stored", c.lobs.m[id].value().Str())
}

func TestTooManyLocators(t *testing.T) {
	c, _ := lobConn(t)
	var err error
	for range maxLocators {
		_, err = c.appendLOB(nil, Type{ID: CLOB}, value.NewString("x"), false)
		require.NoError(t, err)
	}
	_, err = c.appendLOB(nil, Type{ID: CLOB}, value.NewString("x"), false)
	require.Error(t, err)
}

// Tests which variables' values come last, and that those of RETURNING may be missing.
func TestBindOrder(t *testing.T) {
	binds := []Bind{{Type: Type{ID: Long}, late: true}, {Type: Type{ID: Varchar2}}, {Type: Type{ID: Number}}}
	sent := func(int) bool { return true }
	d := stream([]byte{msgRowData, 1, 'v', 2, 0xC1, 5, 1, 'l', msgRowData, 0, 0, 0}, 100)
	rows, refusal := d.rows(2, binds, sent)
	require.NoError(t, d.Err)
	require.Nil(t, refusal)
	require.Len(t, rows, 2)
	require.Equal(t, "l", rows[0][0].Str())
	require.Equal(t, "v", rows[0][1].Str())
	require.EqualValues(t, 4, rows[0][2].N)
	require.True(t, rows[1][0].IsNull() && rows[1][1].IsNull() && rows[1][2].IsNull())

	d = stream([]byte{msgRowData, 1, 'v'}, 100)
	d.Full = sessionDataUnit
	d.Peek(1) // the message has begun
	rows, _ = d.rows(1, binds[1:], sent)
	require.NoError(t, d.Err)
	require.Equal(t, "v", rows[0][0].Str())
	require.True(t, rows[0][1].IsNull())
}
