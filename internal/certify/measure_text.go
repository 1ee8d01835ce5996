package certify

import (
	"fmt"
	"io"
	"slices"
	"strconv"
)

// measures writes the table of measures: a line for each measure and number of workers, a column for each design.
func (r *Report) measures(w io.Writer) {
	designs := []string{""}
	type line struct {
		name    string
		workers int
	}
	var lines []line
	cells := map[line]map[string]string{}
	for _, m := range r.Measures {
		if m.Design == "dbsched" {
			m.Design = ""
		}
		if !slices.Contains(designs, m.Design) {
			designs = append(designs, m.Design)
		}
		l := line{m.Name, m.Workers}
		if cells[l] == nil {
			lines, cells[l] = append(lines, l), map[string]string{}
		}
		cells[l][m.Design] = m.text()
	}
	if len(lines) > 0 {
		fmt.Fprintf(w, "%-34s %14s", "measured", "dbsched")
		for _, d := range designs[1:] {
			fmt.Fprintf(w, " %14s", d)
		}
		fmt.Fprintln(w)
	}
	for _, l := range lines {
		name := l.name
		switch {
		case l.workers == 1:
			name += ", 1 worker"
		case l.workers > 1:
			name += fmt.Sprintf(", %d workers", l.workers)
		}
		fmt.Fprintf(w, "%-34s", name)
		for _, d := range designs[:len(designs)-trailing(cells[l], designs)] {
			fmt.Fprintf(w, " %14s", cells[l][d])
		}
		fmt.Fprintln(w)
	}
	if r.NotMeasured != "" {
		fmt.Fprintf(w, "not all was measured: %s\n", r.NotMeasured)
	}
	if len(lines) > 0 || r.NotMeasured != "" {
		fmt.Fprintln(w)
	}
}

// trailing counts the designs at the end that have no figure.
func trailing(of map[string]string, designs []string) (n int) {
	for _, d := range slices.Backward(designs) {
		if of[d] != "" {
			break
		}
		n++
	}
	return n
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
