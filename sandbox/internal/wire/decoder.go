package wire

// Limits on the values in a message, fixed and for each of its bytes: some values take no bytes.
const (
	someCells    = 1 << 16
	cellsPerByte = 4
)

// Decoder reads a message. Its first error sticks: after it every read returns zeros, so that callers check at the end and in
// loops. It allocates no more than the bytes actually received require.
type Decoder struct {
	B   []byte // not yet read
	Err error

	// For a message that arrives in pieces.
	Next  func() ([]byte, error) // the next piece; nil: B is the whole message
	Full  int                    // size of a full piece: more of its message may follow
	Limit int                    // maximum size of a message
	taken int                    // bytes of this message that Next gave
	last  int                    // bytes of the last piece
	cells int                    // values in this message
}

// Begin starts a message of at most limit bytes.
func (d *Decoder) Begin(limit int) { d.taken, d.Limit, d.cells = len(d.B), limit, 0 }

// Fail records an error.
func (d *Decoder) Fail(err error) {
	if d.Err == nil {
		d.Err, d.B = err, nil
	}
}

// Failf records a breach of the protocol.
func (d *Decoder) Failf(format string, args ...any) { d.Fail(Errorf(format, args...)) }

// Bytes returns the next n bytes, not copied.
func (d *Decoder) Bytes(n int) []byte {
	b := d.Peek(n)
	if b != nil {
		d.B = d.B[n:]
	}
	return b
}

// Peek returns the next n bytes without taking them.
func (d *Decoder) Peek(n int) []byte {
	switch {
	case d.Err != nil:
		return nil
	case n < 0, d.Next == nil && n > len(d.B):
		d.Failf("message ends too early")
		return nil
	case d.Next != nil && n-len(d.B) > d.Limit-d.taken:
		d.Failf("message of more than %d bytes", d.Limit)
		return nil
	}
	for len(d.B) < n {
		piece, err := d.Next()
		if err != nil {
			d.Fail(err)
			return nil
		}
		d.last = len(piece)
		if d.taken += len(piece); d.taken > d.Limit {
			d.Failf("message of more than %d bytes", d.Limit)
			return nil
		}
		if len(d.B) == 0 {
			d.B = piece
		} else {
			d.B = append(d.B, piece...)
		}
	}
	return d.B[:n:n]
}

// Ended reports whether nothing is left to read. Pieces do not say so, but clients begin one only when the previous one is full.
func (d *Decoder) Ended() bool { return len(d.B) == 0 && (d.Next == nil || d.last < d.Full) }

// U8 reads a byte.
func (d *Decoder) U8() byte {
	if b := d.Bytes(1); b != nil {
		return b[0]
	}
	return 0
}

// Cell counts n values against the limit.
func (d *Decoder) Cell(n int) bool {
	if d.cells += n; d.cells > someCells+cellsPerByte*d.taken {
		d.Failf("more than %d values in %d bytes", d.cells, d.taken)
	}
	return d.Err == nil
}
