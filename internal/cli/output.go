package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// OutputVersion is the version field of all JSON output. It grows when a field changes
// its meaning or goes; new fields do not change it.
const OutputVersion = 1

// Column is one column of a table.
type Column[T any] struct {
	Title string
	Right bool // numbers
	Cell  func(T) string
}

// List prints items as a table, or as JSON under the name kind.
func List[T any](s *Session, kind string, items []T, columns []Column[T]) error {
	if items == nil {
		items = []T{}
	}
	if s.JSON() {
		return s.printJSON(kind, items)
	}
	_, err := fmt.Fprintln(s.app.Out, Table(items, columns))
	return err
}

// One prints a single thing: as lines of name and value, or as JSON under the name kind.
func (s *Session) One(kind string, item any, lines [][2]string) error {
	if s.JSON() {
		return s.printJSON(kind, item)
	}
	width := 0
	for _, l := range lines {
		width = max(width, len(l[0]))
	}
	for _, l := range lines {
		if _, err := fmt.Fprintf(s.app.Out, "%-*s  %s\n", width, l[0], clean(l[1])); err != nil {
			return err
		}
	}
	return nil
}

func (s *Session) printJSON(kind string, item any) error {
	enc := json.NewEncoder(s.app.Out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(struct {
		Version int    `json:"version"`
		Kind    string `json:"kind"`
		Data    any    `json:"data"`
	}{OutputVersion, kind, item})
}

// Table renders items as text.
func Table[T any](items []T, columns []Column[T]) string {
	w := table.NewWriter()
	style := table.StyleDefault
	style.Format.Header = text.FormatDefault
	style.Options = table.Options{SeparateHeader: true}
	style.Box.PaddingLeft, style.Box.PaddingRight = "", "  "
	w.SetStyle(style)
	header := make(table.Row, len(columns))
	config := make([]table.ColumnConfig, len(columns))
	for i, c := range columns {
		header[i] = c.Title
		config[i] = table.ColumnConfig{Number: i + 1}
		if c.Right {
			config[i].Align, config[i].AlignHeader = text.AlignRight, text.AlignRight
		}
	}
	w.AppendHeader(header)
	w.SetColumnConfigs(config)
	for _, item := range items {
		row := make(table.Row, len(columns))
		for i, c := range columns {
			row[i] = clean(c.Cell(item))
		}
		w.AppendRow(row)
	}
	lines := strings.Split(w.Render(), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n")
}

// SQL is a statement on one line, cut to fit a table.
func SQL(sql string) string { return clip(strings.Join(strings.Fields(sql), " "), 60) }

// Time is an instant as the tables show it: here or, with --utc, in UTC; with its zone.
func (s *Session) Time(t time.Time) string {
	return t.In(s.zone()).Format("2006-01-02 15:04:05.000Z07:00")
}

// Clock is an instant as charts show it: to the second, in the zone that Zone names.
func (s *Session) Clock(t time.Time) string { return t.In(s.zone()).Format("2006-01-02 15:04:05") }

// Zone names the zone of Clock.
func (s *Session) Zone() string {
	name, offset := time.Now().In(s.zone()).Zone()
	if offset == 0 {
		return "UTC"
	}
	if name[0] == '+' || name[0] == '-' { // it has no name
		name = ""
	}
	return strings.TrimSpace(name + time.Now().In(s.zone()).Format(" UTC-07:00"))
}

func (s *Session) zone() *time.Location {
	if s.app.globals.utc {
		return time.UTC
	}
	return time.Local
}

// TimeOrNone is Time, or nothing for what has not happened yet.
func (s *Session) TimeOrNone(t *time.Time) string {
	if t == nil {
		return ""
	}
	return s.Time(*t)
}

// clean replaces control characters: what users stored must not steer a terminal.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
}

// clip cuts s to n runes.
func clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}
