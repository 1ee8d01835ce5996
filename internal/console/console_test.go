package console

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/web"
)

// handler returns a console of a scheduler that may change things.
func handler(db dialects.Scheduler, token web.Token, log io.Writer) http.Handler {
	return New(db, Options{Token: token, Write: true, Names: web.New("127.0.0.1:0", nil).Named, Log: slog.New(slog.NewTextHandler(log, nil))}).Handler()
}

// browser sends requests with the cookies that it got.
type browser struct {
	h       http.Handler
	host    string
	agent   string
	from    string // the address; empty: the recorder's
	cookies map[string]*http.Cookie
}

func (b *browser) request(method, path string) *http.Request {
	r := httptest.NewRequest(method, "http://"+b.host+path, nil)
	r.Header.Set("User-Agent", b.agent)
	if b.from != "" {
		r.RemoteAddr = b.from
	}
	for _, c := range b.cookies {
		r.AddCookie(c)
	}
	return r
}

func (b *browser) send(method, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	b.h.ServeHTTP(w, b.request(method, path))
	if b.cookies == nil {
		b.cookies = map[string]*http.Cookie{}
	}
	for _, c := range w.Result().Cookies() {
		b.cookies[c.Name] = c
	}
	return w
}

func (b *browser) get(path string) *httptest.ResponseRecorder { return b.send(http.MethodGet, path) }

// TestSession: what the browser holds is not the token, is for one console, browser and day, and ends when the token changes.
func TestSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		token := "the first token"
		h := handler(&fake{}, func() string { return token }, io.Discard)
		b := &browser{h: h, host: "localhost:8420", agent: "one"}
		signIn := func() {
			t.Helper()
			w := b.get("/tasks?token=" + strings.ReplaceAll(token, " ", "%20") + "&status=Failed")
			require.Equal(t, http.StatusSeeOther, w.Code)
			require.Equal(t, "/tasks?status=Failed", w.Header().Get("Location"))
			require.Equal(t, http.StatusOK, b.get("/").Code)
		}
		require.Equal(t, http.StatusUnauthorized, b.get("/").Code)
		require.Equal(t, http.StatusUnauthorized, b.get("/?token=the+second").Code)
		require.Equal(t, http.StatusUnauthorized, b.send(http.MethodPost, "/start?token=the+first+token").Code)
		signIn()
		held := b.cookies["dbsched-8420"]
		require.NotNil(t, held)
		require.NotContains(t, held.String(), "token")
		require.Greater(t, len(held.Value), 20)
		require.True(t, held.HttpOnly && held.SameSite == http.SameSiteStrictMode && held.MaxAge == 86400)
		first := held.Value

		for name, other := range map[string]*browser{
			"another browser with the same cookie": {h: h, host: b.host, agent: "two", cookies: b.cookies},
			"the token as the cookie":              {h: h, host: b.host, agent: "one", cookies: map[string]*http.Cookie{"x": {Name: "dbsched-8420", Value: token}}},
			"another console's cookie":             {h: handler(&fake{}, web.Fixed(token), io.Discard), host: b.host, agent: "one", cookies: b.cookies},
			"another port's cookie":                {h: h, host: "localhost:8421", agent: "one", cookies: b.cookies},
		} {
			require.Equal(t, http.StatusUnauthorized, other.get("/").Code, name)
		}

		// Two consoles of one host, here the ends of two tunnels, leave each other's cookies alone.
		second := &browser{h: handler(&fake{}, web.Fixed("of the second"), io.Discard), host: "localhost:1002", agent: "one", cookies: b.cookies}
		require.Equal(t, http.StatusSeeOther, second.get("/?token=of+the+second").Code)
		require.Equal(t, http.StatusOK, second.get("/").Code)
		require.Equal(t, http.StatusOK, b.get("/").Code)

		time.Sleep(24*time.Hour - time.Second)
		require.Equal(t, http.StatusOK, b.get("/").Code)
		time.Sleep(time.Second)
		require.Equal(t, http.StatusUnauthorized, b.get("/").Code)
		signIn()
		require.NotEqual(t, first, b.cookies["dbsched-8420"].Value)
		token = "another token"
		require.Equal(t, http.StatusUnauthorized, b.get("/").Code)
		require.Equal(t, http.StatusUnauthorized, b.get("/?token=the+first+token").Code)
		signIn()
		token = "" // the file cannot be read
		require.Equal(t, http.StatusUnauthorized, b.get("/").Code)
		require.Equal(t, http.StatusUnauthorized, b.get("/?token=").Code)
	})
}

