package catalog

import (
	"iter"
	"time"

	"github.com/dbsched/dbsched/sandbox/value"
)

// ViewContext is for whom and where a system view is read.
type ViewContext struct {
	Server   *Server
	Database *Database // the database whose view it is
	Token    Token     // who reads: metadata is visible by permission
	Now      time.Time
	Session  any // the engine's session, for views that are about sessions
}

// Rows produces the rows of a system view.
type Rows func(ViewContext) iter.Seq[value.Row]

func (s *Server) registerViews() {}
