// Package cli is what all commands of dbsched share: flags, connecting, output, progress,
// confirmation and exit codes. A command is an options struct; see [Options].
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/dbsched/dbsched/dialects"
)

// App is the program without its commands: its environment.
type App struct {
	Dialects dialects.List
	Version  string
	Build    func() string // what --version adds: the commit, the version of the SQL
	In       io.Reader
	Out, Err io.Writer           // data; progress and errors
	Getenv   func(string) string // os.Getenv, or a test's
	// Terminal returns the width of a person's terminal, or 0 for any other stream.
	Terminal func(stream any) int
	// Secret reads a line from the terminal that is In, without showing it.
	Secret func(context.Context) (string, error)

	globals globals
	flags   []func()     // tell cobra how a flag completes
	target  *namedTarget // the target of --target, once looked up
	ran     bool         // a command's Run was reached: errors before it are of usage
	verdict bool
}

// globals are the values of the flags that several commands share.
type globals struct {
	dsn, target, dialect, schema, output string
	dryRun, yes, quiet, utc              bool
}

// New returns the program as main runs it.
func New(list dialects.List, version string) *App {
	return &App{
		Dialects: list, Version: version,
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv,
		Terminal: func(stream any) int {
			f, ok := stream.(*os.File)
			if !ok || !term.IsTerminal(int(f.Fd())) {
				return 0
			}
			if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
				return width
			}
			return 80
		},
		Secret: func(ctx context.Context) (string, error) { return secret(ctx, os.Stdin) },
	}
}

// Options is one command with its flags filled in.
type Options interface {
	// Validate checks what can be checked without a connection; any error is a
	// usage error.
	Validate() error
	// Run runs the command. False means that it ran and the result is negative.
	Run(ctx context.Context, s *Session) (bool, error)
}

// NoFlags is embedded by options with nothing to check.
type NoFlags struct{}

// Validate returns nil.
func (NoFlags) Validate() error { return nil }

// Main parses args, runs the named command and returns the exit code.
func (a *App) Main(ctx context.Context, args []string, groups ...Group) int {
	root := a.Root(groups)
	if len(args) == 1 && args[0] == "--version" && a.Build != nil { // what Build adds takes time
		root.Version += a.Build()
	}
	cmd, err := root, a.misplaced(root, args)
	if err == nil {
		a.completeFlags(args)
		root.SetArgs(append([]string{}, args...)) // for nil, cobra would use the process's own arguments
		cmd, err = root.ExecuteContextC(ctx)
	}
	code := exitCode(ctx, err, a.ran, a.verdict)
	if code == ExitInterrupted && (err == nil || errors.Is(err, context.Canceled) || is[*dialects.ConnectError](err)) && !is[*dialects.PartialError](err) {
		err = errors.New("interrupted")
	}
	if m := required.FindStringSubmatch(fmt.Sprint(err)); m != nil && !a.ran {
		err = fmt.Errorf("--%s is required", m[1])
	}
	if err != nil {
		a.tell("dbsched: %s", dialects.Words(err))
	}
	if code == ExitUsage && cmd != nil && (!a.ran || is[*dialects.UsageError](err)) {
		a.tell("Run '%s --help' for usage.", cmd.CommandPath())
	}
	return code
}

// Errors of the standard library for a number and a duration that cannot be parsed, and of cobra.
var (
	number   = regexp.MustCompile(`strconv\.\w+: parsing ".*": .*$`)
	duration = regexp.MustCompile(`time: .*$`)
	negative = regexp.MustCompile(`^unknown shorthand flag: '\d' in (-\d+)$`) // an argument
	required = regexp.MustCompile(`^required flag\(s\) "([^"]*)"`)
)

// Group is the commands under one heading of the help.
type Group struct {
	Title    string
	Commands []func(*App) *cobra.Command
}

