// Command flaky looks for tests that do not end the same way every time. It runs every test of the module again and again, each time
// with another seed and in another order, beside loops that take processor time from it, and prints what failed how
// often. With -traces it keeps the seed, and compares what happened inside every sandbox instead.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/dbsched/dbsched/internal/trace"
)

type options struct {
	runs, load, from int
	traces           bool
	packages         []string
}

func main() {
	var o options
	flag.IntVar(&o.runs, "runs", 20, "how often every test runs")
	flag.IntVar(&o.load, "load", 2, "busy loops beside them")
	flag.IntVar(&o.from, "from", 1, "the first run's seed")
	flag.BoolVar(&o.traces, "traces", false, "keep the seed, and compare the traces of the sandboxes")
	flag.Parse()
	if o.packages = flag.Args(); len(o.packages) == 0 {
		o.packages = []string{"./..."}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := o.campaign(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// binary is a package's tests, built once.
type binary struct{ pkg, dir, path string }

// campaign builds the tests, runs them and prints what differed.
func (o options) campaign(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "flaky")
	if err != nil {
		return err
	}
	all, err := build(ctx, dir, o.packages)
	if err != nil {
		return err
	}
	for range o.load {
		go func() {
			for ctx.Err() == nil { //nolint:revive // being busy is its purpose
			}
		}()
	}
	failed := map[string]int{}
	var first map[string][]trace.Trace
	for n := range o.runs {
		began := time.Now()
		traces, names, err := o.run(ctx, all, filepath.Join(dir, fmt.Sprint("run", n+1)), n)
		if err != nil {
			return err
		}
		if first == nil {
			first = traces
		}
		for name, same := range traces { // a missing one did not run to its end, which is already counted
			if was, ok := first[name]; ok && !reflect.DeepEqual(was, same) {
				names = append(names, name+": another trace")
			}
		}
		for _, name := range names {
			failed[name]++
		}
		fmt.Printf("run %d of %d: %d packages, %d sandboxes traced, %d failures, %v\n", n+1, o.runs, len(all), len(traces), len(names), time.Since(began).Round(time.Second))
	}
	if len(failed) == 0 {
		fmt.Printf("%d runs, no failure\n", o.runs)
		return os.RemoveAll(dir)
	}
	for _, name := range slices.Sorted(maps.Keys(failed)) {
		fmt.Printf("%4d of %d  %s\n", failed[name], o.runs, name)
	}
	return fmt.Errorf("what the runs printed is in %s", dir)
}

// build builds the tests of packages that have any.
func build(ctx context.Context, dir string, packages []string) ([]binary, error) {
	list := exec.CommandContext(ctx, "go", append([]string{"list", "-f", `{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}} {{.Dir}}{{end}}`}, packages...)...)
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, err
	}
	var all []binary
	for line := range strings.Lines(string(out)) {
		pkg, from, _ := strings.Cut(strings.TrimSpace(line), " ")
		if pkg == "" {
			continue
		}
		b := binary{pkg, from, filepath.Join(dir, strings.ReplaceAll(pkg, "/", "_")+".test")}
		if text, err := exec.CommandContext(ctx, "go", "test", "-c", "-o", b.path, pkg).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", pkg, err, text)
		}
		all = append(all, b)
	}
	return all, nil
}

// failure matches a test's report that it failed; its subtests report that too, and are the ones to look at.
var failure = regexp.MustCompile(`(?m)^ *--- FAIL: (\S+)`)

// run runs all tests once, and returns the traces of their sandboxes and the names of those that failed.
func (o options) run(ctx context.Context, all []binary, dir string, n int) (map[string][]trace.Trace, []string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, nil, err
	}
	tracesFile := filepath.Join(dir, "traces")
	env, args := os.Environ(), []string{"-test.timeout=30m"}
	if o.traces {
		env = append(env, "DBSCHED_TRACES="+tracesFile, fmt.Sprint("GOMAXPROCS=", []int{2, 1, 8}[n%3]))
	} else {
		env = append(env, fmt.Sprint("DBSCHED_TEST_SEED=", o.from+n))
		args = append(args, fmt.Sprint("-test.shuffle=", o.from+n))
	}
	var mu sync.Mutex
	var names []string
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.NumCPU())
	for _, b := range all {
		g.Go(func() error {
			cmd := exec.CommandContext(ctx, b.path, args...)
			cmd.Dir, cmd.Env = b.dir, env
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &out
			err := cmd.Run()
			if exited, ok := errors.AsType[*exec.ExitError](err); err == nil || !ok || ctx.Err() != nil {
				return errors.Join(err, ctx.Err())
			} else if exited.ExitCode() == 0 {
				return nil
			}
			mu.Lock()
			defer mu.Unlock()
			names = append(names, blamed(b.pkg, out.String())...)
			return os.WriteFile(filepath.Join(dir, filepath.Base(b.path)+".txt"), out.Bytes(), 0o644)
		})
	}
	if err := g.Wait(); err != nil {
		return nil, nil, err
	}
	traces, err := trace.Read(tracesFile)
	return traces, names, err
}

// blamed returns the tests that failed without a failed subtest.
func blamed(pkg, out string) []string {
	var names []string
	all := failure.FindAllStringSubmatch(out, -1)
	for _, m := range all {
		if !slices.ContainsFunc(all, func(other []string) bool { return strings.HasPrefix(other[1], m[1]+"/") }) {
			names = append(names, pkg+" "+m[1])
		}
	}
	if names == nil {
		names = []string{pkg + " as a whole"}
	}
	return names
}
