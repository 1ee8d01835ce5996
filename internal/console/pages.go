package console

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"iter"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/format"
	"github.com/dbsched/dbsched/internal/snapshot"
	"github.com/dbsched/dbsched/internal/timeline"
	"github.com/dbsched/dbsched/internal/zones"
)

//go:embed pages.gohtml console.css console.js
var files embed.FS

var (
	style  = string(timeline.Style) + read("console.css")
	script = string(timeline.Script) + read("console.js")
	pages  = template.Must(template.New("").Funcs(template.FuncMap{
		"took": format.Duration, "count": func(n any) string { return format.Count(whole(n)) }, "percent": format.Percent, "line": format.Line, "words": words, "zone": zones.WithIANA,
		"time": stamp, "at": func(t *time.Time) template.HTML { return stampOf(t) }, "mark": mark, "bar": progress, "lower": lower,
		"since": since, "name": nameOf, "over": format.Overran, "cancels": cancels, "has": slices.Contains[[]string], "plural": func(n any, noun string) string { return format.Plural(whole(n), noun) },
		"tabs": tabs, "ask": func(verb, action, text, sure string) question { return question{verb, action, text, sure} }, "filters": filters,
		"total": func(p dialects.Process) int64 { return p.Succeeded + p.Failed + p.Unfinished }, "held": held, "wide": func(n int) int64 { return int64(n) }, "windows": func() []int { return windows }, "upto": func(first int64, n int) int64 { return first + int64(n) - 1 }, "reported": reported, "state": stateOf, "of": ofName,
		"listed": func(all []dialects.Task, mixed bool) taskList { return taskList{all, mixed} }, "last": func(all []dialects.Alarm) int64 { return all[len(all)-1].ID }, "backward": newest[dialects.Alarm],
	}).ParseFS(files, "pages.gohtml"))
)

