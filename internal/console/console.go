// Package console serves a scheduler as web pages for a team: server-rendered, refreshed by server-sent events, protected by a token.
package console

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/board"
	"github.com/dbsched/dbsched/internal/human"
)

// Interval is the time between two readings of a view.
const Interval = 2 * time.Second

// Options are what the user chose.
type Options struct {
	Token string                 // what a browser must present; see NewToken
	Write bool                   // whether pages can change anything
	Names func(host string) bool // the hosts under which the console is reached
	Log   *slog.Logger
}

// NewToken returns a random token: 26 letters and digits, 130 bits.
func NewToken() string { return rand.Text() }

// Console is the pages of one scheduler.
type Console struct {
	db      dialects.Scheduler
	opts    Options
	board   *board.Share[*board.Snapshot]
	details shares[int64, process]
	lists   shares[string, any]
}

// New returns the console for a scheduler.
func New(db dialects.Scheduler, opts Options) *Console {
	return &Console{db: db, opts: opts, board: board.NewShare(board.New(db).Read, board.Every(Interval))}
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

const cookie = "dbsched"

// guard passes requests that name this host, against DNS rebinding, and that have the token. The URL with the token sets
// a cookie and redirects to the URL without it, so that it does not stay in the history.
func (c *Console) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		if !c.opts.Names(strings.Trim(host, "[]")) {
			http.Error(w, "This console is not called "+r.Host+".", http.StatusMisdirectedRequest)
			return
		}
		if given := r.URL.Query().Get("token"); given != "" && r.Method == http.MethodGet && c.knows(given) {
			http.SetCookie(w, &http.Cookie{Name: cookie, Value: given, Path: "/", HttpOnly: true, Secure: r.TLS != nil, SameSite: http.SameSiteStrictMode})
			q := r.URL.Query()
			q.Del("token")
			http.Redirect(w, r, (&url.URL{Path: "/" + strings.TrimLeft(r.URL.Path, "/"), RawQuery: q.Encode()}).String(), http.StatusSeeOther)
			return
		}
		if held, err := r.Cookie(cookie); err != nil || !c.knows(held.Value) {
			http.Error(w, "Open the address that 'dbsched console' printed: it holds the token.", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (c *Console) knows(token string) bool {
	return subtle.ConstantTimeCompare([]byte(token), []byte(c.opts.Token)) == 1
}

func static(kind, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		_, _ = w.Write([]byte(text)) // if this fails, only the client is affected
	}
}

// Loopback reports whether a listening address can be reached only from this machine.
func Loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	ip := net.ParseIP(host)
	return err == nil && (host == "localhost" || ip != nil && ip.IsLoopback())
}

// LoopbackName reports whether a Host header names this machine.
func LoopbackName(host string) bool { return Loopback(net.JoinHostPort(host, "0")) }

// shares hold what several viewers read from one view, by key. The more keys are viewed, the less often each is read, so that the
// view costs one query per interval.
type shares[K comparable, T any] struct {
	mu  sync.Mutex
	all map[K]*entry[T]
}

type entry[T any] struct {
	*board.Share[T]
	used time.Time
}

// of returns the share of a key. Shares without a viewer for a minute are dropped.
func (s *shares[K, T]) of(key K, read func(context.Context) (T, error)) *board.Share[T] {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	for k, e := range s.all {
		if now.Sub(e.used) > time.Minute {
			delete(s.all, k)
		}
	}
	e := s.all[key]
	if e == nil {
		e = &entry[T]{Share: board.NewShare(read, s.pace)}
		if s.all == nil {
			s.all = map[K]*entry[T]{}
		}
		s.all[key] = e
	}
	e.used = now
	return e.Share
}

// stale makes the next viewer of each key read again.
func (s *shares[K, T]) stale() {
	s.mu.Lock()
	all := slices.Collect(maps.Values(s.all))
	s.mu.Unlock()
	for _, e := range all {
		e.Stale()
	}
}

func (s *shares[K, T]) pace() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Interval * time.Duration(max(1, len(s.all)))
}

// worst is the banner's text: why nothing runs, else the last failure, else a late schedule, else an alarm.
type worst struct {
	Title, Text, Next string
	Task, Process     int64
}

func banner(s *board.Snapshot) *worst {
	if why, next := s.Status.WhyBlocked(); why != "" {
		return &worst{Title: "No task runs.", Text: strings.ToUpper(why[:1]) + why[1:] + ".", Next: next}
	}
	if failures := s.Failures(); len(failures) > 0 {
		e := failures[0]
		return &worst{Title: "Task " + id(e.TaskID) + " " + strings.ToLower(e.Outcome) + ".", Text: cmp.Or(e.ErrorMessage, e.SQL), Task: e.TaskID, Process: e.ProcessID}
	}
	if c := s.Schedules; c.Late > 0 {
		text := c.Next + " has been due for " + human.Duration(c.LateBy(s.Status.Now)) + "."
		return &worst{Title: human.Plural(c.Late, "schedule") + " late.", Text: text, Next: "dbsched verify"}
	}
	if n := len(s.Alarms); n > 0 {
		a := s.Alarms[n-1]
		return &worst{Title: a.Kind + ".", Text: a.Text, Task: a.TaskID, Process: a.ProcessID}
	}
	return nil
}

// nameOf returns the name of a process in a snapshot.
func nameOf(s *board.Snapshot, process int64) string {
	if i := slices.IndexFunc(s.Processes, func(p dialects.Process) bool { return p.ID == process }); i >= 0 && s.Processes[i].Name != "" {
		return s.Processes[i].Name
	}
	return "process " + id(process)
}
