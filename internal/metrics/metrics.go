// Package metrics exports to Prometheus what a scheduler does. Labels are bounded: none contains the name of a process, a task or a user.
package metrics

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/snapshot"
)

// Interval is how often the database is read at most, however often metrics are scraped.
const Interval = 5 * time.Second

// Exporter reads a board when it is scraped.
type Exporter struct {
	share   *snapshot.Share[*snapshot.Snapshot]
	log     *slog.Logger
	mu      sync.Mutex
	frame   snapshot.Frame[*snapshot.Snapshot]
	counted time.Time // up to when waits between waves are counted, by the server's clock
	counts  struct {
		attempts *prometheus.CounterVec
		retries  prometheus.Counter
		duration prometheus.Histogram
		waves    prometheus.Histogram
	}
}

// Descriptions of what is computed from a snapshot.
var (
	up        = describe("up", "1 if the last reading of the database succeeded.")
	blocked   = describe("blocked", "1 if no task starts for this reason.", "reason")
	workers   = describe("workers", "Sessions that hold a lane.")
	maximum   = describe("workers_max", "Tasks that can run at once.")
	lanes     = describe("lanes", "Worker slots by state.", "state")
	tasks     = describe("tasks", "Unfinished tasks by status, and by what Waiting ones wait for.", "status", "reason")
	runnable  = describe("tasks_runnable", "Tasks that only wait for a worker.")
	oldest    = describe("oldest_runnable_seconds", "Age of the oldest runnable task, since it was enqueued.")
	overran   = describe("tasks_overran", "Running tasks beyond their timeout.")
	due       = describe("next_due_timestamp_seconds", "When the next waiting task becomes due, in seconds since 1970.")
	processes = describe("processes", "Unfinished processes by status.", "status")
	requests  = describe("resource_requests", "Requests for resources by status.", "status")
	alarms    = describe("alarms", "Unacknowledged alarms by kind.", "kind")
	schedules = describe("schedules", "Schedules by status.", "status")
	late      = describe("schedules_late", "Schedules that have been due for more than a minute and have not fired.")
	lateness  = describe("schedule_late_seconds", "How long the schedule has been due that is due first; 0 if none is.")
	took      = describe("read_seconds", "How long the last reading of the database took.")
)

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("dbsched_"+name, help, labels, nil)
}

// New returns an exporter of the snapshots that read returns.
func New(read func(context.Context) (*snapshot.Snapshot, error), log *slog.Logger) *Exporter {
	e := &Exporter{share: snapshot.NewShare(read, snapshot.Every(Interval)), log: log}
	e.counts.attempts = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "dbsched_attempts_total", Help: "Attempts that ended since the exporter started, by outcome. Orphaned: the worker died. Outage: the server could not begin it.",
	}, []string{"outcome"})
	for _, outcome := range []string{"Succeeded", "Failed", "TimedOut", "Orphaned", "Cancelled", "Outage"} {
		e.counts.attempts.WithLabelValues(outcome) // from 0, so that the first failure is an increase
	}
	e.counts.retries = prometheus.NewCounter(prometheus.CounterOpts{Name: "dbsched_retries_total", Help: "Attempts that ended and were not the first of their task."})
	e.counts.duration = prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "dbsched_attempt_seconds", Help: "How long attempts ran.", Buckets: []float64{.01, .1, 1, 10, 60, 300, 1800, 7200, 28800},
	})
	e.counts.waves = prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "dbsched_wave_wait_seconds", Help: "From the end of a wave to the first start of the next.", Buckets: []float64{.01, .05, .1, .5, 1, 5, 15, 60, 300},
	})
	return e
}

// Handler serves the metrics.
func (e *Exporter) Handler() http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(e, e.counts.attempts, e.counts.retries, e.counts.duration, e.counts.waves)
	metrics := promhttp.HandlerFor(registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4})
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		e.refresh(r.Context())
		metrics.ServeHTTP(w, r)
	})
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("<!doctype html><title>dbsched</title><a href=\"/metrics\">Metrics</a>\n")) // if this fails, only the client is affected
	})
	return mux
}

