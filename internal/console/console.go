// Package console serves a scheduler as web pages for a team: server-rendered, refreshed by a script, protected by a token.
package console

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/format"
	"github.com/dbsched/dbsched/internal/snapshot"
	"github.com/dbsched/dbsched/internal/web"
)

// Interval is the time between two readings of a view.
const Interval = 2 * time.Second

// Options are what the user chose.
type Options struct {
	Token web.Token              // what a browser must present; see NewToken
	Write bool                   // whether pages can change anything
	Names func(host string) bool // the hosts under which the console is reached
	Log   *slog.Logger
}

// NewToken returns a random token: 26 letters and digits, 130 bits.
func NewToken() string { return rand.Text() }

// Scheduler is what the pages show and change.
type Scheduler interface {
	snapshot.Source
	Tasks(ctx context.Context, f dialects.Filter) ([]dialects.Task, error)
	EndCommand(ctx context.Context) (string, error)
	Start(ctx context.Context) error
	Stop(ctx context.Context, mode dialects.StopMode) error
	SetWorkers(ctx context.Context, n int) error
	CancelTask(ctx context.Context, id int64) error
	CancelProcess(ctx context.Context, id int64) error
	RetryTask(ctx context.Context, id int64) error
	RetryProcess(ctx context.Context, id int64) error
	AcknowledgeAlarm(ctx context.Context, id int64) error
	AcknowledgeAlarms(ctx context.Context, upTo int64) error
	Schedules(ctx context.Context, name string) ([]dialects.Schedule, error)
	SetScheduleEnabled(ctx context.Context, name string, enabled bool) error
	RunSchedule(ctx context.Context, name string) error
	Firings(ctx context.Context, name string, limit int) ([]dialects.Firing, error)
	NextInstants(ctx context.Context, w dialects.When, after time.Time, count int) ([]time.Time, error)
	Zone(ctx context.Context, name string) (string, *time.Location, error)
}

// Console is the pages of one scheduler.
type Console struct {
	db       Scheduler
	opts     Options
	board    *snapshot.Share[*snapshot.Snapshot]
	details  shares[processKey, process]
	lists    shares[listKey, any]
	turns    turns
	sessions sessions
	failures failures
}

// New returns the console for a scheduler.
func New(db Scheduler, opts Options) *Console {
	c := &Console{db: db, opts: opts, sessions: sessions{token: opts.Token}}
	b := snapshot.New(db)
	c.board = snapshot.NewShare(logged(c, b.Read), snapshot.Every(Interval))
	return c
}

// Handler serves the pages.
func (c *Console) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /style.css", static("text/css; charset=utf-8", style))
	mux.HandleFunc("GET /script.js", static("text/javascript; charset=utf-8", script))
	for pattern, route := range c.pages() {
		mux.HandleFunc("GET "+pattern, c.page(route))
	}
	if c.opts.Write {
		for pattern, do := range c.actions() {
			mux.HandleFunc("POST "+pattern, c.action(do))
		}
	}
	// The browser marks requests from forms on another site (Sec-Fetch-Site, Origin): they are refused.
	return c.guard(http.NewCrossOriginProtection().Handler(mux))
}

// guard passes requests that name this host and come from a browser that has shown the token. The URL with the token begins a session and
// redirects to the URL without it, so that it does not stay in the history.
func (c *Console) guard(next http.Handler) http.Handler {
	g := &web.Guard{Names: c.opts.Names, Log: c.opts.Log}
	return g.Host(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'")
		if given := r.URL.Query().Get("token"); r.Method == http.MethodGet && c.opts.Token.Is(given) {
			c.sessions.open(w, r)
			q := r.URL.Query()
			q.Del("token")
			http.Redirect(w, r, (&url.URL{Path: "/" + strings.TrimLeft(r.URL.Path, "/"), RawQuery: q.Encode()}).String(), http.StatusSeeOther)
			return
		}
		s := c.sessions.of(r)
		if s == nil {
			g.Refuse(w, r, http.StatusUnauthorized, "Open the address that 'dbsched console' printed: it holds the token. A session lasts a day.")
			return
		}
		next.ServeHTTP(w, r.WithContext(s.with(r.Context())))
	}))
}

func static(kind, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		_, _ = w.Write([]byte(text)) // if this fails, only the client is affected
	}
}

// failures are the readings that failed: one line each in the log, the same text once a minute. Viewers see that, not why, because it names
// the server and the login.
type failures struct {
	mu   sync.Mutex
	text string
	at   time.Time
}

// logged is read, with its errors in the log.
func logged[T any](c *Console, read func(context.Context) (T, error)) func(context.Context) (T, error) {
	return func(ctx context.Context) (T, error) {
		value, err := read(ctx)
		if err == nil || errors.Is(err, errMissing) {
			return value, err
		}
		c.failures.mu.Lock()
		defer c.failures.mu.Unlock()
		if f := &c.failures; f.text != err.Error() || time.Since(f.at) >= time.Minute {
			c.opts.Log.Error("the database cannot be read", "error", err)
			f.text, f.at = err.Error(), time.Now()
		}
		return value, err
	}
}

// worst is the banner's text: why nothing runs, else the last failure, else a late schedule, else an alarm.
type worst struct {
	Title, Text, Next string
	Task, Process     int64
	Retry             bool // the task has ended, and may run again
}

func banner(s *snapshot.Snapshot) *worst {
	if why, next := s.Status.WhyBlocked(); why != "" {
		return &worst{Title: "No task runs.", Text: strings.ToUpper(why[:1]) + why[1:] + ".", Next: next}
	}
	if failures := s.Failures(); len(failures) > 0 {
		e := failures[0]
		return &worst{Title: strings.TrimSuffix("Task "+id(e.TaskID)+", "+e.Name, ", ") + " " + strings.ToLower(e.Outcome) + ".", Text: cmp.Or(e.ErrorMessage, e.SQL), Task: e.TaskID, Process: e.ProcessID, Retry: retryable(s, e)}
	}
	if c := s.Schedules; c.Late > 0 {
		text := c.Next + " has been due for " + format.Duration(c.LateBy(s.Status.Now)) + "."
		return &worst{Title: format.Plural(c.Late, "schedule") + " late.", Text: text, Next: "dbsched verify"}
	}
	if n := len(s.Alarms); n > 0 {
		a := s.Alarms[n-1]
		return &worst{Title: a.Kind + ".", Text: a.Text, Task: a.TaskID, Process: a.ProcessID}
	}
	return nil
}

// retryable reports whether the task of a failed attempt can run again: none has followed.
func retryable(s *snapshot.Snapshot, e dialects.LogEntry) bool {
	return e.Retryable() && !slices.ContainsFunc(s.Attempts, func(o dialects.LogEntry) bool { return o.TaskID == e.TaskID && o.Attempt > e.Attempt })
}

// words returns the SQL of a task on one line; in words, if the task is dbsched's own.
func words(process any, sql string) string {
	return format.Line(dialects.TaskText(whole(process), sql))
}

// nameOf returns the name of a process in a snapshot.
func nameOf(s *snapshot.Snapshot, process int64) string {
	if i := slices.IndexFunc(s.Processes, func(p dialects.Process) bool { return p.ID == process }); i >= 0 && s.Processes[i].Name != "" {
		return s.Processes[i].Name
	}
	return "process " + id(process)
}