func read(name string) string {
	text, err := files.ReadFile(name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(text)
}

func id(n int64) string { return strconv.FormatInt(n, 10) }

// instantFormat is how the script reads an instant.
const instantFormat = "2006-01-02T15:04:05.000Z"

// stamp formats an instant, which the script shows in the viewer's zone; the tooltip has UTC.
func stamp(t time.Time) template.HTML {
	text := t.UTC().Format("2006-01-02 15:04:05")
	return template.HTML(`<time datetime="` + t.UTC().Format(instantFormat) + `" title="` + text + ` UTC">` + text + `</time>`) //nolint:gosec // digits
}

func stampOf(t *time.Time) template.HTML {
	if t == nil {
		return ""
	}
	return stamp(*t)
}

// mark returns the sign beside a status: a ring is running, a dot is done, a diamond has failed, a thin ring waits.
func mark(status string) template.HTML {
	class := map[string]string{
		"Running": " run", "Stopping": " run", "Open": " run", "Closing": " run", "Succeeded": "", "Failed": " bad", "TimedOut": " bad", "Orphaned": " bad", "Outage": " bad", "Lost": " bad",
	}
	c, ok := class[status]
	if !ok {
		c = " wait"
	}
	return template.HTML(`<span class="mark` + c + `"></span>`) //nolint:gosec // words of ours
}

// progress returns a bar of ended, failed and running tasks.
func progress(p dialects.Process) template.HTML {
	all := p.Succeeded + p.Failed + p.Unfinished
	if all == 0 {
		return ""
	}
	const width = 160
	part := func(n int64) int64 { return n * width / all }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="bar" width="%d" height="8" role="img" aria-label="%d of %d tasks ended, %d failed"><rect class="rest" width="%[1]d" height="8" rx="2"/>`, width, p.Succeeded+p.Failed, all, p.Failed)
	at := int64(0)
	for _, s := range []struct {
		class string
		n     int64
	}{{"done", p.Succeeded}, {"bad", p.Failed}, {"going", p.Running}} {
		if w := part(s.n); s.n > 0 {
			fmt.Fprintf(&b, `<rect class="%s" x="%d" width="%d" height="8"/>`, s.class, at, max(w, 2))
			at += w
		}
	}
	return template.HTML(b.String() + "</svg>") //nolint:gosec // numbers
}

// lower writes a status or a kind as a word in a sentence.
func lower(s any) string { return strings.ToLower(fmt.Sprint(s)) }

// whole converts an integer of either type.
func whole(n any) int64 {
	if i, ok := n.(int); ok {
		return int64(i)
	}
	return n.(int64)
}

// since returns the time between two instants, either of which may be a non-nil pointer.
func since(from, to any) string {
	at := func(v any) time.Time {
		if p, ok := v.(*time.Time); ok {
			return *p
		}
		return v.(time.Time)
	}
	return format.Duration(max(0, at(to).Sub(at(from))))
}

// held returns the task status whose sign fits that of a request for a resource.
func held(status string) string {
	if status == "Granted" {
		return "Running"
	}
	return "Waiting"
}

// reported does the same for a member of a round.
func reported(succeeded *bool) string {
	switch {
	case succeeded == nil:
		return "Waiting"
	case *succeeded:
		return "Succeeded"
	}
	return "Failed"
}

// tab is an entry of the navigation.
type tab struct{ Path, Title string }

// Of reports whether a page belongs to the tab: /process/7 to /processes.
func (t tab) Of(path string) bool {
	one, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return path == t.Path || one != "" && slices.Contains([]string{one + "s", one + "es"}, strings.TrimPrefix(t.Path, "/"))
}

func tabs() []tab {
	return []tab{{"/", "Now"}, {"/processes", "Processes"}, {"/tasks", "Tasks"}, {"/logs", "Logs"}, {"/schedules", "Schedules"}, {"/resources", "Resources"}, {"/alarms", "Alarms"}}
}

// question is a button that asks before it acts.
type question struct{ Verb, Action, Text, Sure string }

// filterForm is what a list can be filtered by.
type filterForm struct {
	Query    url.Values
	What     string
	Statuses []string
	Hours    []hours
}

type hours struct{ Value, Title string }

func filters(q url.Values, what string) filterForm {
	statuses := map[string][]string{
		"processes": {"Suspended", "Open", "Closing", "Succeeded", "Failed", "Cancelled"},
		"tasks":     {"Waiting", "Pending", "Running", "Stopping", "Succeeded", "Failed", "TimedOut", "Cancelled", "Skipped", anyFailure},
		"schedules": {"Enabled", "Disabled", "Suspended"},
		"logs":      {"Running", "Succeeded", "Failed", "TimedOut", "Orphaned", "Cancelled", "Outage", anyFailure},
	}
	return filterForm{q, what, statuses[what], []hours{{"1", "hour"}, {"24", "day"}, {"168", "week"}}}
}

// anyFailure is a status of the filters: what ended badly, however.
const anyFailure = "any failure"

// taskList is a table of tasks.
type taskList struct {
	Tasks []dialects.Task
	Mixed bool // they are of several processes
}

// content is what a page shows below the navigation.
type content struct {
	Name  string // of its template
	Title string
	Data  any
	Read  time.Time // when Data was read, by this machine's clock
	Lost  bool      // it cannot be read now
}

// view reads a page. It is called once for a page that is opened, and repeatedly for one that stays open.
type view func(ctx context.Context, s *snapshot.Snapshot) (content, error)

// errMissing is the error for an address without a page.
var errMissing = errors.New("there is nothing here, or you are not allowed to see it")

// pages pairs patterns with the functions that read their pages.
func (c *Console) pages() map[string]func(*http.Request) (view, error) {
	static := func(name, title string, data func(*snapshot.Snapshot) any) func(*http.Request) (view, error) {
		return func(*http.Request) (view, error) {
			return func(_ context.Context, s *snapshot.Snapshot) (content, error) {
				return content{Name: name, Title: title, Data: data(s)}, nil
			}, nil
		}
	}
	return map[string]func(*http.Request) (view, error){
		"/{$}":          c.nowPage,
		"/resources":    static("resources", "Resources", func(s *snapshot.Snapshot) any { return s }),
		"/alarms":       static("alarms", "Alarms", func(s *snapshot.Snapshot) any { return s }),
		"/processes":    c.processes,
		"/process/{id}": c.process,
		"/tasks":        c.tasks,
		"/task/{id}":    c.task,
		"/logs":         c.logs,
		"/schedules":    c.schedules,
		"/schedule":     c.schedule,
	}
}

// shell is the whole page.
type shell struct {
	content
	Path   string
	Target string
	Said   string
	Write  bool
	Alarms int64
	Main   template.HTML
}

// part is what the script of an open page gets. It asks again and again, instead of reading a stream: a browser opens only six connections to a
// host, and a stream for each page would keep them.
type part struct {
	Read   string  `json:"read"`           // when the page was read
	Alarms int64   `json:"alarms"`         // not acknowledged
	Tag    string  `json:"tag"`            // of Main
	Main   *string `json:"main,omitempty"` // what has changed; none if the script has it
}

// tagHeader is the header in which a script says what it shows.
const tagHeader = "Dbsched-Tag"

// writePart answers a script.
func (c *Console) writePart(w http.ResponseWriter, r *http.Request, sh shell) {
	main := format.CleanLines(string(sh.Main))
	sum := sha256.Sum256([]byte(main))
	p := part{Read: sh.Read.UTC().Format(instantFormat), Alarms: sh.Alarms, Tag: hex.EncodeToString(sum[:8])}
	if r.Header.Get(tagHeader) != p.Tag {
		p.Main = &main
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_ = json.NewEncoder(w).Encode(p) // if this fails, only the client is affected
}

// page serves a page, or, to its script, what has changed.
func (c *Console) page(route func(*http.Request) (view, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, err := route(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		f, err := c.board.Now(r.Context())
		if err != nil {
			return // the client has gone
		}
		sh, err := c.render(r, v, f)
		switch {
		case errors.Is(err, errMissing):
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		case err != nil:
			http.Error(w, "The database cannot be read. The log of the console says why.", http.StatusBadGateway)
			return
		}
		if r.Header.Get("Accept") == "application/json" {
			c.writePart(w, r, sh)
			return
		}
		sh.Path, sh.Said = r.URL.Path, sessionOf(r).say("")
		var b bytes.Buffer
		if err := pages.ExecuteTemplate(&b, "shell", sh); err != nil {
			c.opts.Log.Error("a page cannot be written", "path", r.URL.Path, "error", err)
			http.Error(w, "The page cannot be written.", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(format.CleanLines(b.String()))) // if this fails, only the client is affected
	}
}

// render renders the part of a page that changes.
func (c *Console) render(r *http.Request, v view, f snapshot.Frame[*snapshot.Snapshot]) (sh shell, err error) {
	if f.Value == nil {
		return sh, f.Err
	}
	from, _, _ := net.SplitHostPort(r.RemoteAddr) // of a server, it has both
	end, err := c.turns.take(r.Context(), from)
	if err != nil {
		return sh, err
	}
	defer end()
	if sh.content, err = v(r.Context(), f.Value); err != nil {
		return sh, err
	}
	if sh.Read.IsZero() { // a page of the snapshot
		sh.Read = f.Read
	}
	sh.Lost = sh.Lost || f.Err != nil
	sh.Target, sh.Write, sh.Alarms = f.Value.Status.Target, c.opts.Write, f.Value.AlarmCount()
	var b bytes.Buffer
	err = pages.ExecuteTemplate(&b, "main", struct {
		shell
		S *snapshot.Snapshot
	}{sh, f.Value})
	sh.Main = template.HTML(b.String()) //nolint:gosec // made by a template
	return sh, err
}

// half is how far back the lanes on the first page go.
const half = 30 * time.Minute

// nowData is the first page.
type nowData struct {
	*snapshot.Snapshot
	Figures snapshot.Figures
	Minutes int // of the lanes; 0: since what ran first in the last half hour
	Banner  *worst
	State   string
	Lanes   template.JS // for the chart; empty if nothing ran
	Shown   time.Duration
}

// windows are the minutes that the lanes on the first page can show.
var windows = []int{5, 30, 60}

// nowPage reads the first page. Its address can say how many minutes the lanes show.
func (c *Console) nowPage(r *http.Request) (view, error) {
	minutes := 0
	if text := r.URL.Query().Get("minutes"); text != "" {
		var err error
		if minutes, err = strconv.Atoi(text); err != nil || !slices.Contains(windows, minutes) {
			return nil, fmt.Errorf("%q is no number of minutes: use 5, 30 or 60", text)
		}
	}
	return func(_ context.Context, s *snapshot.Snapshot) (content, error) {
		return content{Name: "now", Title: "Now", Data: now(s, minutes)}, nil
	}, nil
}

func now(s *snapshot.Snapshot, minutes int) nowData {
	d := nowData{Minutes: minutes, Snapshot: s, Figures: s.Figures(), Banner: banner(s), State: "Running"}
	if why, _ := s.Status.WhyBlocked(); why != "" {
		d.State = map[dialects.Block]string{dialects.Stopped: "Stopped", dialects.NoWorkers: "Paused"}[s.Status.Blocked]
		if d.State == "" {
			d.State = "Broken: " + why
		}
	} else if s.Status.Unfinished == 0 {
		d.State = "Idle"
	}
	window := half
	if minutes > 0 {
		window = time.Duration(minutes) * time.Minute
	}
	t := timeline.Recent(s.Attempts, s.Status.Now, window)
	if minutes > 0 && d.Figures.Newest == 0 {
		t.Begin = s.Status.Now.Add(-window)
	}
	d.Shown = t.End.Sub(t.Begin)
	if len(t.Bars) > 0 {
		d.Lanes, _ = t.ChartData() // numbers and texts can always be encoded as JSON
	}
	return d
}

// cancels says what cancelling does: to what waits, and to what runs.
func cancels(waiting, unended string) string {
	switch {
	case unended != "":
		return strings.TrimSpace(waiting + " What runs goes on until it ends by itself. To let dbsched end it: " + unended)
	case waiting != "":
		return waiting + " Running ones are stopped."
	}
	return "The task does not run; if it runs, it is stopped."
}

// process is one process with everything about it.
type process struct {
	dialects.Process
	Usual *snapshot.Usual
	Line  *timeline.Timeline
	Whole time.Duration
	Chart template.JS
	Tasks []dialects.Task // of the page
	First int64           // the place of the first of them among all
	Pages pageLinks

	Unended string // what lets dbsched end its sessions; empty if it may, or if nothing runs
}

// processKey is a page of the tasks of a process.
type processKey struct {
	id   int64
	page int
}

// pageLinks are the pages before and after one; 0: none.
type pageLinks struct{ Before, After int }

// mostPages bounds the pages of a process.
const mostPages = 1_000_000

func (c *Console) process(r *http.Request) (view, error) {
	n, err := number(r.PathValue("id"))
	k := processKey{n, 1}
	if text := r.URL.Query().Get("page"); text != "" && err == nil {
		if k.page, err = strconv.Atoi(text); err != nil || k.page < 1 || k.page > mostPages {
			err = fmt.Errorf("%q is no page", text)
		}
	}
	return func(ctx context.Context, s *snapshot.Snapshot) (content, error) {
		at := s.Status.Now
		f, err := c.details.of(k, logged(c, func(ctx context.Context) (process, error) { return c.readProcess(ctx, k, at) })).Now(ctx)
		if err = errors.Join(err, f.Err); err != nil && f.Value.ID == 0 {
			return content{}, err
		}
		p := f.Value
		if u, ok := s.Usual[n]; ok {
			p.Usual = &u
		}
		return content{"process", nameOf(s, n), p, f.Read, f.Err != nil}, nil
	}, err
}

func (c *Console) readProcess(ctx context.Context, k processKey, now time.Time) (p process, err error) {
	all, err := c.db.Processes(ctx, dialects.Filter{ProcessID: k.id})
	if err != nil {
		return p, err
	}
	if len(all) == 0 {
		return p, errMissing
	}
	p.Process = all[0]
	if p.Tasks, err = c.db.Tasks(ctx, dialects.Filter{ProcessID: k.id, Limit: limit, Page: k.page}); err != nil {
		return p, err
	}
	p.First, p.Pages.Before = int64(k.page-1)*limit+1, k.page-1
	if len(p.Tasks) == limit {
		p.Pages.After = k.page + 1
	}
	if p.Line, err = timeline.Read(ctx, c.db, p.Process, now); err != nil {
		return p, err
	}
	if p.Running > 0 && c.opts.Write {
		if p.Unended, err = c.db.EndCommand(ctx); err != nil {
			return p, err
		}
	}
	p.Whole = p.Line.End.Sub(p.Line.Begin)
	p.Chart, err = p.Line.ChartData()
	return p, err
}

// task is one task with its attempts.
type task struct {
	dialects.Task
	Attempts []dialects.LogEntry
	Unended  string // as of a process
}

func (c *Console) task(r *http.Request) (view, error) {
	n, err := number(r.PathValue("id"))
	return listing(c, "Task "+id(n), listKey{page: "task", id: n}, func(ctx context.Context) (t task, err error) {
		all, err := c.db.Tasks(ctx, dialects.Filter{TaskID: n})
		if err != nil {
			return t, err
		}
		if len(all) == 0 {
			return t, errMissing
		}
		if t.Task = all[0]; t.Running() && c.opts.Write {
			if t.Unended, err = c.db.EndCommand(ctx); err != nil {
				return t, err
			}
		}
		t.Attempts, err = c.db.Logs(ctx, dialects.Filter{TaskID: n})
		return t, err
	}), err
}

// listKey is what a list shows: a page, and what it was asked for. Two addresses that ask for the same share it.
type listKey struct {
	page, text, status string
	id, hours          int64
}

// listing returns a view of a query's result, read once for everyone who views the same.
func listing[T any](c *Console, title string, key listKey, read func(context.Context) (T, error)) view {
	return func(ctx context.Context, _ *snapshot.Snapshot) (content, error) {
		f, err := c.lists.of(key, logged(c, func(ctx context.Context) (any, error) { return read(ctx) })).Now(ctx)
		if err = errors.Join(err, f.Err); err != nil && f.Value == nil {
			return content{}, err
		}
		return content{key.page, title, f.Value, f.Read, f.Err != nil}, nil
	}
}

// filtered is a list with the filters from its address.
type filtered[T any] struct {
	Query url.Values
	Items []T
	More  bool  // there are older ones
	All   int64 // how many there are, of attempts
}

// limit is how many rows a list shows.
const limit = 200

func (c *Console) processes(r *http.Request) (view, error) {
	k, err := asked(r, "processes")
	return listing(c, "Processes", k, func(ctx context.Context) (l filtered[dialects.Process], err error) {
		f, err := c.filter(ctx, k)
		if err != nil {
			return l, err
		}
		all, err := c.db.Processes(ctx, f)
		return filtered[dialects.Process]{Query: k.query(), Items: newest(all), More: len(all) == limit}, err
	}), err
}

func (c *Console) tasks(r *http.Request) (view, error) {
	k, err := asked(r, "tasks")
	return listing(c, "Tasks", k, func(ctx context.Context) (l filtered[dialects.Task], err error) {
		f, err := c.filter(ctx, k)
		if err != nil {
			return l, err
		}
		all, err := c.db.Tasks(ctx, f)
		return filtered[dialects.Task]{Query: k.query(), Items: newest(all), More: len(all) == limit}, err
	}), err
}

func (c *Console) logs(r *http.Request) (view, error) {
	k, err := asked(r, "logs")
	return listing(c, "Logs", k, func(ctx context.Context) (l filtered[dialects.LogEntry], err error) {
		f, err := c.filter(ctx, k)
		if err != nil {
			return l, err
		}
		f.Ended, f.Since = f.Since, time.Time{} // those that ran then
		all, err := c.db.Logs(ctx, f)
		l = filtered[dialects.LogEntry]{Query: k.query(), Items: newest(all), More: len(all) == limit, All: int64(len(all))}
		if err == nil && l.More {
			f.Limit = 0
			var counted dialects.Attempts
			counted, err = c.db.Attempts(ctx, f)
			l.All = max(l.All, counted.All)
		}
		return l, err
	}), err
}

func newest[T any](all []T) []T { return slices.Collect(values(slices.Backward(all))) }

func values[K, V any](pairs iter.Seq2[K, V]) iter.Seq[V] {
	return func(yield func(V) bool) {
		for _, v := range pairs {
			if !yield(v) {
				return
			}
		}
	}
}

// Limits of a filter.
const (
	longestText = 200
	mostHours   = 10 * 366 * 24
)

// asked reads the filters in an address: process, status, text, hours.
func asked(r *http.Request, page string) (k listKey, err error) {
	q := r.URL.Query()
	k = listKey{page: page, text: q.Get("text"), status: q.Get("status")}
	if utf8.RuneCountInString(k.text) > longestText {
		return k, fmt.Errorf("the text is longer than %d characters", longestText)
	}
	if k.status != "" && !slices.Contains(filters(nil, page).Statuses, k.status) {
		return k, fmt.Errorf("%q is no status of %s", k.status, page)
	}
	if p := q.Get("process"); p != "" {
		if k.id, err = number(p); err != nil {
			return k, err
		}
	}
	if h := q.Get("hours"); h != "" {
		if k.hours, err = number(h); err == nil && k.hours > mostHours {
			err = fmt.Errorf("%q are too many hours", h)
		}
	}
	return k, err
}

// filter returns the filters for the database. The hours end now, by its clock.
func (c *Console) filter(ctx context.Context, k listKey) (dialects.Filter, error) {
	f := dialects.Filter{Limit: limit, Text: k.text, ProcessID: k.id}
	switch k.status {
	case "":
	case anyFailure:
		f.Statuses = dialects.BadOutcomes()
	default:
		f.Statuses = []string{k.status}
	}
	if k.hours > 0 {
		st, err := c.db.Status(ctx)
		if err != nil {
			return f, err
		}
		f.Since = st.Now.Add(-time.Duration(k.hours) * time.Hour)
	}
	return f, nil
}

// query returns the filters for the page's form.
func (k listKey) query() url.Values {
	q := url.Values{"text": {k.text}, "status": {k.status}}
	if k.id > 0 {
		q.Set("process", id(k.id))
	}
	if k.hours > 0 {
		q.Set("hours", id(k.hours))
	}
	return q
}

func number(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 {
		return 0, fmt.Errorf("%q is not a number", text)
	}
	return n, nil
}
