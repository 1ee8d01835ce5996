package watch

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/format"
)

// Colors only repeat what a word or a sign says. The program omits them if NO_COLOR or the terminal requires it.
var (
	bold   = lipgloss.NewStyle().Bold(true)
	dim    = lipgloss.NewStyle().Faint(true)
	accent = lipgloss.NewStyle().Foreground(lipgloss.Blue)
	bad    = lipgloss.NewStyle().Foreground(lipgloss.Red)
)

// View draws the screen, never wider or higher than the terminal.
func (m *model) View() tea.View {
	v := tea.NewView("")
	v.AltScreen = true
	v.WindowTitle = "dbsched watch"
	if m.width == 0 || m.now == nil {
		return v
	}
	foot := []string{m.footer()}
	body := m.height - 3 - len(foot)
	var lines []string
	switch m.page {
	case tasks:
		lines = m.tasksPage(body)
	case chart:
		lines = m.chartPage()
	case alarms:
		lines = m.alarmsPage(body)
	case help:
		lines = strings.Split(helpText, "\n")
	default:
		lines = m.overviewPage(body)
	}
	if len(lines) > body {
		lines = append(lines[:max(0, body-1)], dim.Render(" … enlarge the terminal for more"))
	}
	for len(lines) < body {
		lines = append(lines, "")
	}
	all := append([]string{m.head(), m.figures(), ""}, append(lines, foot...)...)
	for i, l := range all {
		all[i] = ansi.Truncate(l, m.width, "…")
	}
	v.SetContent(strings.Join(all[:min(len(all), m.height)], "\n"))
	return v
}

func (m *model) time(t time.Time) string { return t.In(m.zone).Format("15:04:05") }

// head says which scheduler this is, and whether it runs. What matters least goes first where there is no room for all: the server and its
// database stay.
func (m *model) head() string {
	st := m.now.Status
	state := "Running"
	all := state + fmt.Sprintf(" · %d of %s", st.Running, format.Plural(st.MaxWorkers, "worker"))
	if why, next := st.WhyBlocked(); why != "" {
		state = bad.Render("! No task runs: " + why)
		all = bad.Render("! No task runs: " + why + " (" + next + ")")
	}
	if m.lost != nil {
		state = bad.Render("! Connection lost, trying again: " + format.Clean(m.lost.Error()))
		all = state
	}
	target := " " + format.Clean(st.Target)
	place, _, _ := strings.Cut(target, " as ")
	for _, ends := range [][2]string{
		{" " + bold.Render("dbsched") + " " + target, all + " · " + m.time(st.Now) + " "}, {target, all + " "}, {place, all + " "}, {place, state + " "},
	} {
		if ansi.StringWidth(ends[0])+ansi.StringWidth(ends[1]) < m.width {
			return spread(m.width, ends[0], ends[1])
		}
	}
	return place + "  " + state
}

// figures is the line of numbers. What is wrong comes first: a narrow terminal cuts the end.
func (m *model) figures() string {
	f := m.now.Figures()
	text := m.wrong() + fmt.Sprintf(" due %s", format.Count(f.Due))
	if f.Oldest > 0 {
		text += " (oldest " + format.Duration(f.Oldest) + ")"
	}
	text += "   later " + format.Count(f.Later)
	if f.NextDue != nil {
		text += " (next " + m.time(*f.NextDue) + ")"
	}
	if !slices.Contains(m.now.Hidden, "attempts") {
		text += fmt.Sprintf("   last hour: %s ended, %s failed", format.Plural(f.Ended, "attempt"), format.Count(f.Failed))
	}
	if f.StartP95 >= 0 {
		text += ", start p95 " + format.Duration(f.StartP95)
		if f.Newest > 0 {
			text += " of the newest " + format.Count(f.Newest)
		}
	}
	c := m.now.Schedules
	if c.NextAt != nil && c.Late == 0 {
		at := m.time(*c.NextAt)
		if c.NextAt.Sub(m.now.Status.Now) > 20*time.Hour {
			at = c.NextAt.In(m.zone).Format("2006-01-02 15:04")
		}
		text += "   next schedule " + format.Clean(c.Next) + " " + at
	}
	return text
}

