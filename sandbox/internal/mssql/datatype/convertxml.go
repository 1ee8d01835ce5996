package datatype

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// toXML checks that text is a well-formed XML fragment and keeps it as it stands,
// without a declaration. White space and entities are not normalized.
func toXML(v value.Value, from Type) (value.Value, error) {
	if from.IsBinary() {
		return v, sqlerr.NotSupported("conversion of %s to xml", from)
	}
	s := strings.TrimLeft(v.Str(), " \t\r\n")
	if strings.HasPrefix(s, "<?xml ") {
		if end := strings.Index(s, "?>"); end > 0 {
			s = strings.TrimLeft(s[end+2:], " \t\r\n")
		}
	}
	d := xml.NewDecoder(strings.NewReader(s))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return value.NewString(s), nil
		}
		if err != nil {
			line, column := d.InputPos()
			return v, sqlerr.New(9400, "XML parsing: line %d, character %d, unexpected end of input", line, column)
		}
	}
}
