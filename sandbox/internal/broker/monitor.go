package broker

import (
	"slices"
	"time"

	"github.com/dbsched/dbsched/sandbox/differ"
	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// MonitorState is the state of a queue monitor: sys.dm_broker_queue_monitors.state.
type MonitorState string

// The states of a queue monitor.
const (
	// Inactive: there is nothing to receive.
	Inactive MonitorState = "INACTIVE"
	// Notified: a reader was started; no other is started until some session executes RECEIVE.
	Notified MonitorState = "NOTIFIED"
	// Receiving: sessions receive; a further reader is started if they do not keep up.
	Receiving MonitorState = "RECEIVES_OCCURRING"
	// Shut: the broker was shut down while procedures of the monitor ran (support article 3163368).
	Shut MonitorState = "DROPPED"
)

// patience is how long readers must not have kept up before a further one is started. The
// documentation says "a few seconds"; the Service Broker team says 5, not configurable.
const patience = 5 * time.Second

// Monitor decides when a queue's activation procedure is started (learn.microsoft.com,
// "Understanding when activation occurs"; the states are described by the Service Broker team,
// "Understanding queue monitors", 2008). A queue keeps its monitor across ALTER QUEUE; it works
// while activation, the queue and the broker are on.
//
// Time: the start of a reader, and of a further one when 5 seconds have passed, attract jumps of
// the virtual clock, since work waits for them. They do not after a reader came back empty-handed
// although messages were there (another session has locked the conversation group): hurrying
// gains nothing, and a system in which nothing else happens would keep jumping forever.
// The 5 seconds are those in which no RECEIVE came back empty, nobody waited in one and no reader was
// started; how long messages have been unread does not matter. So a message that finds all readers
// busy for 5 seconds starts a further one at once. Published output agrees: a queue that gets a message every 10 s,
// whose readers work for 30 s, has three of them ("Service Broker as scheduler", sqlnotes.info, 2012).
type Monitor struct {
	q *Queue

	working       bool
	state         MonitorState
	lastEmpty     time.Time
	lastActivated time.Time
	hadUnread     bool      // there were unread messages at the last look
	lastWaited    time.Time // when a session last left WAITFOR (RECEIVE)
	fruitless     bool      // the last RECEIVE came back empty although messages were there
	running       []*reader
	next          *kernel.Timer
}

// reader is a session that runs an activation procedure.
type reader struct {
	session int // 0: not yet started
	proc    string
	as      int32
}

// works reports whether the queue's settings and its broker let the monitor do anything.
func (q *Queue) works() bool {
	s := &q.settings
	return !q.dropped && q.Database.enabled && s.Enabled && s.Activation.Enabled &&
		s.Activation.Procedure != "" && s.Activation.MaxReaders > 0 && s.Activation.ExecuteAs != 0 &&
		q.Database.in.opts.Activator != nil
}

// settingsChanged puts a change of the queue, or of its broker, into force.
func (q *Queue) settingsChanged() {
	m := q.monitor
	if on := q.works(); on != m.working {
		m.stop()
		*m = Monitor{q: q, working: on, state: Inactive, running: m.running}
	}
	q.wake() // waiters find the queue off, dropped, or on
	m.arrived()
}

// shut replaces the monitor when its broker is shut down; the procedures that it started
// run on and do not count for the new one.
func (q *Queue) shut() {
	old := q.monitor
	old.stop()
	q.monitor = &Monitor{q: q, state: Inactive}
	if len(old.running) > 0 {
		old.working, old.state = false, Shut
		q.Database.in.dropped = append(q.Database.in.dropped, old)
	}
}

// each calls fn for the queues by database and number.
func (in *Instance) each(fn func(q *Queue)) {
	for _, d := range in.databases {
		for _, q := range d.queues {
			fn(q)
		}
	}
}

// Crash ends all monitors with their instance. restart begins new ones, which know nothing of what ran before.
func (in *Instance) Crash() (restart func()) {
	in.each((*Queue).shut)
	in.dropped = nil
	return func() { in.each((*Queue).settingsChanged) }
}

func (m *Monitor) stop() {
	if m.next != nil {
		m.next.Stop()
		m.next = nil
	}
}

// arrived checks again after messages were added, or can be received again.
func (m *Monitor) arrived() {
	m.fruitless = false
	m.check(!m.hadUnread)
}

// look checks again after anything else that may make activation necessary.
func (m *Monitor) look() { m.check(false) }

// left records that a session no longer waits in RECEIVE.
func (m *Monitor) left() {
	m.lastWaited = m.now()
	m.look()
}

// receiving records that a session waits in RECEIVE.
func (m *Monitor) receiving() {
	if m.working {
		m.state = Receiving
		m.look()
	}
}

// received records a RECEIVE that has ended.
func (m *Monitor) received(empty bool) {
	if !m.working {
		return
	}
	m.state = Receiving
	if !empty {
		m.fruitless = false
	} else {
		m.lastEmpty = m.now()
		m.fruitless = m.q.unread(nil)
		if !m.fruitless {
			m.state = Inactive
		}
	}
	m.look()
}

func (m *Monitor) now() time.Time { return m.q.Database.in.k.Now() }

// check starts a reader if activation is necessary, or makes sure that it checks again in time.
// fresh: messages have arrived on a queue that had none unread.
func (m *Monitor) check(fresh bool) {
	m.stop()
	if !m.working {
		return
	}
	now := m.now()
	if m.hadUnread = m.q.unread(nil); !m.hadUnread {
		m.fruitless = false
		return
	}
	if m.state == Notified || len(m.running) >= m.q.settings.Activation.MaxReaders {
		return
	}
	if len(m.running) == 0 && (fresh || m.q.waiters.Len() == 0 && m.q.unread(m.q.Database.free)) {
		m.start()
		return
	}
	if m.q.waiters.Len() > 0 {
		return
	}
	due := latest(m.lastEmpty, m.lastActivated, m.lastWaited).Add(patience)
	if !due.After(now) {
		m.start()
		return
	}
	kind := kernel.Demand
	if m.fruitless {
		kind = kernel.HouseKeeping
	}
	m.next = m.q.Database.in.k.After(due.Sub(now), kind, func() {
		m.next = nil
		m.look()
	})
}

func latest(ts ...time.Time) time.Time { return slices.MaxFunc(ts, time.Time.Compare) }

// start starts a reader, after a delay.
func (m *Monitor) start() {
	in := m.q.Database.in
	m.state = Notified
	m.lastActivated = m.now()
	a := m.q.settings.Activation
	r := &reader{proc: a.Procedure, as: a.ExecuteAs}
	m.running = append(m.running, r)
	in.st.Counters.Activations++
	delay := in.k.Duration("activation", in.opts.ActivationDelayLow, in.opts.ActivationDelayHigh)
	if in.k.Differs(differ.ReadersOneByOne) {
		delay = max(delay, in.lastReader.Add(300*time.Millisecond).Sub(m.now()))
		in.lastReader = m.now().Add(delay)
	}
	in.k.After(delay, kernel.Demand, func() {
		if !m.working { // turned off meanwhile
			m.ended(r)
			return
		}
		in.k.Tracef("activate %d", m.q.ID)
		r.session = in.opts.Activator.Activate(m.q, func() { m.ended(r) })
	})
}

// ended removes a reader whose session has ended.
func (m *Monitor) ended(r *reader) {
	m.running = slices.DeleteFunc(slices.Clone(m.running), func(o *reader) bool { return o == r })
	if len(m.running) == 0 && m.state == Shut {
		return // the monitor is removed when the broker starts next
	}
	m.look()
}

// unread reports whether the queue has a message that is ready and that no open transaction is
// about to add or to take; if suits is not nil, in a group that it accepts.
func (q *Queue) unread(suits func(tx *store.Txn, group Handle) bool) (yes bool) {
	counters := q.Database.in.st.Counters // a monitor's check counts for nobody
	defer func() { q.Database.in.st.Counters = counters }()
	q.Database.in.st.Alone(func(tx *store.Txn) {
		_ = tx.Each(q.table, q.ready(nil), func(_ store.RowID, row value.Row) bool {
			yes = suits == nil || suits(tx, row[columnGroup].GUIDBytes())
			return !yes
		})
	})
	return yes
}

// free reports whether nobody has locked a conversation group.
func (d *Database) free(tx *store.Txn, g Handle) bool {
	return d.in.st.Compatible(tx.Owner(), d.groupResource(g), store.X)
}

// MonitorInfo is a row of sys.dm_broker_queue_monitors.
type MonitorInfo struct {
	Database      int32
	Queue         int32
	State         MonitorState
	LastEmpty     time.Time // last_empty_rowset_time; zero: never
	LastActivated time.Time // last_activated_time; zero: never
	Waiting       int       // tasks_waiting
}

// Monitors returns the queue monitors by database and queue, those of brokers shut down last.
func (in *Instance) Monitors() []MonitorInfo {
	var out []MonitorInfo
	in.eachMonitor(func(m *Monitor) {
		i := MonitorInfo{
			Database: m.q.Database.ID, Queue: m.q.ID, State: m.state,
			LastEmpty: m.lastEmpty, LastActivated: m.lastActivated,
		}
		if m.working {
			i.Waiting = m.q.waiters.Len()
		}
		out = append(out, i)
	})
	return out
}

// ActivatedTask is a row of sys.dm_broker_activated_tasks.
type ActivatedTask struct {
	Session   int
	Database  int32
	Queue     int32
	Procedure string
	ExecuteAs int32 // principal id as the queue's settings have it
}

// ActivatedTasks returns the sessions that run activation procedures, by database and queue.
func (in *Instance) ActivatedTasks() []ActivatedTask {
	var out []ActivatedTask
	add := func(m *Monitor) {
		for _, r := range m.running {
			if r.session != 0 {
				out = append(out, ActivatedTask{
					Session: r.session, Database: m.q.Database.ID, Queue: m.q.ID, Procedure: r.proc, ExecuteAs: r.as,
				})
			}
		}
	}
	in.each(func(q *Queue) { add(q.monitor) }) // turning activation off does not end what runs
	for _, m := range in.dropped {
		add(m)
	}
	return out
}

func (in *Instance) eachMonitor(fn func(*Monitor)) {
	in.each(func(q *Queue) {
		if q.monitor.working {
			fn(q.monitor)
		}
	})
	for _, m := range in.dropped {
		fn(m)
	}
}
