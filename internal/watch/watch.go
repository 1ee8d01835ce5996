// Package watch shows a live view of a scheduler in a terminal: processes, lanes, failures, and keys for what an operator does.
package watch

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/format"
	"github.com/dbsched/dbsched/internal/snapshot"
	"github.com/dbsched/dbsched/internal/timeline"
)

// Interval is how often the database is read.
const Interval = time.Second

// Scheduler is what the view shows and changes.
type Scheduler interface {
	snapshot.Source
	Tasks(ctx context.Context, f dialects.Filter) ([]dialects.Task, error)
	EndCommand(ctx context.Context) (string, error)
	AcknowledgeAlarms(ctx context.Context, upTo int64) error
	SetWorkers(ctx context.Context, n int) error
	CancelTask(ctx context.Context, id int64) error
	CancelProcess(ctx context.Context, id int64) error
	RetryTask(ctx context.Context, id int64) error
	RetryProcess(ctx context.Context, id int64) error
}

// Run shows the view until the user leaves it. It fails at once if the database cannot be read; if the connection is lost later,
// that is shown, and it retries.
func Run(ctx context.Context, db Scheduler, in io.Reader, out io.Writer, zone *time.Location) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	share := snapshot.NewShare(snapshot.New(db).Read, snapshot.Every(Interval))
	first, err := share.Now(ctx)
	if err == nil {
		err = first.Err
	}
	if err != nil {
		return err
	}
	p := tea.NewProgram(&model{ctx: ctx, db: db, zone: zone, now: first.Value}, tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out))
	go func() {
		for f := range share.Frames(ctx) {
			p.Send(f)
		}
	}()
	_, err = p.Run()
	return err
}

// mostTasks is how many tasks of a process are listed.
const mostTasks = 5000

// page is what the screen shows.
type page int

const (
	overview page = iota
	tasks
	chart
	alarms
	help
)

// model is the state of the screen. Update changes it, one message at a time; View draws it.
type model struct {
	ctx           context.Context //nolint:containedctx // commands outlive Update, and end with the program
	db            Scheduler
	zone          *time.Location
	width, height int
	now           *snapshot.Snapshot
	lost          error // why now is old
	allowed       int   // workers, when that was last not 0
	page          page
	process       int64 // the selected one, or the open one
	task          int64 // the selected one of the open process
	detail        detail
	loading       bool
	ask           *question
	said          string
}

// detail is the open process.
type detail struct {
	process dialects.Process
	tasks   []dialects.Task
	chart   *timeline.Timeline
}

// question waits for a key, or for a number and Enter.
type question struct {
	text   string
	number bool
	input  string
	do     func(n int) tea.Cmd
}

type (
	frameMsg  = snapshot.Frame[*snapshot.Snapshot]
	detailMsg struct {
		detail
		err error
	}
	askMsg  question
	doneMsg struct {
		text string
		err  error
	}
)

// Init does nothing: frames are sent from outside.
func (m *model) Init() tea.Cmd { return nil }

// Update handles a key, a frame, or the result of a command.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case frameMsg:
		m.now, m.lost = msg.Value, msg.Err
		if n := m.now.Status.MaxWorkers; n > 0 {
			m.allowed = n
		}
		if m.page == tasks || m.page == chart {
			return m, m.load()
		}
	case detailMsg:
		m.loading = false
		if msg.err != nil {
			m.said = msg.err.Error()
		} else if msg.process.ID == m.process {
			m.detail = msg.detail
		}
	case askMsg:
		if q := question(msg); m.ask == nil {
			m.ask = &q
		}
	case doneMsg:
		m.said = msg.text
		if msg.err != nil {
			m.said = msg.err.Error()
		}
	case tea.KeyPressMsg:
		if msg.String() == "ctrl+c" {
			return m, tea.Quit
		}
		if m.ask != nil {
			return m, m.answer(msg.String())
		}
		m.said = ""
		return m, m.key(msg.String())
	}
	return m, nil
}