// TestCookieNames: the port is the one that the browser sees.
func TestCookieNames(t *testing.T) {
	for url, want := range map[string]string{
		"http://localhost:8420/": "dbsched-8420", "http://[::1]:8421/": "dbsched-8421", "http://localhost/": "dbsched-80", "https://jobs.example/": "dbsched-443",
	} {
		require.Equal(t, want, cookie(httptest.NewRequest(http.MethodGet, url, nil)), url)
	}
}

// TestSessionsAreBounded: who opens very many ends the oldest.
func TestSessionsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := handler(&fake{}, web.Fixed("t"), io.Discard)
		browsers := make([]browser, mostSessions+1)
		for i := range browsers {
			browsers[i] = browser{h: h, host: "localhost"}
			require.Equal(t, http.StatusSeeOther, browsers[i].get("/?token=t").Code)
			time.Sleep(time.Second)
		}
		require.Equal(t, http.StatusUnauthorized, browsers[0].get("/").Code)
		require.Equal(t, http.StatusOK, browsers[1].get("/").Code)
		require.Equal(t, http.StatusOK, browsers[mostSessions].get("/").Code)
	})
}

// TestAnOpenPageEndsWithItsSession: a page that is open is not read on by who has no session any more.
func TestAnOpenPageEndsWithItsSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var token atomic.Value
		token.Store("t")
		b := &browser{h: handler(&fake{}, func() string { return token.Load().(string) }, io.Discard), host: "localhost"}
		b.get("/?token=t")
		first := b.ask(t, "/tasks", "")
		require.Contains(t, *first.Main, "No task matches.")
		time.Sleep(Interval)
		second := b.ask(t, "/tasks", first.Tag)
		require.Nil(t, second.Main, "it has not changed")
		require.Equal(t, first.Tag, second.Tag)
		require.NotEqual(t, first.Read, second.Read)
		token.Store("u")
		require.Equal(t, http.StatusUnauthorized, b.poll("/tasks", second.Tag).Code)
	})
}

// poll asks for what has changed in an open page, as its script does.
func (b *browser) poll(path, tag string) *httptest.ResponseRecorder {
	r := b.request(http.MethodGet, path)
	r.Header.Set("Accept", "application/json")
	r.Header.Set(tagHeader, tag)
	w := httptest.NewRecorder()
	b.h.ServeHTTP(w, r)
	return w
}

// ask returns what poll gets.
func (b *browser) ask(t *testing.T, path, tag string) (p part) {
	t.Helper()
	w := b.poll(path, tag)
	require.Equal(t, http.StatusOK, w.Code)
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &p))
	return p
}

// TestSaid: the result of an action is shown once, to who acted, and cannot come from elsewhere.
func TestSaid(t *testing.T) {
	h := handler(troubled(), web.Fixed("t"), io.Discard)
	b, other := &browser{h: h, host: "localhost"}, &browser{h: h, host: "localhost"}
	b.get("/?token=t")
	other.get("/?token=t")
	other.cookies["said"] = &http.Cookie{Name: "said", Value: "SGVsbG8="} // another port of this host may set it
	require.Equal(t, http.StatusSeeOther, b.send(http.MethodPost, "/schedule/pause?name=late").Code)
	require.Len(t, b.cookies, 1)
	require.NotContains(t, text(t, other.get("/")), "Hello")
	require.NotContains(t, text(t, other.get("/")), "is paused")
	require.Contains(t, text(t, b.get("/")), `Schedule &#34;late&#34; is paused.`)
	require.NotContains(t, text(t, b.get("/")), "is paused")
}

// busy is a scheduler whose lists take time, on one connection.
type busy struct {
	fake
	one   chan struct{} // the connection; nil: nothing takes time
	took  time.Duration
	newer string // the SQL of the newest task
	err   error
	reads int
}

func (b *busy) Tasks(context.Context, dialects.Filter) ([]dialects.Task, error) {
	if b.one != nil {
		b.one <- struct{}{}
		defer func() { <-b.one }()
		time.Sleep(b.took)
	}
	b.reads++
	return []dialects.Task{{ID: 1, SQL: b.newer, Status: "Failed"}}, b.err
}

func (b *busy) Processes(_ context.Context, f dialects.Filter) ([]dialects.Process, error) {
	return []dialects.Process{{ID: max(f.ProcessID, 1), Name: b.newer, CreatedAt: at}}, nil
}