// Root returns the whole tree of commands. The last group also gets cobra's own commands.
func (a *App) Root(groups []Group) *cobra.Command {
	root := &cobra.Command{
		Use:   "dbsched",
		Short: "A task scheduler that lives inside the database",
		Long: `dbsched installs a task scheduler inside SQL Server or Oracle, then starts, stops and
observes it. The database engine itself runs the tasks: no agent, no daemon.

  dbsched demo                 try it in a sandbox; needs no database
  dbsched install --dsn URL    install into a database
  dbsched start --dsn URL      let tasks run

Exit codes: 0 done; 1 ran, and the answer is no; 2 usage or configuration; 3 cannot connect;
4 the server refused a statement; 5 partly done; 6 the timeout of a wait was reached;
130 interrupted.`,
		SilenceErrors:     true,
		SilenceUsage:      true,
		DisableAutoGenTag: true,
		Version:           a.Version,
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		if m := negative.FindStringSubmatch(err.Error()); m != nil {
			return fmt.Errorf("%s is a negative number, which is not valid here", m[1])
		}
		text := number.ReplaceAllString(err.Error(), "write a whole number")
		return errors.New(duration.ReplaceAllString(text, "write a duration like 90s or 1h30m"))
	})
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	root.SetIn(a.In)
	flags := root.PersistentFlags()
	flags.StringVarP(&a.globals.output, "output", "o", "table", "table or json")
	flags.BoolVar(&a.globals.utc, "utc", false, "show times in UTC")
	flags.BoolVarP(&a.globals.quiet, "quiet", "q", false, "no progress and no success messages")
	a.Completes(root, "output", "table", "json")
	root.SetUsageFunc(a.usage)
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.Title, Title: g.Title + ":"})
		for _, c := range g.Commands {
			cmd := c(a)
			cmd.GroupID = g.Title
			root.AddCommand(cmd)
		}
		root.SetHelpCommandGroupID(g.Title)
		root.SetCompletionCommandGroupID(g.Title)
	}
	root.InitDefaultHelpCmd()
	help, _, err := root.Find([]string{"help"})
	must(err)
	show := help.Run // it would print an unknown command as it is, on stdout
	help.Run, help.RunE = nil, func(c *cobra.Command, args []string) error {
		if found, _, err := root.Find(args); found == nil || err != nil {
			return dialects.Usagef("there is no command %q", strings.Join(args, " "))
		}
		show(c, args)
		return nil
	}
	return root
}

// Bind gives cmd its Run: fill puts the positional arguments into the options.
func (a *App) Bind(cmd *cobra.Command, fill func(args []string) Options) *cobra.Command {
	if check := cmd.Args; check == nil {
		cmd.Args = cobra.NoArgs
	} else {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if check(cmd, args) != nil {
				return dialects.Usagef("wrong number of arguments. Usage: %s", cmd.UseLine())
			}
			return nil
		}
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if a.globals.output != "table" && a.globals.output != "json" {
			return dialects.Usagef("--output is %q; it must be table or json", a.globals.output)
		}
		opts := fill(args)
		if err := opts.Validate(); err != nil {
			return err
		}
		a.ran = true
		var err error
		a.verdict, err = opts.Run(cmd.Context(), &Session{app: a})
		return err
	}
	return cmd
}

// Connects adds the flags that say which database and schema.
func (a *App) Connects(cmd *cobra.Command) *cobra.Command {
	f := cmd.Flags()
	f.StringVar(&a.globals.dsn, "dsn", "", "URL of the database (default: $DBSCHED_DSN)")
	TakesDSN(cmd, "dsn")
	f.StringVar(&a.globals.target, "target", "", "database named in the configuration file, instead of --dsn")
	f.StringVar(&a.globals.dialect, "dialect", "", "database engine (default: from the URL)")
	a.Completes(cmd, "dialect", a.Dialects.Names()...)
	a.completes(cmd, "target", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return a.targetNames(), cobra.ShellCompDirectiveNoFileComp
	})
	share(cmd, "dsn", "target", "dialect")
	a.HasSchema(cmd)
	return cmd
}

// HasSchema adds --schema.
func (a *App) HasSchema(cmd *cobra.Command) *cobra.Command {
	var defaults []string
	for _, d := range a.Dialects {
		name := d.DefaultSchema()
		if name == "" {
			name = "the connecting user's"
		}
		defaults = append(defaults, d.Name()+": "+name)
	}
	cmd.Flags().StringVar(&a.globals.schema, "schema", "", "schema of dbsched (default: "+strings.Join(defaults, "; ")+")")
	share(cmd, "schema")
	return cmd
}

// Writes adds the flags of a command that connects and changes something.
func (a *App) Writes(cmd *cobra.Command) *cobra.Command {
	a.Connects(cmd)
	cmd.Flags().BoolVar(&a.globals.dryRun, "dry-run", false, "print the statements instead of running them")
	share(cmd, "dry-run")
	return cmd
}

// Destroys adds the flags of a command that changes something irrevocably.
func (a *App) Destroys(cmd *cobra.Command) *cobra.Command { return a.Asks(a.Writes(cmd)) }

// Asks adds the flag of a command that asks for confirmation.
func (a *App) Asks(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().BoolVarP(&a.globals.yes, "yes", "y", false, "do not ask")
	share(cmd, "yes")
	return cmd
}
