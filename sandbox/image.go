package sandbox

import (
	"context"
	"errors"
	"reflect"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/image"
	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/mssql"
	"github.com/dbsched/dbsched/sandbox/internal/oracle"
)

// Image is an engine at rest, as it was at one moment. It can be started from there again and again, once at a time.
type Image struct {
	kernel *kernel.Kernel
	engine engine
	state  *image.Image

	// Cover is told of each simulation when it ends, and can ask it which statements have been executed. nil: nobody asks.
	Cover func(*Simulation)
}

// Image stops a sandbox to which nobody is connected any more, and keeps what it has.
func (s *Server) Image() (*Image, error) {
	const patience = 10000 // steps of the engine, until the last sessions are gone
	rests := false
	for n := 0; n < patience && !rests; n++ {
		if !await(s.kernel, 0, s.done, func() { rests = s.kernel.AtRest() }) {
			return nil, errors.New("sandbox: an image of what has been stopped")
		}
	}
	if !rests {
		return nil, errors.New("sandbox: an image can be made when nobody is connected and nothing runs")
	}
	if err := s.stop(); err != nil {
		return nil, err
	}
	im := &Image{kernel: s.kernel, engine: s.engine}
	im.state = image.Take(&im.engine, fixed)
	return im, s.Close()
}

// Start starts a sandbox that has what the image has. Of the options Listen, Clock, Seed, Logger and Settle count; the others are
// those of the image's sandbox. Nobody may use the image before it is closed.
func (im *Image) Start(ctx context.Context, o Options) (*Server, error) {
	ko, err := o.kernel()
	if err != nil {
		return nil, err
	}
	im.state.Restore()
	im.kernel.Resume(ko)
	im.engine.instance().SetLogger(o.Logger)
	return start(ctx, im.kernel, im.engine, o)
}

// fixed tells which types an engine never changes in place: parsed texts, which other engines read at the same time, rows, and what
// is not the engine's own.
func fixed(t reflect.Type) bool {
	if t == reflect.TypeFor[mssql.Parsed]() || t == reflect.TypeFor[oracle.Parsed]() {
		return true
	}
	own, of := strings.CutPrefix(t.PkgPath(), "github.com/dbsched/dbsched/sandbox")
	switch {
	case of:
		return own == "/internal/oracle/ast" || own == "/internal/value" || own == "/internal/memo"
	case t.PkgPath() == "":
		return t.Kind() == reflect.Chan // the kernel's, which Resume makes anew
	}
	return t.PkgPath() != "github.com/tidwall/btree"
}
