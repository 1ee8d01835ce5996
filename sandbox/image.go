package sandbox

import (
	"context"
	"errors"
	"reflect"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/checkpoint"
	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/mssql"
	"github.com/dbsched/dbsched/sandbox/internal/oracle"
)

// Image is an engine at rest, as it was at one moment. It can be started from that state any number of times, one run at a time.
type Image struct {
	kernel *kernel.Kernel
	engine engine
	state  *checkpoint.Image

	// Cover is called with each simulation when it ends, and can ask it which statements were executed. nil: not called.
	Cover func(*Simulation)
}

// Image stops a sandbox that nobody is connected to and records its state.
func (s *Server) Image() (*Image, error) {
	const patience = 10000 // engine steps to wait for the last sessions to go
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
	im.state = checkpoint.Take(&im.engine, fixed)
	return im, s.Close()
}

// Start starts a sandbox in the image's state. The options Listen, Clock, Seed, Differ, Logger and Settle apply; the others are
// those of the image's sandbox. The image cannot be used again before the new sandbox is closed.
func (im *Image) Start(ctx context.Context, o Options) (*Server, error) {
	ko, err := o.kernel()
	if err != nil {
		return nil, err
	}
	im.state.Restore()
	im.kernel.Restart(ko)
	im.engine.instance().Resume(o.Logger)
	return start(ctx, im.kernel, im.engine, o)
}

// fixed reports which types an engine never changes in place (parsed texts, which other engines read at the same time, rows), what it
// keeps, and anything that does not belong to it.
func fixed(t reflect.Type) bool {
	switch t {
	case reflect.TypeFor[mssql.Parsed](), reflect.TypeFor[oracle.Parsed](), reflect.TypeFor[mssql.Code]():
		return true
	}
	own, of := strings.CutPrefix(t.PkgPath(), "github.com/dbsched/dbsched/sandbox")
	switch {
	case of:
		return own == "/internal/oracle/ast" || own == "/internal/value" || own == "/internal/parsecache"
	case t.PkgPath() == "":
		return t.Kind() == reflect.Chan // the kernel's, which Resume recreates
	}
	return t.PkgPath() != "github.com/tidwall/btree"
}
