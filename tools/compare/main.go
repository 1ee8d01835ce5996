// Command compare tells what a change does to the tests' sandboxes: it runs the tests of a commit and of this tree, and lists whose outcomes
// differ (what dbsched's tables say at the end) and whose costs. A difference is explained by a line at the end of a commit's message:
//
//	Outcomes-differ: TestRetry.*/oracle: a retry now waits for its process
//	Costs-differ: .: claims read one row less
//
// The first part is a regular expression for names of tests, as go test -run takes it. It exits with 1 if a difference has no such line.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"github.com/dbsched/dbsched/internal/trace"
)

func main() {
	base := flag.String("base", "", "the commit to compare with; default: where this branch left origin/main, or the parent")
	head := flag.String("head", "", "what this tree's tests wrote to DBSCHED_TRACES; default: run them")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	same, err := run(ctx, *base, *head)
	if err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
	}
	if err != nil || !same {
		os.Exit(1)
	}
}

// run compares, and reports whether all differences are explained.
func run(ctx context.Context, name, head string) (bool, error) {
	base, err := commitToCompare(ctx, name)
	if err != nil {
		return false, err
	}
	if base == "" {
		fmt.Println("This commit has no parent here: there is nothing to compare with. Fetch more of the history (git fetch --unshallow).")
		return true, nil
	}
	before, err := tracesOf(ctx, base)
	if err != nil {
		return false, err
	}
	passed := true
	if head == "" {
		dir, err := os.MkdirTemp("", "compare")
		if err != nil {
			return false, err
		}
		defer os.RemoveAll(dir)
		head = dir + "/traces"
		if err := test(ctx, ".", head); err != nil {
			fmt.Println("Tests of this tree fail. What they did until then is compared.", err)
			passed = false
		}
	}
	if err := tidy(ctx, base, head, passed); err != nil {
		return false, err
	}
	after, err := trace.Read(head)
	if err != nil {
		return false, err
	}
	why, err := explanations(ctx, base)
	if err != nil {
		return false, err
	}
	r := compare(before, after)
	r.explain(why)
	fmt.Print(r.text(base))
	return passed && r.explained(), nil
}
