package supplied

import (
	"fmt"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Output is the buffer of DBMS_OUTPUT.
type Output struct {
	enabled bool
	limit   int // in bytes; negative: no limit
	used    int
	lines   []string
	partial string // written by PUT, not yet ended by NEW_LINE
	read    bool   // lines were read: the rest is discarded by the next PUT
}

// Limits of DBMS_OUTPUT ("Rules and Limits", "ENABLE Procedure").
const (
	outputLine    = 32767
	outputLeast   = 2000
	outputMost    = 1_000_000
	noMoreLines   = 1
	gotLines      = 0
	numlinesLimit = 1 << 31
)

var output = natives{
	"ENABLE": func(c *call) error {
		o := &c.s.Supplied().Output
		o.enabled, o.limit = true, -1
		if !c.isNull("BUFFER_SIZE") {
			o.limit = int(min(max(c.whole("BUFFER_SIZE"), outputLeast), outputMost))
		}
		return nil
	},
	"DISABLE": func(c *call) error {
		c.s.Supplied().Output = Output{}
		return nil
	},
	"PUT": func(c *call) error { return c.s.Supplied().Output.put(c.text("A")) },
	"PUT_LINE": func(c *call) error {
		o := &c.s.Supplied().Output
		if err := o.put(c.text("A")); err != nil {
			return err
		}
		o.newLine()
		return nil
	},
	"NEW_LINE": func(c *call) error {
		o := &c.s.Supplied().Output
		if err := o.put(""); err != nil {
			return err
		}
		o.newLine()
		return nil
	},
	"GET_LINE": func(c *call) error {
		lines := c.s.Supplied().Output.get(1)
		status := int64(noMoreLines)
		if len(lines) == 1 {
			status = gotLines
			c.setText("LINE", lines[0])
		}
		c.Set("STATUS", value.NewInt(status))
		return nil
	},
	"GET_LINES": func(c *call) error {
		lines := c.s.Supplied().Output.get(min(c.whole("NUMLINES"), numlinesLimit))
		to := c.Collection("LINES")
		to.Clear()
		for i, l := range lines {
			to.Put(int64(i+1), datatype.NewText(l))
		}
		c.Set("NUMLINES", value.NewInt(int64(len(lines))))
		return nil
	},
}

// put appends to the line being written. Error: 20000, which the package raises.
func (o *Output) put(text string) error {
	if !o.enabled {
		return nil
	}
	if o.read {
		o.lines, o.used, o.read = nil, len(o.partial), false
	}
	if len(o.partial)+len(text) > outputLine {
		return message.ORA(20000, fmt.Sprintf("ORU-10028: line length overflow, limit of %d bytes per line", outputLine))
	}
	if o.limit >= 0 && o.used+len(text) > o.limit {
		return message.ORA(20000, fmt.Sprintf("ORU-10027: buffer overflow, limit of %d bytes", o.limit))
	}
	o.partial += text
	o.used += len(text)
	return nil
}

func (o *Output) newLine() {
	if o.enabled {
		o.lines = append(o.lines, o.partial)
		o.partial = ""
	}
}

// get removes the first n lines and returns them.
func (o *Output) get(n int64) []string {
	n = min(max(n, 0), int64(len(o.lines)))
	lines := o.lines[:n]
	o.lines, o.read = o.lines[n:], true
	for _, l := range lines {
		o.used -= len(l)
	}
	return lines
}
