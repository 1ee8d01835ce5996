package tns

import "github.com/dbsched/dbsched/sandbox/internal/wire"

// decoder reads a TTC byte stream.
type decoder struct {
	wire.Decoder
	bare bool // a client that does not convert text, like JDBC: text has no length of its own, and scales are compressed
}

// text reads a text whose length has been read.
func (d *decoder) text(size int) string {
	if d.bare {
		return utf8Text(d.Bytes(size))
	}
	return utf8Text(d.clr())
}

// u reads an integer of any size: a byte with the number of bytes that follow, its
// highest bit a minus sign, then these bytes (Session.GetInt64).
func (d *decoder) u() int {
	n := d.U8()
	negative := n&0x80 != 0
	n &= 0x7F
	if n > 8 {
		d.Failf("integer of %d bytes", n)
		return 0
	}
	v := uint64(0)
	for _, x := range d.Bytes(int(n)) {
		v = v<<8 | uint64(x)
	}
	if v > 1<<62 {
		d.Failf("integer %#x", v)
		return 0
	}
	if negative {
		return -int(v)
	}
	return int(v)
}

// count reads a number of items that each take at least a byte.
func (d *decoder) count() int {
	n := d.u()
	if n < 0 || n > d.Limit {
		d.Failf("%d elements in a message", n)
		return 0
	}
	return n
}

// Lengths of a CLR that mean something else.
const (
	clrMax   = 0xFC
	clrNull2 = 0xFD
	clrLong  = 0xFE
	clrNull  = 0xFF
)

// clr reads bytes with their length: one byte, or chunks with their own lengths,
// the last one 0. nil is NULL.
func (d *decoder) clr() []byte {
	switch n := d.U8(); n {
	case 0, clrNull, clrNull2:
		return nil
	case clrLong:
		var out []byte
		for d.Err == nil {
			n := d.count()
			if n == 0 {
				break
			}
			out = append(out, d.Bytes(n)...)
		}
		if d.Err != nil {
			return nil
		}
		return out
	default:
		return d.Bytes(int(n))
	}
}

// dlc reads a length and, if it is not 0, a CLR.
func (d *decoder) dlc() []byte {
	if d.u() == 0 {
		return nil
	}
	return d.clr()
}

// keyVals reads n key-value pairs.
func (d *decoder) keyVals(n int) map[string]string {
	m := map[string]string{}
	for i := 0; i < n && d.Err == nil; i++ {
		k := utf8Text(d.dlc())
		v := utf8Text(d.dlc())
		d.u() // flags
		m[k] = v
	}
	return m
}
