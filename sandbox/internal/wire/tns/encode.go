package tns

import (
	"math/bits"

	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// appendUint appends an integer in as few bytes as possible, preceded by their number.
func appendUint(b []byte, v uint64) []byte {
	n := (bits.Len64(v) + 7) / 8
	b = append(b, byte(n))
	for i := n - 1; i >= 0; i-- {
		b = append(b, byte(v>>(8*i)))
	}
	return b
}

// appendInt appends a signed integer.
func appendInt(b []byte, v int64) []byte {
	if v >= 0 {
		return appendUint(b, uint64(v))
	}
	at := len(b)
	b = appendUint(b, uint64(-v))
	b[at] |= 0x80
	return b
}

// clrChunk is the largest chunk of a long CLR.
const clrChunk = 0x7FFF

// appendClr appends bytes with their length. No bytes are NULL.
func appendClr[T string | []byte](b []byte, v T) []byte {
	if len(v) <= clrMax {
		return append(append(b, byte(len(v))), v...)
	}
	b = append(b, clrLong)
	for len(v) > 0 {
		n := min(len(v), clrChunk)
		b = append(appendUint(b, uint64(n)), v[:n]...)
		v = v[n:]
	}
	return append(b, 0)
}

// appendDlc appends bytes with their length twice.
func appendDlc[T string | []byte](b []byte, v T) []byte {
	if len(v) == 0 {
		return append(b, 0)
	}
	return appendClr(appendUint(b, uint64(len(v))), v)
}

func appendKeyVal(b []byte, key, val string, flags uint64) []byte {
	return appendUint(appendDlc(appendDlc(b, key), val), flags)
}

// Messages of TTC, by their first byte.
const (
	msgProtocol   = 1
	msgDataTypes  = 2
	msgFunction   = 3
	msgError      = 4 // also the end of a successful call
	msgRowHeader  = 6
	msgRowData    = 7
	msgParameter  = 8
	msgStatus     = 9
	msgIOVector   = 11
	msgLOBData    = 14
	msgDescribe   = 16
	msgPiggyback  = 17
	msgServerSide = 23 // a piggyback from the server
)

// inTransaction in the call status says that the session has a transaction. Pools roll back connections returned with it
// (python-oracledb, constants.pxi, TNS_EOCS_FLAGS_TXN_IN_PROGRESS).
const inTransaction = 2

// appendStatus ends a call that has nothing more to report: call status and sequence of
// end-to-end metrics.
func appendStatus(b []byte, status uint64) []byte {
	return append(appendUint(append(b, msgStatus), status), 0)
}

// callEnd is the contents of the last message of a call.
type callEnd struct {
	code     int // error code; 0: none
	text     string
	position int // position of the error in the statement, in bytes
	rows     int64
	cursor   int
	warning  byte
	batch    []BatchError
	row      value.Value // the ROWID of the last row
	status   uint64      // status of the call: inTransaction
	call     byte        // the request's sequence number; without it, JDBC takes the end of a fetch for an error
}

// compiledWithErrors in the warning flags reports a unit with compilation errors
// (ORA-24344, which is not an error on the wire).
const compiledWithErrors = 0x20 | 1 // JDBC checks both bits

// appendEnd appends the message that ends a call (network/summary_object.go,
// NewSummary).
func appendEnd(b []byte, e callEnd) []byte {
	b = append(appendUint(append(b, msgError), e.status), 0) // call status, sequence
	b = appendUint(b, uint64(min(e.rows, 1<<32-1)))
	b = appendUint(b, uint64(e.code))
	b = append(b, 0, 0) // array element with an error, its code
	b = appendUint(b, uint64(e.cursor))
	b = appendUint(b, uint64(e.position))
	b = append(b, 0, 0, 0, 0, 0, e.warning) // kind of statement, fatal, flags, cursor options, UPI
	if e.row.IsNull() {
		b = append(b, 0, 0, 0, 0, 0)
	} else {
		b = appendRowid(b, e.row)
	}
	b = append(b, 0, 0, e.call, 0, 0, 0) // OS error, statement, call, padding, iterations, logical row id
	batch := func(add func(x BatchError)) {
		b = appendUint(b, uint64(len(e.batch)))
		for i, x := range e.batch {
			if i == 0 {
				b = append(b, 1)
			}
			add(x)
		}
	}
	batch(func(x BatchError) { b = appendUint(b, uint64(errorCode(x.Err))) })
	batch(func(x BatchError) { b = appendUint(b, uint64(x.Iteration)) })
	batch(func(x BatchError) { b = append(appendDlc(b, errorText(x.Err)), 0, 0) })
	b = appendUint(b, uint64(e.code))
	b = appendUint(b, uint64(e.rows))
	if e.code != 0 {
		b = appendClr(b, e.text)
	}
	return b
}