func (b *busy) Schedules(_ context.Context, name string) ([]dialects.Schedule, error) {
	return []dialects.Schedule{{Name: name, Calendar: b.newer}}, nil
}

// TestNobodyFreezesLists: however many pages somebody opens, what another sees is at most slowest old, and says how old.
func TestNobodyFreezesLists(t *testing.T) {
	for name, flood := range map[string]struct {
		page string
		of   func(int) string
	}{
		"an option that means nothing": {"/tasks", func(i int) string { return fmt.Sprintf("/tasks?y=%d", i) }},
		"texts":                        {"/tasks", func(i int) string { return fmt.Sprintf("/tasks?text=%d", i) }},
		"hours":                        {"/tasks?status=Failed", func(i int) string { return fmt.Sprintf("/logs?hours=%d", i+1) }},
		"tasks":                        {"/tasks", func(i int) string { return fmt.Sprintf("/task/%d", i+1) }},
		"processes":                    {"/process/1", func(i int) string { return fmt.Sprintf("/process/%d", i+2) }},
		"schedules":                    {"/schedule?name=mine", func(i int) string { return fmt.Sprintf("/schedule?name=%d", i) }},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				db := &busy{newer: "before"}
				h := handler(db, web.Fixed("t"), io.Discard)
				viewer, other := &browser{h: h, host: "localhost"}, &browser{h: h, host: "localhost"}
				viewer.get("/?token=t")
				other.get("/?token=t")
				seen := func() (old time.Duration) {
					page := viewer.get(flood.page)
					require.Equal(t, http.StatusOK, page.Code)
					if strings.Contains(page.Body.String(), "after") {
						return -1
					}
					_, read, found := strings.Cut(page.Body.String(), `id="read" title="When what you see was read"><time datetime="`)
					require.True(t, found)
					instant, err := time.Parse(instantFormat, read[:len(instantFormat)])
					require.NoError(t, err)
					return time.Since(instant)
				}
				require.Zero(t, seen())
				for i := range 500 {
					require.Equal(t, http.StatusOK, other.get(flood.of(i)).Code)
				}
				time.Sleep(20 * time.Second)
				seen()
				db.newer = "after"
				for begun := time.Now(); ; time.Sleep(time.Second) {
					other.get(flood.of(int(time.Since(begun).Seconds())))
					old := seen()
					if old < 0 {
						break
					}
					require.Less(t, time.Since(begun), slowest)
					require.LessOrEqual(t, old, slowest)
				}
			})
		})
	}
}

// TestAListHasOneShare: however its address is written, and no more than so many are kept.
func TestAListHasOneShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := &busy{}
		b := &browser{h: handler(db, web.Fixed("t"), io.Discard), host: "localhost"}
		b.get("/?token=t")
		for _, path := range []string{"/tasks?status=Failed&text=a", "/tasks?text=a&status=Failed", "/tasks?status=Failed&text=a&process=&hours=&x=y", "/tasks?status=Failed&status=x&text=%61"} {
			require.Equal(t, http.StatusOK, b.get(path).Code)
		}
		require.Equal(t, 1, db.reads)
	})
	var s shares[int, int]
	for i := range 1000 {
		s.of(i, nil)
	}
	require.Len(t, s.all, mostShared)
	require.Equal(t, slowest, s.pace())
	require.Contains(t, s.all, 999)
}

func TestFiltersAreBounded(t *testing.T) {
	send, _ := client(&busy{})
	for path, want := range map[string]string{
		"/tasks?text=" + strings.Repeat("%C3%BC", 200): "",
		"/tasks?text=" + strings.Repeat("x", 201):      "longer than 200 characters",
		"/tasks?status=Enabled":                        "is no status of tasks",
		"/schedules?status=Running":                    "is no status of schedules",
		"/tasks?hours=100000":                          "too many hours",
		"/tasks?hours=9223372036854775807":             "too many hours",
		"/tasks?process=x":                             "is not a number",
	} {
		w := send("GET", path)
		if want == "" {
			require.Equal(t, http.StatusOK, w.Code, path)
			continue
		}
		require.Equal(t, http.StatusBadRequest, w.Code, path)
		require.Contains(t, w.Body.String(), want)
	}
}

