package integration

import (
	"strconv"
	"strings"
)

// edge is a parameter, named as in T-SQL, with a lowest and a highest value; of a text, they are its lengths.
type edge struct {
	procedure, parameter string
	lowest, highest      int
	text                 bool
	number               int  // of the error beyond them
	batch                bool // it is a member of a list of tasks
}

// literal writes a value, or a text of that length.
func (e edge) literal(value int) string {
	if e.text {
		return "N'" + strings.Repeat("x", value) + "'"
	}
	return strconv.Itoa(value)
}
