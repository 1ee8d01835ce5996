package timeline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dbsched/dbsched/internal/format"
)

// Chart draws one line per lane, width cells wide, below a ruler and the orders of the waves. Each attempt is a box that contains its
// task and order if they fit: ├─12:100─┤, with double lines on the critical path, and at its end with × if it failed, ! if it overran its timeout.
func (t *Timeline) Chart(width int) string {
	const margin = 8 // before the first cell
	total := t.End.Sub(t.Begin)
	if total <= 0 {
		return "(no task has run)"
	}
	cell := func(at time.Time) int { return int(int64(at.Sub(t.Begin)) * int64(width) / int64(total)) }
	row := func() []rune { return []rune(strings.Repeat(" ", width+margin+8)) }
	ruler := row()
	step := tick(total)
	for d := time.Duration(0); d <= total; d += step {
		copy(ruler[margin+cell(t.Begin.Add(d)):], []rune(compact(d)))
	}
	lines := []string{string(ruler)}
	if len(t.Waves) > 1 {
		orders, free := row(), 0
		copy(orders, []rune("order"))
		for _, w := range t.Waves {
			at, text := cell(w.Start), []rune(fmt.Sprint(w.Order))
			if at >= free && at+len(text) <= width {
				copy(orders[margin+at:], text)
				free = at + len(text) + 1
			}
		}
		lines = append(lines, string(orders))
	}
	for _, lane := range t.Lanes {
		line := row()
		copy(line, []rune(fmt.Sprintf("lane %d", lane)))
		for _, failed := range []bool{false, true} { // a success does not cover a failure that is in the same cell
			for _, b := range t.Bars {
				if b.Lane == lane && b.Failed() == failed {
					box(line[margin:], cell(b.Start), cell(b.End), b)
				}
			}
		}
		lines = append(lines, string(line))
	}
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n")
}

// tick returns a round distance that puts at most eight marks on the ruler.
func tick(total time.Duration) time.Duration {
	for _, step := range []time.Duration{
		time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond, time.Second, 5 * time.Second, 10 * time.Second, 30 * time.Second,
		time.Minute, 5 * time.Minute, 10 * time.Minute, 30 * time.Minute, time.Hour, 6 * time.Hour,
	} {
		if total <= 8*step {
			return step
		}
	}
	return (total / 8).Truncate(24*time.Hour) + 24*time.Hour
}

// compact writes a round duration without the units that are zero: 1m, 1h30m.
func compact(d time.Duration) string {
	text := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zero) {
			text = text[:len(text)-2]
		}
	}
	return text
}

// box draws a bar from cell from up to, not including, cell to.
func box(row []rune, from, to int, b Bar) {
	line, left, right := '─', '├', '┤'
	if b.Critical {
		line, left, right = '═', '╞', '╡'
	}
	switch {
	case b.Failed():
		right = '×'
	case b.Overran != nil:
		right = '!'
	case b.Running:
		right = '>'
	}
	to = max(to, from+1)
	for i := from; i < to; i++ {
		row[i] = line
	}
	row[from] = left
	if to-from > 1 || right == '×' || right == '!' {
		row[to-1] = right
	}
	if label := []rune(fmt.Sprintf("%d:%d", b.Task, b.Order)); len(label) <= to-from-2 {
		copy(row[from+1:], label)
	}
}

// listed is how many attempts are listed below a chart.
const listed = 20

// Longest returns the longest attempts of the critical path, in order.
func (t *Timeline) Longest() []Bar {
	path := slices.Clone(t.Critical)
	slices.SortFunc(path, func(x, y int) int { return cmp.Compare(t.Bars[y].Took(), t.Bars[x].Took()) })
	path = path[:min(len(path), listed)]
	slices.Sort(path)
	var bars []Bar
	for _, i := range path {
		bars = append(bars, t.Bars[i])
	}
	return bars
}