// TestOneAddressDoesNotKeepTheDatabase: who asks for very many slow lists at once waits for himself, not the others for him.
func TestOneAddressDoesNotKeepTheDatabase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := &busy{one: make(chan struct{}, 1), took: time.Second}
		h := handler(db, web.Fixed("t"), io.Discard)
		viewer, other := &browser{h: h, host: "localhost", from: "10.0.0.1:99"}, &browser{h: h, host: "localhost", from: "10.0.0.2:99"}
		viewer.get("/?token=t")
		other.get("/?token=t")
		ctx, cancel := context.WithCancel(t.Context())
		var wait sync.WaitGroup
		for i := range 100 {
			wait.Go(func() {
				h.ServeHTTP(httptest.NewRecorder(), other.request("GET", fmt.Sprintf("/tasks?text=%d", i)).WithContext(ctx))
			})
		}
		synctest.Wait()
		begun := time.Now()
		require.Equal(t, http.StatusOK, viewer.get("/tasks").Code)
		require.LessOrEqual(t, time.Since(begun), 3*time.Second)
		cancel()
		wait.Wait()
		require.Less(t, db.reads, 20, "who has gone is not read for")
		require.Equal(t, http.StatusOK, other.get("/tasks?text=again").Code, "his turn comes again")
	})
}

// lost cannot be reached.
type lost struct {
	fake
	status, lists bool
}

var gone = &dialects.ConnectError{Target: "prod-db:1433 as sa_login", Err: errors.New("login failed for sa_login")}

func (l *lost) Status(ctx context.Context) (dialects.Status, error) {
	if l.status {
		return dialects.Status{}, gone
	}
	return l.fake.Status(ctx)
}

func (l *lost) Tasks(context.Context, dialects.Filter) ([]dialects.Task, error) {
	if l.lists {
		return nil, gone
	}
	return []dialects.Task{{ID: 1, SQL: "select 1"}}, nil
}
func (*lost) Stop(context.Context, dialects.StopMode) error { return gone }
func (*lost) CancelTask(context.Context, int64) error {
	return &dialects.ServerError{Doing: "CancelTask", Err: errors.New("there is no task 7")}
}

// TestViewersDoNotSeeTheLogin: the log has the reason, once a minute; a list that cannot be read again says that it is old.
func TestViewersDoNotSeeTheLogin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := &lost{}
		log := &strings.Builder{}
		b := &browser{h: handler(db, web.Fixed("t"), log), host: "localhost"}
		b.get("/?token=t")
		require.NotContains(t, text(t, b.get("/tasks")), "cannot be read")
		db.lists = true
		time.Sleep(time.Minute)
		page := b.get("/tasks")
		require.Contains(t, text(t, page), "The database cannot be read. This page shows 2000-01-01 00:00:00 ; trying again. The log of the console says why.")
		require.Contains(t, text(t, page), "select 1")
		require.NotContains(t, page.Body.String(), "sa_login")
		require.Equal(t, http.StatusBadGateway, b.get("/tasks?text=other").Code)
		b.send(http.MethodPost, "/stop")
		page = b.get("/")
		require.Contains(t, text(t, page), "Nothing was changed: the database cannot be reached. The log of the console says why.")
		require.NotContains(t, page.Body.String(), "sa_login")
		b.send(http.MethodPost, "/task/7/cancel")
		require.Contains(t, text(t, b.get("/")), "Nothing was changed: CancelTask: there is no task 7")

		require.Equal(t, 1, strings.Count(log.String(), "the database cannot be read"), log)
		require.Contains(t, log.String(), "cannot connect to prod-db:1433 as sa_login")
		db.status = true
		for range 100 {
			require.NotContains(t, b.poll("/tasks", "").Body.String(), "sa_login")
			time.Sleep(Interval)
		}
		require.InDelta(t, 5, strings.Count(log.String(), "the database cannot be read"), 1)
	})
}

// TestUnseenCharacters: a name looks like no other.
func TestUnseenCharacters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := &busy{newer: "load\u202egnimrots\u2066\u200b\rnext\x1b[2J\u2028\u0085é\u200d"}
		b := &browser{h: handler(db, web.Fixed("t"), io.Discard), host: "localhost"}
		b.get("/?token=t")
		for _, path := range []string{"/tasks", "/processes", "/process/1", "/schedules"} {
			page := b.get(path).Body.String()
			require.Contains(t, page, "next", path)
			e := b.ask(t, path, "")
			require.Contains(t, *e.Main, "next", path)
			for _, text := range []string{page, *e.Main} {
				require.NotRegexp(t, "[\u202e\u2066\u200b\r\x1b\u2028\u0085]", text, path)
				require.Contains(t, text, "é\u200d", path)
			}
			instant, err := time.Parse(instantFormat, e.Read)
			require.NoError(t, err)
			require.WithinDuration(t, time.Now(), instant, time.Minute)
		}
	})
}