// answer handles a key while a question is open.
func (m *model) answer(key string) tea.Cmd {
	q := m.ask
	switch {
	case q.number && len(key) == 1 && key >= "0" && key <= "9" && len(q.input) < 3:
		q.input += key
		return nil
	case q.number && key == "backspace":
		q.input = q.input[:max(0, len(q.input)-1)]
		return nil
	}
	m.ask = nil
	n, err := strconv.Atoi(q.input)
	if q.number && key == "enter" && err == nil || !q.number && (key == "y" || key == "Y") {
		return q.do(n)
	}
	m.said = "nothing was changed"
	return nil
}

// key handles a key while no question is open.
func (m *model) key(key string) tea.Cmd {
	switch key {
	case "q":
		return tea.Quit
	case "up", "k":
		m.choose(-1)
	case "down", "j":
		m.choose(1)
	case "esc", "backspace", "left":
		m.page = overview
	case "?":
		m.page = help
	case "a":
		m.page = alarms
	case "enter":
		return m.open(tasks)
	case "t":
		return m.open(chart)
	case "p":
		m.askPause()
	case "w":
		m.ask = &question{text: fmt.Sprintf("Workers, 0 to %d:", m.now.Status.MaxLanes), number: true, do: m.workers}
	case "c":
		return m.askCancel()
	case "r":
		m.askRetry()
	case "x":
		if m.page == alarms && len(m.now.Alarms) > 0 {
			last := m.now.Alarms[len(m.now.Alarms)-1].ID
			m.ask = &question{text: "Acknowledge " + format.Plural(len(m.now.Alarms), "alarm") + "?", do: func(int) tea.Cmd {
				return m.run("acknowledged", func(ctx context.Context) error { return m.db.AcknowledgeAlarms(ctx, last) })
			}}
		}
	}
	return nil
}

// open shows the selected process.
func (m *model) open(p page) tea.Cmd {
	if m.process == 0 {
		m.choose(0)
	}
	if m.process == 0 {
		m.said = "no process runs or has ended in the last day"
		return nil
	}
	m.page = p
	return m.load()
}

// choose moves the cursor.
func (m *model) choose(by int) {
	ids, at := m.processes(), &m.process
	if m.page == tasks {
		ids, at = m.taskIDs(), &m.task
	}
	if len(ids) == 0 {
		return
	}
	i := slices.Index(ids, *at) + by // the selected one may be gone: -1, so that the first follows
	*at = ids[min(max(i, 0), len(ids)-1)]
}

// processes returns the ids in the overview, from top to bottom.
func (m *model) processes() (ids []int64) {
	for _, p := range m.listed() {
		ids = append(ids, p.ID)
	}
	return ids
}

// listed returns the processes in the overview: those with work, and then those that ended last.
func (m *model) listed() []dialects.Process {
	if m.now == nil {
		return nil
	}
	return append(m.now.Active(), m.now.Finished()...)
}

func (m *model) taskIDs() (ids []int64) {
	for _, t := range m.detail.tasks {
		ids = append(ids, t.ID)
	}
	return ids
}

// load reads the open process, unless a reading is in progress.
func (m *model) load() tea.Cmd {
	if m.loading {
		return nil
	}
	m.loading = true
	id, now, all := m.process, m.now.Status.Now, m.listed()
	return func() tea.Msg {
		d := detail{process: dialects.Process{ID: id}}
		if i := slices.IndexFunc(all, func(p dialects.Process) bool { return p.ID == id }); i >= 0 {
			d.process = all[i]
		}
		var err error
		if d.tasks, err = m.db.Tasks(m.ctx, dialects.Filter{ProcessID: id, Limit: mostTasks}); err != nil {
			return detailMsg{err: err}
		}
		d.chart, err = timeline.Read(m.ctx, m.db, d.process, now)
		return detailMsg{d, err}
	}
}