// refresh gets the last snapshot, which is new if the previous one is older than the interval, and counts what has ended.
func (e *Exporter) refresh(ctx context.Context) {
	f, err := e.share.Now(ctx)
	if err != nil { // the request has ended
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if f.At.Equal(e.frame.At) {
		return
	}
	e.frame = f
	if f.Err != nil {
		e.log.Error("the database cannot be read", "error", f.Err)
		return
	}
	s := f.Value
	for _, a := range s.Ended {
		e.counts.attempts.WithLabelValues(a.Outcome).Inc()
		e.counts.duration.Observe(a.FinishedAt.Sub(a.StartedAt).Seconds())
		if a.Attempt > 1 {
			e.counts.retries.Inc()
		}
	}
	if !e.counted.IsZero() {
		for _, wait := range snapshot.Starts(s.Attempts, e.counted) {
			e.counts.waves.Observe(wait.Seconds())
		}
	}
	e.counted = s.Status.Now
}

// Describe sends the descriptions of what Collect sends.
func (e *Exporter) Describe(c chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{up, blocked, workers, maximum, lanes, tasks, runnable, oldest, overran, due, processes, requests, alarms, schedules, late, lateness, took} {
		c <- d
	}
}

// Collect sends the numbers of the last snapshot.
func (e *Exporter) Collect(c chan<- prometheus.Metric) {
	e.mu.Lock()
	f := e.frame
	e.mu.Unlock()
	s := f.Value
	send := func(d *prometheus.Desc, value float64, labels ...string) {
		c <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	if f.Err != nil || s == nil {
		send(up, 0)
		return
	}
	send(up, 1)
	send(took, s.Took.Seconds())
	for _, b := range []dialects.Block{dialects.Stopped, dialects.Copied, dialects.BrokerOff, dialects.NoWorkers, dialects.NoDispatcher} {
		value := 0.0
		if s.Status.Blocked == b {
			value = 1
		}
		send(blocked, value, string(b))
	}
	send(workers, float64(s.Status.Workers))
	send(maximum, float64(s.Status.MaxWorkers))
	figures := s.Figures()
	send(runnable, float64(figures.Due))
	send(oldest, figures.Oldest.Seconds())
	if !slices.Contains(s.Hidden, "attempts") {
		send(overran, float64(s.Overran()))
	}
	if figures.NextDue != nil {
		send(due, float64(figures.NextDue.UnixMilli())/1000)
	}
	for _, q := range s.Queue {
		send(tasks, float64(q.Tasks), q.Status, q.Reason)
	}
	count(send, lanes, s.Lanes, func(l snapshot.Lane) string { return l.State })
	count(send, processes, s.Processes, func(p dialects.Process) string {
		if p.FinishedAt != nil {
			return ""
		}
		return p.Status
	})
	count(send, requests, s.Resources, func(r dialects.ResourceRequest) string { return r.Status })
	for kind, n := range s.Kinds {
		send(alarms, float64(n), kind)
	}
	if c := s.Schedules; !slices.Contains(s.Hidden, "schedules") {
		send(schedules, float64(c.Enabled), "Enabled")
		send(schedules, float64(c.Disabled), "Disabled")
		send(schedules, float64(c.Suspended), "Suspended")
		send(late, float64(c.Late))
		send(lateness, c.LateBy(s.Status.Now).Seconds())
	}
}

// count sends how many items have each label; labels without items are omitted.
func count[T any](send func(*prometheus.Desc, float64, ...string), d *prometheus.Desc, items []T, label func(T) string) {
	n := map[string]int{}
	for _, item := range items {
		if l := label(item); l != "" {
			n[l]++
		}
	}
	for l, value := range n {
		send(d, float64(value), l)
	}
}
