package oracle

import (
	"context"

	"github.com/dbsched/dbsched/dialects"
)

func unsupported(feature string) error {
	return &dialects.UnsupportedError{Dialect: Dialect{}.Name(), Feature: feature}
}

// supported refuses tasks that want what the package does not do yet.
func supported(tasks []dialects.NewTask) error {
	for _, t := range tasks {
		switch {
		case t.Timeout != 0:
			return unsupported("time-outs of tasks")
		case t.Resource != "", t.Access != "":
			return unsupported("resources")
		case t.Transactional:
			return unsupported("transactional tasks")
		case t.DedupKey != "":
			return unsupported("dedup keys")
		case t.Parameters != "":
			return unsupported("parameters of tasks")
		}
	}
	return nil
}

// CancelTask is not there yet.
func (s *scheduler) CancelTask(context.Context, int64) error { return unsupported("cancelled tasks") }

// CancelProcess is not there yet.
func (s *scheduler) CancelProcess(context.Context, int64) error {
	return unsupported("cancelled processes")
}

// RetryTask is not there yet.
func (s *scheduler) RetryTask(context.Context, int64) error { return unsupported("retried tasks") }

// RetryProcess is not there yet.
func (s *scheduler) RetryProcess(context.Context, int64) error {
	return unsupported("retried processes")
}

// DefineResource is not there yet.
func (s *scheduler) DefineResource(context.Context, string, int) error {
	return unsupported("resources")
}

// ReleaseResource is not there yet.
func (s *scheduler) ReleaseResource(context.Context, int64) error { return unsupported("resources") }

// Resources is not there yet.
func (s *scheduler) Resources(context.Context) ([]dialects.ResourceRequest, error) {
	return nil, unsupported("resources")
}
