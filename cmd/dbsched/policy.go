package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
)

type policyOptions struct {
	Name   string
	policy dialects.Policy
}

func policyNames() []string {
	var names []string
	for _, p := range dialects.Policies() {
		names = append(names, string(p))
	}
	return names
}

func policyCommand(app *cli.App) *cobra.Command {
	names := policyNames()
	cmd := app.Writes(&cobra.Command{
		Use:   "policy NAME",
		Short: "Set which process gets the next free worker",
		Long: `RoundRobin, the default, serves the process with the fewest running tasks for its
weight. Fifo serves the oldest process first, and Priority the one with the highest
priority. You can change the policy while tasks run.`,
		Example:     `  dbsched policy RoundRobin`,
		Annotations: map[string]string{"see": "[processes](concepts.md#processes)"},
		Args:        cobra.ExactArgs(1),
		ValidArgs:   names,
	})
	return app.Bind(cmd, func(args []string) cli.Options { return &policyOptions{Name: args[0]} })
}

// Validate resolves the name, whatever its case.
func (o *policyOptions) Validate() error {
	for _, p := range dialects.Policies() {
		if strings.EqualFold(string(p), o.Name) {
			o.policy = p
			return nil
		}
	}
	return dialects.Usagef("unknown policy %q. Valid values: %s", o.Name, strings.Join(policyNames(), ", "))
}

// Run sets the policy.
func (o *policyOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	return s.Order(ctx, "", func(db dialects.Scheduler) error { return db.SetPolicy(ctx, o.policy) }, "policy: %s", o.policy)
}
