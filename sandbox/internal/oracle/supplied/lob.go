package supplied

import (
	"unicode/utf8"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// DBMS_LOB, on LOBs that are values: what a variable holds is a temporary LOB, as EMPTY_CLOB or CREATETEMPORARY make
// it. Offsets and amounts of a CLOB count characters.

// lobBuffer is the most that moves between a LOB and a variable, in bytes or characters.
const lobBuffer = 32767

// lobKind tells how the overloads for BLOB and CLOB differ.
type lobKind struct {
	length func(string) int
	at     func(s string, n int) int // the byte where character n, from 0, begins; len(s) behind the end
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
	"APPEND": blobKind().append, "APPEND#2": clobKind().append,
	"CREATETEMPORARY": blobKind().create, "CREATETEMPORARY#2": clobKind().create,
	"FREETEMPORARY": freeTemporary, "FREETEMPORARY#2": freeTemporary,
	"GETLENGTH": blobKind().getLength, "GETLENGTH#2": clobKind().getLength,
	"INSTR": blobKind().instr, "INSTR#2": clobKind().instr,
	"SUBSTR": blobKind().substr, "SUBSTR#2": clobKind().substr,
	"WRITEAPPEND": blobKind().writeAppend, "WRITEAPPEND#2": clobKind().writeAppend,
}

func (k lobKind) append(c *call) error {
	if c.isNull("DEST_LOB") || c.isNull("SRC_LOB") {
		return datatype.ErrNumeric("")
	}
	c.Set("DEST_LOB", k.lob(c.text("DEST_LOB")+c.text("SRC_LOB")))
	return nil
}

func (k lobKind) create(c *call) error {
	c.Set("LOB_LOC", k.lob(""))
	return nil
}

func freeTemporary(c *call) error {
	c.Set("LOB_LOC", value.Value{})
	return nil
}

func (k lobKind) getLength(c *call) error {
	if !c.isNull("LOB_LOC") {
		c.returnInt(int64(k.length(c.text("LOB_LOC"))))
	}
	return nil
}

// substr is NULL for arguments out of range ("SUBSTR Function", "Return Values").
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

func (k lobKind) instr(c *call) error {
	offset, nth := c.whole("OFFSET"), c.whole("NTH")
	if c.isNull("LOB_LOC") || c.isNull("PATTERN") || offset < 1 || nth < 1 {
		return nil
	}
	s, pattern := c.text("LOB_LOC"), c.text("PATTERN")
	at := int64(0)
	for i := k.at(s, int(offset-1)); i+len(pattern) <= len(s) && at == 0; {
		if s[i:i+len(pattern)] == pattern {
			if nth--; nth == 0 {
				at = int64(k.length(s[:i])) + 1
			}
		}
		i += max(1, k.at(s[i:], 1))
	}
	c.returnInt(at)
	return nil
}

func (k lobKind) writeAppend(c *call) error {
	amount, buffer := c.whole("AMOUNT"), c.text("BUFFER")
	if c.isNull("LOB_LOC") || c.isNull("BUFFER") || c.isNull("AMOUNT") {
		return datatype.ErrNumeric("")
	}
	if amount < 1 || amount > lobBuffer || int(amount) > k.length(buffer) {
		return oraError(21560, "argument 2 is null, invalid, or out of range")
	}
	c.Set("LOB_LOC", k.lob(c.text("LOB_LOC")+buffer[:k.at(buffer, int(amount))]))
	return nil
}
