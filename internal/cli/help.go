package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// shared marks the flags that several commands have, which the help lists last.
const shared = "dbsched_shared"

func share(cmd *cobra.Command, flags ...string) {
	for _, name := range flags {
		must(cmd.Flags().SetAnnotation(name, shared, nil))
	}
}

// Flags returns the flags of a command: its own, and those that it shares with others.
func Flags(cmd *cobra.Command) (own, common *pflag.FlagSet) {
	own, common = pflag.NewFlagSet("", pflag.ContinueOnError), pflag.NewFlagSet("", pflag.ContinueOnError)
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		_, of := f.Annotations[shared]
		switch {
		case f.Name == "help", f.Name == "version":
		case of || cmd.HasParent() && cmd.Root().PersistentFlags().Lookup(f.Name) != nil:
			common.AddFlag(f)
		default:
			own.AddFlag(f)
		}
	})
	cmd.InheritedFlags().VisitAll(common.AddFlag)
	return own, common
}

// usage prints how to call a command. Long lines are wrapped to the terminal.
func (a *App) usage(cmd *cobra.Command) error {
	width := 100
	if w := a.Terminal(a.Out); w > 0 {
		width = min(max(w, 60), 120)
	}
	var b strings.Builder
	b.WriteString("Usage:\n")
	if cmd.Runnable() {
		b.WriteString("  " + cmd.UseLine() + "\n")
	}
	if cmd.HasAvailableSubCommands() {
		b.WriteString("  " + cmd.CommandPath() + " COMMAND\n")
	}
	if len(cmd.Aliases) > 0 {
		b.WriteString("\nAliases:\n  " + strings.Join(cmd.Aliases, ", ") + "\n")
	}
	if cmd.HasExample() {
		b.WriteString("\nExamples:\n" + cmd.Example + "\n")
	}
	list := func(title, group string) {
		var lines strings.Builder
		for _, c := range cmd.Commands() {
			if (c.IsAvailableCommand() || c.Name() == "help") && c.GroupID == group {
				fmt.Fprintf(&lines, "  %-*s  %s\n", cmd.Commands()[0].NamePadding(), c.Name(), c.Short)
			}
		}
		if lines.Len() > 0 {
			b.WriteString("\n" + title + "\n" + lines.String())
		}
	}
	for _, g := range cmd.Groups() {
		list(g.Title, g.ID)
	}
	list("Commands:", "")
	own, common := Flags(cmd)
	if own.HasAvailableFlags() {
		b.WriteString("\nFlags:\n" + own.FlagUsagesWrapped(width))
	}
	if common.HasAvailableFlags() {
		b.WriteString("\nShared flags:\n" + common.FlagUsagesWrapped(width))
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\nRun '%s COMMAND --help' for more about a command.\n", cmd.CommandPath())
	}
	_, err := fmt.Fprint(cmd.OutOrStdout(), b.String())
	return err
}

// Completes makes shells complete the values of a flag, which may be several, separated by commas.
func (a *App) Completes(cmd *cobra.Command, flag string, values ...string) {
	a.completes(cmd, flag, func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		before := typed[:strings.LastIndex(typed, ",")+1]
		all := make([]string, len(values))
		for i, v := range values {
			all[i] = before + v
		}
		return all, cobra.ShellCompDirectiveNoFileComp
	})
}

// must panics on an error that only a mistake in this program can cause, such as the name of a flag that is not defined.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
