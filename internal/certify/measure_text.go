package certify

import (
	"fmt"
	"io"
	"slices"
	"strconv"
)

// Figures are the measures as a table: the first row has the titles, and each other one a measure with a figure for each design, which may be empty.
func (r *Report) Figures() (table [][]string) {
	designs := []string{"dbsched"}
	for _, m := range r.Measures {
		if m.Design != "" && !slices.Contains(designs, m.Design) {
			designs = append(designs, m.Design)
		}
	}
	for _, m := range r.Measures {
		name := m.Name
		switch {
		case m.Workers == 1:
			name += ", 1 worker"
		case m.Workers > 1:
			name += fmt.Sprintf(", %d workers", m.Workers)
		}
		i := slices.IndexFunc(table, func(row []string) bool { return row[0] == name })
		if i < 0 {
			i, table = len(table), append(table, append([]string{name}, make([]string, len(designs))...))
		}
		table[i][1+max(0, slices.Index(designs, m.Design))] = m.text()
	}
	if table == nil {
		return nil
	}
	return slices.Insert(table, 0, append([]string{"measured"}, designs...))
}

// measures writes the table for people.
func (r *Report) measures(w io.Writer) {
	for _, row := range r.Figures() {
		for len(row) > 1 && row[len(row)-1] == "" {
			row = row[:len(row)-1]
		}
		fmt.Fprintf(w, "%-34s", row[0])
		for _, cell := range row[1:] {
			fmt.Fprintf(w, " %14s", cell)
		}
		fmt.Fprintln(w)
	}
	if r.NotMeasured != "" {
		fmt.Fprintf(w, "not all was measured: %s\n", r.NotMeasured)
	}
	if len(r.Measures) > 0 || r.NotMeasured != "" {
		fmt.Fprintln(w)
	}
}

// text writes the figure with its unit: three digits are enough.
func (m Measure) text() string {
	text := strconv.FormatFloat(m.Value, 'f', map[bool]int{true: 0, false: 2}[m.Value >= 100 || m.Unit == ""], 64)
	if m.Unit == "/s" {
		return text + m.Unit
	}
	if m.Unit != "" {
		text += " " + m.Unit
	}
	return text
}