// Text returns the whole report for a terminal that is width cells wide.
func (t *Timeline) Text(width int, clock func(time.Time) string) string {
	if len(t.Bars) == 0 {
		return "No task of this process has started."
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\n%s\n", t.Process.Name, t.Summary(clock), t.Chart(max(width-16, 20)))
	b.WriteString("\n╞═╡ critical path   ├─┤ other tasks   × failed   > running   ! overran its timeout\n")

	fmt.Fprintf(&b, "\nCritical path: %s of the time\n", format.Percent(t.CriticalTime(), t.End.Sub(t.Begin)))
	path := t.Longest()
	for _, c := range path {
		line := fmt.Sprintf("  order %-6d task %-8d %10s  %5s  %s", c.Order, c.Task, format.Duration(c.Took()), format.Percent(c.Took(), t.End.Sub(t.Begin)), format.Named(c.Name, c.SQL))
		b.WriteString(clip(line, width) + "\n")
	}
	if left := len(t.Critical) - len(path); left > 0 {
		fmt.Fprintf(&b, "  and %d shorter ones\n", left)
	}
	fmt.Fprintf(&b, "\nWhere the time went: %d × %s\n", len(t.Lanes), format.Duration(t.End.Sub(t.Begin)))
	for _, part := range t.Parts() {
		fmt.Fprintf(&b, "  %-36s %10s  %5s\n", part.Name, format.Duration(part.Took), format.Percent(part.Took, t.Spent.Total()))
	}
	if note := t.Note(); note != "" {
		b.WriteString("\n" + note + "\n")
	}
	if hint := t.Hint(); hint != "" {
		b.WriteString("\n" + hint + "\n")
	}
	if over := t.Overran(); len(over) > 0 {
		b.WriteString("\nAfter their timeouts\n")
		for _, o := range over[max(0, len(over)-listed):] {
			b.WriteString(clip(fmt.Sprintf("  order %-6d task %-8d %s  %s", o.Order, o.Task, o.State(), format.Named(o.Name, o.SQL)), width) + "\n")
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// Summary says how it went and when.
func (t *Timeline) Summary(clock func(time.Time) string) string {
	text := t.Process.Status
	if t.Process.FinishedAt == nil && t.Left > 0 {
		text += fmt.Sprintf(", %s to start", format.Count(t.Left))
	}
	if t.Process.Failed > 0 {
		text += fmt.Sprintf(", %s failed", format.Plural(t.Process.Failed, "task"))
	}
	if failed := t.FailedAttempts(); failed > 0 {
		text += fmt.Sprintf(", %s failed", format.Plural(failed, "attempt"))
	}
	if over := len(t.Overran()); over > 0 {
		text += fmt.Sprintf(", %s overran", format.Plural(over, "attempt"))
	}
	return fmt.Sprintf("%s. %s to %s, %s", text, clock(t.Begin), clock(t.End), format.Duration(t.End.Sub(t.Begin)))
}

// CriticalTime returns how long the tasks of the critical path ran.
func (t *Timeline) CriticalTime() (d time.Duration) {
	for _, i := range t.Critical {
		d += t.Bars[i].Took()
	}
	return d
}

// Part is one line of where the time went.
type Part struct {
	Name string
	Took time.Duration
}

// Parts returns the lines of where the time of the lanes went.
func (t *Timeline) Parts() []Part {
	return []Part{
		{"Running tasks", t.Spent.Running},
		{"Idle, the wave had no more tasks", t.Spent.Idle},
		{"Waiting for a resource", t.Spent.Resource},
		{"Lanes worked for other processes", t.Spent.Others},
		{"From due to start", t.Spent.Start},
	}
}

// Hint names the task that delayed the others most, if there is one.
func (t *Timeline) Hint() string {
	if t.Lonely == nil {
		return ""
	}
	b := t.Bars[t.Lonely.Bar]
	return fmt.Sprintf("Order %d waited %s for task %d alone (%s).", t.Lonely.Order, format.Duration(t.Lonely.Alone), b.Task, format.Label(b.Name, b.SQL))
}

func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