// wrong counts the alarms, and the schedules with which something is wrong.
func (m *model) wrong() (text string) {
	c := m.now.Schedules
	for _, w := range []struct {
		n         int64
		what, how string
	}{{m.now.AlarmCount(), "alarm", ""}, {c.Late, "schedule", " late"}, {c.Suspended, "schedule", " suspended"}} {
		if w.n > 0 {
			text += " " + bad.Render("! "+format.Plural(w.n, w.what)+w.how) + "  "
		}
	}
	return text
}

// column is part of a line. The one without a width gets the remaining space.
type column struct {
	title string
	width int
	right bool
}

// row lays cells out under columns, with a space before each.
func (m *model) row(columns []column, cells ...string) string {
	rest := m.width - 1
	for _, c := range columns {
		rest -= c.width + 1
	}
	var b strings.Builder
	for i, c := range columns {
		width := c.width
		if width == 0 {
			width = max(8, rest)
		}
		b.WriteString(" " + pad(cells[i], width, c.right))
	}
	return b.String()
}

func (m *model) titles(columns []column) string {
	var cells []string
	for _, c := range columns {
		cells = append(cells, c.title)
	}
	return dim.Render(m.row(columns, cells...))
}

func pad(text string, width int, right bool) string {
	text = ansi.Truncate(text, width, "…")
	space := strings.Repeat(" ", max(0, width-ansi.StringWidth(text)))
	if right {
		return space + text
	}
	return text + space
}

// spread puts one text at the left end of a line and one, which is never cut, at the right.
func spread(width int, left, right string) string {
	room := max(0, width-ansi.StringWidth(right)-1)
	return pad(left, room, false) + " " + right
}

func mark(chosen bool) string {
	if chosen {
		return accent.Render(">")
	}
	return " "
}

// overviewPage shows processes, lanes and the last failures, in the available space.
func (m *model) overviewPage(height int) (lines []string) {
	columns := []column{{"", 1, false}, {"PROCESS", 0, false}, {"WAVE", 6, true}, {"PROGRESS", 20, false}, {"LEFT", 6, true}, {"SINCE START", 11, true}, {"EXPECTED", 9, true}}
	if m.width < 90 {
		columns[3].width = 10
		columns = columns[:6]
	}
	lanes, failures := m.lanes(), m.failures()
	room := max(3, height-len(lanes)-len(failures)-4) // titles and blank lines
	lines = append(lines, m.titles(columns))
	all := m.listed()
	if len(all) == 0 {
		lines = append(lines, dim.Render("   No process has run in the last day. Enqueue one: dbsched exec \"SQL\" --order 100"))
	}
	first := 0
	for i, p := range all {
		if p.ID == m.process && i >= room {
			first = i - room + 1
		}
	}
	for i, p := range all[first:] {
		if i == room {
			lines = append(lines, dim.Render(fmt.Sprintf("   … %d more", len(all)-first-room)))
			break
		}
		lines = append(lines, m.row(columns, m.processCells(p, columns[3].width)[:len(columns)]...))
	}
	return append(append(append(lines, ""), lanes...), failures...)
}

func (m *model) processCells(p dialects.Process, bar int) []string {
	cells := []string{mark(p.ID == m.process), format.Clean(p.Name), "", "", "", "", ""}
	if p.FinishedAt != nil {
		cells[3], cells[5] = p.Status, format.Duration(p.FinishedAt.Sub(p.CreatedAt))
		if p.Status == "Failed" {
			cells[3] = bad.Render("× Failed")
		}
		return cells
	}
	if p.Order != nil {
		cells[2] = fmt.Sprint(*p.Order)
	}
	ended := p.Succeeded + p.Failed
	cells[3] = progress(bar, ended, p.Running, ended+p.Unfinished)
	cells[4] = format.Count(p.Unfinished)
	cells[5] = format.Duration(m.now.Status.Now.Sub(p.CreatedAt))
	if at := m.now.Expected(p); !at.IsZero() {
		cells[6] = m.time(at)
	}
	return cells
}

