package supplied

import (
	"unicode/utf8"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// DBMS_LOB, on LOBs that are values: a variable holds a temporary LOB, as EMPTY_CLOB or CREATETEMPORARY create
// it. Offsets and amounts of a CLOB count characters.

// lobBuffer is the maximum that moves between a LOB and a variable, in bytes or characters.
const lobBuffer = 32767

// lobKind describes how the overloads for BLOB and CLOB differ.
type lobKind struct {
	length func(string) int
	at     func(s string, n int) int // the byte where character n, from 0, begins; len(s) after the end
	lob    func(s string) value.Value
	small  func(s string) value.Value // RAW or VARCHAR2
}

func blobKind() lobKind {
	raw := func(s string) value.Value { return value.NewBytes([]byte(s)) }
	return lobKind{
		length: func(s string) int { return len(s) },
		at:     func(s string, n int) int { return min(n, len(s)) },
		lob:    raw,
		small:  func(s string) value.Value { return datatype.NewRaw([]byte(s)) },
	}
}

func clobKind() lobKind {
	return lobKind{length: utf8.RuneCountInString, at: runeAt, lob: value.NewString, small: datatype.NewText}
}

func runeAt(s string, n int) int {
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}

var lobs = natives{
	"GETLENGTH": blobKind().getLength, "GETLENGTH#2": clobKind().getLength,
	"SUBSTR": blobKind().substr, "SUBSTR#2": clobKind().substr,
}

func (k lobKind) getLength(c *call) error {
	if !c.isNull("LOB_LOC") {
		c.returnInt(int64(k.length(c.text("LOB_LOC"))))
	}
	return nil
}

// substr returns NULL for arguments out of range ("SUBSTR Function", "Return Values").
func (k lobKind) substr(c *call) error {
	amount, offset := c.whole("AMOUNT"), c.whole("OFFSET")
	if c.isNull("LOB_LOC") || amount < 1 || amount > lobBuffer || offset < 1 {
		return nil
	}
	s := c.text("LOB_LOC")
	s = s[k.at(s, int(offset-1)):]
	c.Return(k.small(s[:k.at(s, int(amount))]))
	return nil
}
