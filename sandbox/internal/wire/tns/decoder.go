package tns

// decoder reads a TTC byte stream. Its first error sticks: after it every read returns
// zeros, so that callers check at the end and in loops. It allocates no more than what
// the bytes that are really there call for.
type decoder struct {
	next  func() ([]byte, error) // more of the stream
	b     []byte
	err   error
	taken int // bytes of this message that were taken from next
	limit int // of a message
	cells int // values in this message
	full  int // bytes of a packet that is full: more of its message may follow
	last  int // bytes of the last packet
}

// maxCells limits what a message may unfold to: a byte can stand for a value.Value.
const maxCells = 1 << 24

// begin starts a message.
func (d *decoder) begin(limit int) { d.taken, d.limit, d.cells = len(d.b), limit, 0 }

// drop forgets what was read ahead, and the error.
func (d *decoder) drop() { d.b, d.err = nil, nil }

func (d *decoder) fail(err error) {
	if d.err == nil {
		d.err = err
		d.b = nil
	}
}

func (d *decoder) failf(format string, args ...any) { d.fail(protocolErrorf(format, args...)) }

// bytes returns the next n bytes, not copied.
func (d *decoder) bytes(n int) []byte {
	b := d.peek(n)
	if b != nil {
		d.b = d.b[n:]
	}
	return b
}

// peek returns the next n bytes without taking them.
func (d *decoder) peek(n int) []byte {
	if d.err != nil {
		return nil
	}
	if n < 0 || n-len(d.b) > d.limit-d.taken {
		d.failf("message of more than %d bytes", d.limit)
		return nil
	}
	for len(d.b) < n {
		chunk, err := d.next()
		if err != nil {
			d.fail(err)
			return nil
		}
		d.last = len(chunk)
		if d.taken += len(chunk); d.taken > d.limit {
			d.failf("message of more than %d bytes", d.limit)
			return nil
		}
		if len(d.b) == 0 {
			d.b = chunk
		} else {
			d.b = append(d.b, chunk...)
		}
	}
	return d.b[:n:n]
}

// ended reports whether the message has ended. Nothing in the protocol says so; but
// clients begin a packet only when the one before is full.
func (d *decoder) ended() bool { return len(d.b) == 0 && d.last < d.full }

func (d *decoder) u8() byte {
	if b := d.bytes(1); b != nil {
		return b[0]
	}
	return 0
}

// u reads an integer of any size: a byte with the number of bytes that follow, its
// highest bit a minus sign, then these bytes (Session.GetInt64).
func (d *decoder) u() int {
	n := d.u8()
	negative := n&0x80 != 0
	n &= 0x7F
	if n > 8 {
		d.failf("integer of %d bytes", n)
		return 0
	}
	v := uint64(0)
	for _, x := range d.bytes(int(n)) {
		v = v<<8 | uint64(x)
	}
	if v > 1<<62 {
		d.failf("integer %#x", v)
		return 0
	}
	if negative {
		return -int(v)
	}
	return int(v)
}

// count reads a number of things of which each takes at least a byte.
func (d *decoder) count() int {
	n := d.u()
	if n < 0 || n > d.limit {
		d.failf("%d elements in a message", n)
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

// clr reads bytes with their length: one byte, or chunks with lengths of their own,
// the last one 0. nil is NULL.
func (d *decoder) clr() []byte {
	switch n := d.u8(); n {
	case 0, clrNull, clrNull2:
		return nil
	case clrLong:
		var out []byte
		for d.err == nil {
			n := d.count()
			if n == 0 {
				break
			}
			out = append(out, d.bytes(n)...)
		}
		if d.err != nil {
			return nil
		}
		return out
	default:
		return d.bytes(int(n))
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
	for i := 0; i < n && d.err == nil; i++ {
		k := string(d.dlc())
		v := string(d.dlc())
		d.u() // flags
		m[k] = v
	}
	return m
}

// cell counts n values against the limit.
func (d *decoder) cell(n int) bool {
	if d.cells += n; d.cells > maxCells {
		d.failf("more than %d values in a message", maxCells)
	}
	return d.err == nil
}