// progress returns a bar of ended, running and other tasks.
func progress(width int, ended, running, all int64) string {
	if all == 0 {
		return ""
	}
	full := int(ended * int64(width) / all)
	half := int((ended+running)*int64(width)/all) - full
	return accent.Render(strings.Repeat("█", full)) + strings.Repeat("▒", half) + dim.Render(strings.Repeat("░", width-full-half))
}

// lanes shows what is running, and counts the idle lanes.
func (m *model) lanes() (lines []string) {
	columns := []column{{"LANE", 4, true}, {"TASK", 8, true}, {"STATE", 8, false}, {"SQL", 0, false}, {"WAVE", 6, true}, {"ATTEMPT", 7, true}, {"FOR", 11, true}}
	if m.width < 90 {
		columns[5] = column{"TRY", 3, true}
	}
	for _, l := range m.now.Lanes {
		if a := l.Attempt; a != nil {
			columns[2].width = max(columns[2].width, len(a.State()+format.Overran(a.Overran)))
		}
	}
	others := map[string]int{}
	for _, l := range m.now.Lanes {
		a := l.Attempt
		if a == nil {
			others[strings.ToLower(l.State)]++
			continue
		}
		state := a.State() + format.Overran(a.Overran)
		if a.Overran != nil {
			state = bad.Render(state)
		}
		lines = append(lines, m.row(columns, fmt.Sprint(l.Lane.Lane), fmt.Sprint(a.TaskID), state, format.Clean(format.Named(a.Name, a.SQL)), fmt.Sprint(a.Order), fmt.Sprint(a.Attempt),
			format.Duration(m.now.Status.Now.Sub(a.StartedAt))))
	}
	var rest []string
	for _, state := range []string{"idle", "off", "waking", "working"} {
		if n := others[state]; n > 0 {
			rest = append(rest, fmt.Sprintf("%d %s", n, state))
		}
	}
	if len(rest) > 0 {
		lines = append(lines, dim.Render("      lanes: "+strings.Join(rest, ", ")))
	}
	return append([]string{m.titles(columns)}, lines...)
}

// failures shows the last few of the last hour.
func (m *model) failures() (lines []string) {
	for i, e := range m.now.Failures() {
		if i == 3 {
			break
		}
		lines = append(lines, bad.Render(" ! ")+fmt.Sprintf("%s  task %d  %s %s: %s", m.time(*e.FinishedAt), e.TaskID, format.Clean(format.Label(e.Name, e.SQL)),
			strings.ToLower(e.Outcome), format.Clean(format.Line(e.ErrorMessage))))
	}
	if len(lines) > 0 {
		lines = append([]string{""}, lines...)
	}
	return lines
}

// tasksPage lists the tasks of the open process.
func (m *model) tasksPage(height int) (lines []string) {
	p := m.detail.process
	lines = append(lines, " "+bold.Render(format.Clean(p.Name))+dim.Render(fmt.Sprintf("  process %d · %s · %s unfinished, %s succeeded, %s failed", p.ID, p.Status,
		format.Count(p.Unfinished), format.Count(p.Succeeded), format.Count(p.Failed))))
	if all := p.Unfinished + p.Succeeded + p.Failed; len(m.detail.tasks) == mostTasks && all > mostTasks {
		lines[0] += dim.Render(fmt.Sprintf(" · the newest %s of %s", format.Count(mostTasks), format.Plural(all, "task")))
	}
	columns := []column{{"", 1, false}, {"TASK", 8, true}, {"WAVE", 6, true}, {"STATUS", 10, false}, {"TRY", 3, true}, {"TOOK", 11, true}, {"SQL", 0, false}}
	for _, t := range m.detail.tasks {
		columns[3].width = max(columns[3].width, ansi.StringWidth(taskStatus(t)))
	}
	lines = append(lines, m.titles(columns))
	room, first := max(1, height-3), 0
	for i, t := range m.detail.tasks {
		if t.ID == m.task && i >= room {
			first = i - room + 1
		}
	}
	for i, t := range m.detail.tasks[min(first, len(m.detail.tasks)):] {
		if i == room {
			lines = append(lines, dim.Render(fmt.Sprintf("   … %d more", len(m.detail.tasks)-first-room)))
			break
		}
		status, took := taskStatus(t), ""
		if t.Overran != nil || strings.HasPrefix(status, "×") {
			status = bad.Render(status)
		}
		switch {
		case t.StartedAt != nil && t.FinishedAt != nil:
			took = format.Duration(t.FinishedAt.Sub(*t.StartedAt))
		case t.StartedAt != nil && t.Running():
			took = format.Duration(m.now.Status.Now.Sub(*t.StartedAt))
		}
		lines = append(lines, m.row(columns, mark(t.ID == m.task), fmt.Sprint(t.ID), fmt.Sprint(t.Order), status, fmt.Sprint(t.Attempt), took, format.Clean(format.Named(t.Name, t.SQL))))
	}
	return lines
}

