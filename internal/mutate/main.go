// Command mutate puts mistakes that a person could make into dbsched's SQL, one at a time, and tells what notices them: the scenarios of
// integration, and the histories of integration/simulation, that reach the place. What survives shows what no test promises.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
)

type options struct {
	seed      uint64
	sample    int
	all, list bool
	named     bool
	dialect   string
	topic     string
	processes int
	dir       string
	reach     string
	ids       string
	unreach   bool
}

func main() {
	var o options
	flag.Uint64Var(&o.seed, "seed", 1, "which sample")
	flag.IntVar(&o.sample, "sample", 300, "mistakes, half of them in each dialect")
	flag.BoolVar(&o.all, "all", false, "every mistake")
	flag.BoolVar(&o.named, "named", false, "so many of the mistakes in testdata instead of a sample of all; fail if one survives")
	flag.BoolVar(&o.list, "list", false, "list the mistakes, and try none")
	flag.StringVar(&o.dialect, "dialect", "", "only this one")
	flag.StringVar(&o.topic, "topic", "", "only templates in folders whose path contains this")
	flag.IntVar(&o.processes, "processes", 2, "mistakes that are tried at the same time")
	flag.StringVar(&o.ids, "ids", "", "only these, with commas between")
	flag.StringVar(&o.dir, "dir", ".mutate", "where programs and results are kept; the same command goes on where it was stopped")
	flag.StringVar(&o.reach, "reach", "", "what a run of all tests recorded in the file that DBSCHED_REACH named; empty: record it")
	flag.BoolVar(&o.unreach, "unreached", false, "list the statements that nothing executes, and try nothing")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := o.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (o options) run(ctx context.Context) error {
	if o.dialect != "" && !slices.Contains([]string{"mssql", "oracle"}, o.dialect) {
		return fmt.Errorf("-dialect %s: it is mssql or oracle", o.dialect)
	}
	o.all = o.all || o.unreach
	all, err := o.every()
	if err != nil {
		return err
	}
	if o.list {
		for _, m := range all {
			fmt.Printf("%s %s:%d %s\n%s", m.id, m.file, m.line, m.kind, m.diff())
		}
		return nil
	}
	c, err := o.prepare(ctx)
	if err != nil {
		return err
	}
	if o.unreach {
		return o.unreached(all, c.reach)
	}
	tried, err := c.campaign(ctx, all)
	if err != nil {
		return err
	}
	why, err := reasonsOf("equivalent.txt")
	if err != nil {
		return err
	}
	fmt.Print(table(tried, why))
	if survivors := count(tried, survived); o.named && survivors > 0 {
		return fmt.Errorf("%d mistakes survived that were noticed before", survivors)
	}
	return nil
}

// dialects returns those that are asked for.
func (o options) dialects() []string {
	if o.dialect != "" {
		return []string{o.dialect}
	}
	return []string{"mssql", "oracle"}
}

// wanted is how many mistakes of each dialect a sample has.
func (o options) wanted() int { return cmp.Or(o.sample/len(o.dialects()), 1) }
