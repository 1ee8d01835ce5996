package cli

import (
	"context"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/format"
)

// Names reads from a database what can stand after the arguments typed so far, or be the value of a flag.
type Names func(ctx context.Context, db dialects.Scheduler, args []string) ([]Name, error)

// Name is one of them.
type Name struct{ Text, About string }

// patience is how long a completion may take: a person waits at the prompt.
const patience = 3 * time.Second

// CompletesArguments makes shells complete the arguments of cmd from the database.
func (a *App) CompletesArguments(cmd *cobra.Command, names Names) *cobra.Command {
	cmd.ValidArgsFunction = a.completion(names)
	return cmd
}

// CompletesFlag makes shells complete the values of a flag from the database.
func (a *App) CompletesFlag(cmd *cobra.Command, flag string, names Names) {
	a.completes(cmd, flag, a.completion(names))
}

// completes notes how the values of a flag complete.
func (a *App) completes(cmd *cobra.Command, flag string, list cobra.CompletionFunc) {
	a.flags = append(a.flags, func() { must(cmd.RegisterFlagCompletionFunc(flag, list)) })
}

// completeFlags tells cobra, if a shell asks. Cobra never forgets it, nor the app of the flag: a process that runs many commands, like a
// test, would keep them all.
func (a *App) completeFlags(args []string) {
	if !slices.ContainsFunc(args, func(s string) bool { return strings.HasPrefix(s, cobra.ShellCompRequestCmd) }) {
		return
	}
	for _, register := range a.flags {
		register()
	}
}

// completion reads names as the command line says, and never a file's name. It asks no question and prints nothing else: without a
// database, a password or the right to read there are no names.
func (a *App) completion(names Names) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) (list []string, _ cobra.ShellCompDirective) {
		silent := *a
		silent.Err, silent.Terminal = io.Discard, func(any) int { return 0 }
		ctx, stop := context.WithTimeout(cmd.Context(), patience)
		defer stop()
		_, _ = (&Session{app: &silent}).Do(ctx, func(db dialects.Scheduler) error {
			found, err := names(ctx, db, args)
			for _, n := range found {
				if n.Text == "" || strings.ContainsFunc(n.Text, format.Unseen) || !hasPrefixFold(n.Text, typed) {
					continue
				}
				list = append(list, cobra.CompletionWithDesc(n.Text, format.Clean(n.About)))
			}
			return err
		})
		return list, cobra.ShellCompDirectiveNoFileComp
	}
}

// hasPrefixFold reports whether a text begins with another, whatever the case of their letters.
func hasPrefixFold(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}
