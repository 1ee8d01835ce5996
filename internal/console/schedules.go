package console

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/format"
	"github.com/dbsched/dbsched/internal/snapshot"
)

// stateOf returns what a schedule does, in a word with its sign.
func stateOf(s dialects.Schedule, now time.Time) (state struct{ Mark, Text string }) {
	switch late := s.Late(now); {
	case s.Status == "Suspended":
		state.Mark, state.Text = "Failed", "suspended"
	case s.Status == "Disabled":
		state.Mark, state.Text = "Waiting", "paused"
	case late > dialects.LateAfter:
		state.Mark, state.Text = "Failed", "late by "+format.Duration(late)
	case s.Running > 0:
		state.Mark, state.Text = "Running", "running"
	default:
		state.Mark, state.Text = "Waiting", "enabled"
	}
	return state
}

// ofName returns an address about a schedule: names are free text.
func ofName(path, name string) string { return path + "?" + url.Values{"name": {name}}.Encode() }

// visible shows a page without reading it if the user may not see schedules.
func visible(v view, hidden content) view {
	return func(ctx context.Context, s *snapshot.Snapshot) (content, error) {
		if slices.Contains(s.Hidden, "schedules") {
			return hidden, nil
		}
		return v(ctx, s)
	}
}

func (c *Console) schedules(r *http.Request) (view, error) {
	k, err := asked(r, "schedules")
	text := strings.ToLower(k.text)
	return visible(listing(c, "Schedules", k, func(ctx context.Context) (l filtered[dialects.Schedule], err error) {
		all, err := c.db.Schedules(ctx, "")
		all = slices.DeleteFunc(all, func(s dialects.Schedule) bool {
			return !strings.Contains(strings.ToLower(s.Name), text) || k.status != "" && s.Status != k.status
		})
		return filtered[dialects.Schedule]{Query: k.query(), Items: all[:min(len(all), limit)], More: len(all) > limit}, err
	}), content{Name: "schedules", Title: "Schedules", Data: filtered[dialects.Schedule]{Query: k.query()}}), err
}

// schedule is one schedule with its next instants and its firings.
type schedule struct {
	dialects.Schedule
	Instants []instant
	Problem  string // why there are no instants
	Firings  []dialects.Firing
	More     bool               // there are older ones
	Planned  []dialects.Planned // its tasks by wave, if they can be read
	Plan     string             // its tasks otherwise
}

// instant is when a schedule fires.
type instant struct {
	At    time.Time
	Local string // in its zone; empty if the program does not know it
}

const (
	shownInstants = 10
	shownFirings  = 50
)

func (c *Console) schedule(r *http.Request) (view, error) {
	name := r.URL.Query().Get("name")
	return visible(listing(c, name, listKey{page: "schedule", text: name}, func(ctx context.Context) (s schedule, err error) {
		all, err := c.db.Schedules(ctx, name)
		if err != nil {
			return s, err
		}
		if name == "" || len(all) != 1 {
			return s, errMissing
		}
		s.Schedule = all[0]
		if s.Planned = s.Schedule.Planned(); s.Planned == nil {
			s.Plan = s.Tasks
		}
		if s.Firings, err = c.db.Firings(ctx, name, shownFirings); err != nil {
			return s, err
		}
		s.Firings, s.More = newest(s.Firings), len(s.Firings) == shownFirings
		err = c.readInstants(ctx, &s)
		_, usage := errors.AsType[*dialects.UsageError](err)
		_, refused := errors.AsType[*dialects.ServerError](err)
		if usage || refused { // the server no longer knows the zone
			s.Problem, err = err.Error(), nil
		}
		return s, err
	}), content{Name: "schedules", Title: "Schedules", Data: filtered[dialects.Schedule]{}}), nil
}

func (c *Console) readInstants(ctx context.Context, s *schedule) error {
	st, err := c.db.Status(ctx)
	if err != nil {
		return err
	}
	zone, loc, err := c.db.Zone(ctx, s.Zone)
	if err != nil {
		return err
	}
	all, err := c.db.NextInstants(ctx, s.When(zone), st.Now, shownInstants)
	for _, at := range all {
		i := instant{At: at}
		if loc != nil {
			i.Local = at.In(loc).Format("Mon 2006-01-02 15:04:05 -07:00")
		}
		s.Instants = append(s.Instants, i)
	}
	return err
}
