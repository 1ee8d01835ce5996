package tns

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

// maxNameLength is what the length of a name in one byte can tell.
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
		// 0 would mean that no bytes come, not even those of NULL.
		if chars = uint64(t.Chars); chars == 0 {
			chars = size
		}
	}
	b = appendUint(b, chars)
	nullable := byte(0)
	if c.Nullable {
		nullable = 1
	}
	b = append(b, 0, nullable, byte(min(len(c.Name), maxNameLength))) // collation, …
	b = appendDlc(b, c.Name)
	return append(b, 0, 0, 0, 0) // schema and name of an object type, position, flags
}
