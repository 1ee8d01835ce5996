package console

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/format"
)

// action does something and says what it did.
type action func(ctx context.Context, r *http.Request) (string, error)

// actions pairs patterns with what the buttons do.
func (c *Console) actions() map[string]action {
	each := func(what, done string, do func(context.Context, int64) error) action {
		return func(ctx context.Context, r *http.Request) (string, error) {
			n, err := number(r.PathValue("id"))
			if err != nil {
				return "", err
			}
			return what + " " + id(n) + " " + done + ".", do(ctx, n)
		}
	}
	named := func(done string, do func(context.Context, string) error) action {
		return func(ctx context.Context, r *http.Request) (string, error) {
			name := r.URL.Query().Get("name")
			return fmt.Sprintf("Schedule %q %s.", name, done), do(ctx, name)
		}
	}
	enable := func(enabled bool) func(context.Context, string) error {
		return func(ctx context.Context, name string) error { return c.db.SetScheduleEnabled(ctx, name, enabled) }
	}
	return map[string]action{
		"/process/{id}/cancel": each("Process", "cancelled", c.db.CancelProcess),
		"/process/{id}/retry":  each("What failed of process", "will run again", c.db.RetryProcess),
		"/task/{id}/cancel":    each("Task", "cancelled", c.db.CancelTask),
		"/task/{id}/retry":     each("Task", "will run again", c.db.RetryTask),
		"/schedule/pause":      named("is paused", enable(false)),
		"/schedule/resume":     named("is enabled", enable(true)),
		"/schedule/run":        named("fires now", c.db.RunSchedule),
		"/alarms/{id}":         each("All alarms up to", "acknowledged", c.db.AcknowledgeAlarms),
		"/alarm/{id}":          each("Alarm", "acknowledged", c.db.AcknowledgeAlarm),
		"/start": func(ctx context.Context, _ *http.Request) (string, error) {
			return "The scheduler is started.", c.db.Start(ctx)
		},
		"/stop": func(ctx context.Context, _ *http.Request) (string, error) {
			return "The scheduler is stopped. Running tasks finish.", c.db.Stop(ctx, dialects.StopDrain)
		},
		"/workers": func(ctx context.Context, r *http.Request) (string, error) {
			text := r.PostFormValue("n")
			n := int64(0)
			if text != "0" {
				var err error
				if n, err = number(text); err != nil {
					return "", err
				}
			}
			return format.Plural(n, "worker") + " allowed.", c.db.SetWorkers(ctx, int(n))
		},
	}
}

// action serves a button: it does what the button says, and redirects to the page.
func (c *Console) action(do action) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, 4096)
		text, err := do(r.Context(), r)
		c.board.Stale()
		c.details.stale()
		c.lists.stale()
		if err != nil {
			text = "Nothing was changed: " + err.Error()
		}
		c.opts.Log.Info("action", "path", r.URL.RequestURI(), "from", r.RemoteAddr, "result", text)
		if is[*dialects.ConnectError](err) { // it names the server and the login
			text = "Nothing was changed: the database cannot be reached. The log of the console says why."
		}
		sessionOf(r).say(text)
		back := "/"
		if u, err := url.Parse(r.Header.Get("Referer")); err == nil && u.Host == r.Host && u.Path != "" {
			back = (&url.URL{Path: u.Path, RawQuery: u.RawQuery}).String()
		}
		http.Redirect(w, r, back, http.StatusSeeOther)
	}
}

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}