// taskStatus is a task's status with a sign if it failed, and with how far it overran its timeout.
func taskStatus(t dialects.Task) string {
	text := t.Status + format.Overran(t.Overran)
	if t.Status == "Failed" || t.Status == "TimedOut" {
		text = "× " + text
	}
	return text
}

func (m *model) chartPage() []string {
	if m.detail.chart == nil || m.detail.process.ID != m.process {
		return []string{dim.Render(" reading …")}
	}
	text := m.detail.chart.Text(m.width-1, func(t time.Time) string { return t.In(m.zone).Format("2006-01-02 15:04:05") })
	return strings.Split(" "+strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n "), "\n")
}

func (m *model) alarmsPage(height int) (lines []string) {
	if len(m.now.Alarms) == 0 {
		return []string{dim.Render(" All alarms are acknowledged.")}
	}
	lines = append(lines, dim.Render(" Alarms that are not acknowledged. x acknowledges all."))
	for i := len(m.now.Alarms) - 1; i >= 0 && len(lines) < height; i-- {
		a := m.now.Alarms[i]
		lines = append(lines, fmt.Sprintf(" %s  %s  %s", a.RaisedAt.In(m.zone).Format("2006-01-02 15:04:05"), pad(a.Kind, 16, false), format.Clean(format.Line(a.Text))))
	}
	return lines
}

// footer returns the open question, the result of the last key, or the keys.
func (m *model) footer() string {
	switch {
	case m.ask != nil && m.ask.number:
		return bold.Render(" "+m.ask.text+" "+m.ask.input+"_") + dim.Render("  Enter sets, Esc leaves")
	case m.ask != nil:
		return bold.Render(" " + m.ask.text + " y/n")
	case m.said != "":
		return " " + format.Clean(format.Line(m.said))
	case m.page == tasks:
		return dim.Render(" ↑↓ choose" + m.offers(" task") + "  t timeline  esc back  q quit")
	case m.page == overview:
		return dim.Render(" ↑↓ choose  enter open  p pause  w workers" + m.offers("") + "  t timeline  a alarms  ? help  q quit")
	}
	return dim.Render(" esc back  q quit")
}

// offers names the keys that can change what is chosen.
func (m *model) offers(what string) (keys string) {
	about := m.chosen()
	if about.cancel {
		keys += "  c cancel" + what
	}
	if about.retry {
		keys += "  r retry" + what
	}
	return keys
}

const helpText = ` ↑ ↓      choose a process, or a task of the open one
 enter    open the process: its tasks
 t        its timeline: lanes, waves, critical path
 c        cancel the process, or the chosen task
 r        retry what failed of the process, or the chosen task
 p        pause: no other task starts; p again resumes
 w        set the number of workers
 a        alarms; x acknowledges them
 esc      back
 q        quit; tasks continue

 WAVE is the execution order that runs. EXPECTED is the start plus the median of the last runs by the same name.`
