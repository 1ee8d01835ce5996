package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/dbsched/dbsched/internal/format"
)

// OutputVersion is the version field of all JSON output. It increases when a field changes
// its meaning or is removed; new fields do not change it.
const OutputVersion = 1

// Column is one column of a table.
type Column[T any] struct {
	Title  string
	Right  bool // numbers
	Cut    bool // long texts, which a table too wide for the terminal cuts
	Sparse bool // left out if no row has a value
	Spare  int  // the order in which columns are left out of a table too wide for the terminal; 0 stays
	Cell   func(T) string
}

// List prints items as a table, or as JSON under the name kind.
func List[T any](s *Session, kind string, items []T, columns []Column[T]) error {
	if items == nil {
		items = []T{}
	}
	if s.JSON() {
		return s.printJSON(kind, items)
	}
	_, err := fmt.Fprintln(s.app.Out, Table(items, columns, s.app.Terminal(s.app.Out)))
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
		if _, err := fmt.Fprintf(s.app.Out, "%-*s  %s\n", width, l[0], format.Clean(l[1])); err != nil {
			return err
		}
	}
	return nil
}

// Result prints what a command did, as One does. With --quiet, a table is not printed.
func (s *Session) Result(kind string, item any, lines [][2]string) error {
	if s.app.globals.quiet && !s.JSON() {
		return nil
	}
	return s.One(kind, item, lines)
}

func (s *Session) printJSON(kind string, item any) error {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(struct {
		Version int    `json:"version"`
		Kind    string `json:"kind"`
		Data    any    `json:"data"`
	}{OutputVersion, kind, item})
	if err != nil {
		return err
	}
	_, err = io.WriteString(s.app.Out, escaped(text.String()))
	return err
}

// escaped returns JSON that means the same, without what controls a terminal.
func escaped(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r == '\n' || !format.Unseen(r) { // outside of strings, there are only line ends
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// Table renders items as text. In a terminal of cells columns it cuts long texts and omits columns that
// can be spared until rows fit; 0 means no limit.
func Table[T any](items []T, columns []Column[T], cells int) string {
	rows := make([][]string, len(columns)) // by column, the title first
	for i, c := range columns {
		rows[i] = []string{c.Title}
		for _, item := range items {
			rows[i] = append(rows[i], format.Clean(c.Cell(item)))
		}
	}
	shown := fit(columns, rows, cells)
	w := table.NewWriter()
	style := table.StyleDefault
	style.Format.Header = text.FormatDefault
	style.Options = table.Options{SeparateHeader: true}
	style.Box.PaddingLeft, style.Box.PaddingRight = "", gap
	w.SetStyle(style)
	config := make([]table.ColumnConfig, len(shown))
	for i, c := range shown {
		config[i] = table.ColumnConfig{Number: i + 1}
		if columns[c].Right {
			config[i].Align, config[i].AlignHeader = text.AlignRight, text.AlignRight
		}
	}
	w.SetColumnConfigs(config)
	for line := range len(items) + 1 {
		row := make(table.Row, len(shown))
		for i, c := range shown {
			row[i] = rows[c][line]
		}
		if line == 0 {
			w.AppendHeader(row)
		} else {
			w.AppendRow(row)
		}
	}
	lines := strings.Split(w.Render(), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	if cells > 0 { // the rule under the header counts the gap after the last column
		lines[1] = text.Trim(lines[1], cells)
	}
	return strings.Join(lines, "\n")
}

// gap is the space between two columns; a text that is cut keeps at least readable cells.
const (
	gap      = "  "
	readable = 20
)

// fit returns the columns that fit, and cuts the cells of those that can be cut.
func fit[T any](columns []Column[T], rows [][]string, cells int) (shown []int) {
	widths, total := make([]int, len(columns)), -len(gap)
	for i, c := range columns {
		if c.Sparse && !slices.ContainsFunc(rows[i][1:], func(cell string) bool { return cell != "" }) {
			continue
		}
		shown = append(shown, i)
		for _, cell := range rows[i] {
			widths[i] = max(widths[i], text.StringWidthWithoutEscSequences(cell))
		}
		total += widths[i] + len(gap)
	}
	if cells == 0 {
		return shown
	}
	least := slices.Clone(widths)
	for i, c := range columns {
		if c.Cut {
			least[i] = min(widths[i], readable)
			total += least[i] - widths[i]
		}
	}
	for total > cells {
		next := slices.MaxFunc(shown, func(a, b int) int { return cmp.Compare(columns[a].Spare, columns[b].Spare) })
		if columns[next].Spare == 0 {
			break
		}
		shown = slices.DeleteFunc(shown, func(i int) bool { return i == next })
		total -= least[next] + len(gap)
	}
	for _, i := range slices.Backward(shown) { // the rest goes to the last text first: errors before SQL
		width := min(widths[i], max(least[i], least[i]+cells-total))
		total += width - least[i]
		for line, cell := range rows[i] {
			rows[i][line] = text.Snip(cell, width, "…")
		}
	}
	return shown
}

// SQL returns a statement on one line, cut to fit a table.
func SQL(sql string) string { return text.Snip(strings.Join(strings.Fields(sql), " "), 60, "…") }

// Time formats an instant for tables: in local time or, with --utc, in UTC; with its zone.
func (s *Session) Time(t time.Time) string {
	return t.In(s.Location()).Format("2006-01-02 15:04:05.000Z07:00")
}

// Clock formats an instant for charts: to the second, in the zone that Zone names.
func (s *Session) Clock(t time.Time) string { return t.In(s.Location()).Format("2006-01-02 15:04:05") }

// Zone names the zone of Clock.
func (s *Session) Zone() string {
	name, offset := time.Now().In(s.Location()).Zone()
	if offset == 0 {
		return "UTC"
	}
	if name[0] == '+' || name[0] == '-' { // it has no name
		name = ""
	}
	return strings.TrimSpace(name + time.Now().In(s.Location()).Format(" UTC-07:00"))
}

// Location returns the zone in which times are shown.
func (s *Session) Location() *time.Location {
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