// run does something in the background, and reports what it did.
func (m *model) run(text string, do func(context.Context) error) tea.Cmd {
	return func() tea.Msg { return doneMsg{text, do(m.ctx)} }
}

func (m *model) workers(n int) tea.Cmd {
	if most := m.now.Status.MaxLanes; n > most {
		m.said = fmt.Sprintf("%d lanes are installed, so at most %[1]d workers can run", most)
		return nil
	}
	return m.run(format.Plural(n, "worker")+" allowed", func(ctx context.Context) error { return m.db.SetWorkers(ctx, n) })
}

// askPause asks whether to start no more tasks, or to start tasks again.
func (m *model) askPause() {
	st := m.now.Status
	if st.MaxWorkers == 0 {
		n := m.allowed
		if n == 0 {
			m.ask = &question{text: fmt.Sprintf("Resume with how many workers, 1 to %d?", st.MaxLanes), number: true, do: m.workers}
			return
		}
		m.ask = &question{text: fmt.Sprintf("Resume with %s?", format.Plural(n, "worker")), do: func(int) tea.Cmd { return m.workers(n) }}
		return
	}
	m.ask = &question{text: "Pause? Running tasks finish; no other task starts.", do: func(int) tea.Cmd { return m.workers(0) }}
}

// chosen is the selected task or process, and what can be done to it.
type chosen struct {
	name          string // task 4 or process 7; empty: nothing is selected
	id            int64
	status        string
	cancel, retry bool
	running       bool // a session runs it, or tasks of it
}

func (m *model) chosen() chosen {
	if m.page == tasks {
		i := slices.IndexFunc(m.detail.tasks, func(t dialects.Task) bool { return t.ID == m.task })
		if i < 0 {
			return chosen{}
		}
		t := m.detail.tasks[i]
		return chosen{fmt.Sprintf("task %d", t.ID), t.ID, t.Status, t.Cancellable(), t.Retryable(), t.Running()}
	}
	all := m.listed()
	i := slices.IndexFunc(all, func(p dialects.Process) bool { return p.ID == m.process })
	if i < 0 {
		return chosen{}
	}
	p := all[i]
	return chosen{fmt.Sprintf("process %d", p.ID), p.ID, p.Status, p.Cancellable(), p.Retryable(), p.Running > 0}
}

// askCancel asks whether to cancel the selected task or process, and says so if its sessions cannot be ended.
func (m *model) askCancel() tea.Cmd {
	about, do := m.chosen(), m.db.CancelProcess
	if m.page == tasks {
		do = m.db.CancelTask
	}
	if !m.may(about, about.cancel, "be cancelled") {
		return nil
	}
	ask := question{text: "Cancel " + about.name + "?", do: func(int) tea.Cmd {
		return m.run(about.name+" cancelled", func(ctx context.Context) error { return do(ctx, about.id) })
	}}
	if !about.running {
		m.ask = &ask
		return nil
	}
	return func() tea.Msg {
		if command, err := m.db.EndCommand(m.ctx); err == nil && command != "" {
			ask.text += " What runs goes on until it ends by itself."
		}
		return askMsg(ask)
	}
}

// askRetry asks whether to run the selected task, or what failed of the process, again.
func (m *model) askRetry() {
	about, verb, do := m.chosen(), "Retry all that failed of ", m.db.RetryProcess
	if m.page == tasks {
		verb, do = "Retry ", m.db.RetryTask
	}
	if m.may(about, about.retry, "run again") {
		m.ask = &question{text: verb + about.name + "?", do: func(int) tea.Cmd {
			return m.run(about.name+" retried", func(ctx context.Context) error { return do(ctx, about.id) })
		}}
	}
}

// may reports whether a key can do something, or says why it cannot.
func (m *model) may(about chosen, can bool, what string) bool {
	switch {
	case about.name == "":
		m.said = "choose one first"
	case !can:
		m.said = fmt.Sprintf("%s is %s and cannot %s", about.name, about.status, what)
	}
	return can
}
