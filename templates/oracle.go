package templates

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/dbsched/dbsched/migrations"
)

// DefaultPrefix begins the names of Oracle objects unless the user chooses
// another prefix.
const DefaultPrefix = "DS_"

// OraclePackage is the name of the public package.
const OraclePackage = "DBSCHED"

// Grant is a right that an installation on Oracle needs, granted directly to
// the owner of the schema: rights granted through roles do not count inside
// packages.
type Grant struct {
	// Privilege is a system privilege; empty if Package is set.
	Privilege string
	// Package is a package of SYS that the owner must be able to execute.
	Package string
	// InstallOnly rights may be revoked after installing.
	InstallOnly bool
	// Checked rights are required before installing. The others also work through a role.
	Checked bool
	// Public rights are granted to everybody, unless the database was hardened.
	Public bool
	// Why says what it is needed for.
	Why string
}

// Statement returns the statement that grants it.
func (g Grant) Statement(owner string) string {
	if g.Package != "" {
		return "grant execute on sys." + strings.ToLower(g.Package) + " to " + owner
	}
	return "grant " + strings.ToLower(g.Privilege) + " to " + owner
}

// OracleGrants lists what the owner of an installation needs.
func OracleGrants() []Grant {
	return []Grant{
		{Privilege: "CREATE SESSION", Why: "to connect"},
		{Privilege: "CREATE TABLE", Checked: true, InstallOnly: true, Why: "tables, queue table"},
		{Privilege: "CREATE SEQUENCE", Checked: true, InstallOnly: true, Why: "numbers of tasks, processes and logs"},
		{Privilege: "CREATE VIEW", Checked: true, InstallOnly: true, Why: "views for people and monitors"},
		{Privilege: "CREATE PROCEDURE", Checked: true, InstallOnly: true, Why: "packages"},
		{Privilege: "CREATE JOB", Checked: true, Why: "jobs of dispatcher and workers; to run, enable and disable them"},
		{Package: "DBMS_AQADM", Checked: true, InstallOnly: true, Why: "to make and drop the queue of wake-ups"},
		{Package: "DBMS_AQ", Checked: true, Why: "to send and receive wake-ups"},
		{Package: "DBMS_LOCK", Checked: true, Why: "locks that tell living workers from dead ones"},
		{Package: "DBMS_SCHEDULER", Checked: true, Public: true, Why: "jobs"},
		{Package: "DBMS_SQL", Checked: true, Public: true, Why: "to run the text of tasks"},
		{Package: "DBMS_LOB", Checked: true, Public: true, Why: "to read JSON"},
		{Package: "DBMS_SESSION", Checked: true, Public: true, Why: "identity and life of sessions, waiting"},
		{Package: "DBMS_OUTPUT", Checked: true, Public: true, Why: "to discard what tasks print"},
		{Package: "DBMS_UTILITY", Checked: true, Public: true, Why: "error stack and backtrace"},
		{Package: "DBMS_TRANSACTION", Checked: true, Public: true, Why: "to tell whether a transaction is open"},
		{Package: "DBMS_APPLICATION_INFO", Checked: true, Public: true, Why: "to show tasks in V$SESSION"},
		{Package: "DBMS_ASSERT", Checked: true, Public: true, Why: "to quote names"},
		{Package: "DBMS_DB_VERSION", Checked: true, Public: true, Why: "to check the release"},
	}
}

// oracleOwner matches names that need no quotes. Quoted ones are refused: every
// tool would have to quote them alike.
var (
	oracleOwner  = regexp.MustCompile(`^[A-Z][A-Z0-9_$#]{0,127}$`)
	oraclePrefix = regexp.MustCompile(`^[A-Z][A-Z0-9]{0,4}_$`)
)

// CheckOracleOwner returns why the user called name, in any case, cannot own an
// installation. The error wraps [ErrSchemaName].
func CheckOracleOwner(name string) error {
	switch owner := strings.ToUpper(name); {
	case !oracleOwner.MatchString(owner):
		return fmt.Errorf("%w: %q is not an Oracle user name that needs no quotes", ErrSchemaName, name)
	case slices.Contains([]string{"SYS", "SYSTEM", "PUBLIC", "XDB", "AUDSYS", "DBSNMP", "OUTLN", "SYSBACKUP", "SYSDG", "SYSKM", "SYSRAC"}, owner):
		return fmt.Errorf("%w: %q belongs to Oracle itself", ErrSchemaName, name)
	}
	return nil
}

// oracleData is what a template for Oracle sees.
type oracleData struct {
	files           fs.FS  // see Params
	Owner, OwnerLit string // the schema, as identifier and as string
	P, PU           string // the prefix, in lower and in upper case
	Q               string // the beginning of names in sessions that may not be the owner's: P, with the owner before it if there is a runner
	Runner          string // the user that runs tasks; empty: the owner
	JobOwner        string // the owner of the lanes' jobs: the runner, or the owner
	JobOwnerLit     string
	As              string // ends a column of a view, see Own
	VersionLit      string
	Lanes           []Lane
	Grants          []Grant
	UnitNames       []string // packages and views
	ViewNames       []string
	TableNames      []string // tables and sequences, including golang-migrate's
	ObjectNames     []string // all objects whose names must be free, except the jobs of the lanes
}

// Name returns the expression for the name of a user in a column: the tables hold it with its number, see the package RIGHTS.
func (oracleData) Name(column string) string {
	return fmt.Sprintf("substr(%[1]s, 1, instr(%[1]s, '#', -1) - 1)", column)
}

// newOracleData checks the parameters and derives all names from them.
func newOracleData(p Params) (oracleData, error) {
	owner, prefix := strings.ToUpper(p.Schema), strings.ToUpper(p.Prefix)
	if prefix == "" {
		prefix = DefaultPrefix
	}
	if err := CheckOracleOwner(p.Schema); err != nil {
		return oracleData{}, err
	}
	if !oraclePrefix.MatchString(prefix) {
		return oracleData{}, fmt.Errorf("prefix %q is not a letter, at most four letters or digits, and an underscore", p.Prefix)
	}
	runner := strings.ToUpper(p.Runner)
	if runner != "" {
		if err := CheckOracleOwner(runner); err != nil {
			return oracleData{}, fmt.Errorf("runner: %w", err)
		}
		if runner == owner {
			return oracleData{}, fmt.Errorf("%w: the runner must be another user than the owner %s", ErrSchemaName, owner)
		}
	}
	lanes, err := laneCount(p)
	if err != nil {
		return oracleData{}, err
	}
	if strings.ContainsAny(p.Version, "]'") {
		return oracleData{}, fmt.Errorf("version %q holds a bracket or a quote, which would end the text of a job", p.Version)
	}
	d := oracleData{
		files: filesOf(p),
		Owner: owner, OwnerLit: oracleString(owner),
		P: strings.ToLower(prefix), PU: prefix,
		Runner: runner, JobOwner: cmp.Or(runner, owner), JobOwnerLit: oracleString(cmp.Or(runner, owner)),
		VersionLit: oracleString(p.Version),
		Grants:     OracleGrants(),
		TableNames: slices.Concat(migrations.OracleTables(prefix), migrations.OracleSequences(prefix), []string{migrations.OracleVersionTable(prefix)}),
	}
	if d.Q, d.As = d.P, "as"; runner != "" {
		d.Q, d.As = strings.ToLower(owner)+"."+d.P, "end as"
	}
	for id := 1; id <= lanes; id++ {
		d.Lanes = append(d.Lanes, Lane{ID: id, Name: fmt.Sprintf("LANE_%02d", id)})
	}
	return d, nil
}

// Rows returns a table in the FROM clause of a view, with one more column: mine is 1 if the column owner names the caller, or if the caller may see
// everything, or if another condition holds. A column of the view begins with [oracleData.Own] and ends with [oracleData.As]: it is NULL unless
// the row is the caller's. The view's WHERE alone does not hide a row: Oracle may evaluate a condition of the query before it, and an error in
// it, or a function that it calls, would get what is in the row. OPTIMIZER_SECURE_VIEW_MERGING, where it is TRUE, prevents that for functions,
// except for users who may MERGE ANY VIEW, as DBAs may (Database Reference); nothing prevents it for operators and Oracle's own functions. CASE
// evaluates its condition first (SQL Language Reference, CASE Expressions). Without a runner nobody's rows are hidden.
func (d oracleData) Rows(table, alias, owner string, or ...string) string {
	if d.Runner == "" {
		return d.P + table + " " + alias
	}
	return fmt.Sprintf("(select case when %s then 1 end as mine, me.sees_all, k.*\n      from %s%s k\n      %s) %s", d.Mine("k."+owner, or...), d.P, table, d.Me(), alias)
}

// Own begins a column of such a view.
func (d oracleData) Own(alias string) string {
	if d.Runner == "" {
		return ""
	}
	return "case when " + alias + ".mine = 1 then "
}

// Mine is the condition that a row is the caller's.
func (oracleData) Mine(owner string, or ...string) string {
	return strings.Join(append([]string{"me.sees_all = 'Y'", "nlssort(" + owner + ", 'NLS_SORT=BINARY') = me.id"}, or...), " or ")
}

// Me joins who asks. ROWNUM keeps Oracle from merging this into the rest of the query, which would call the functions for each row (SQL Tuning
// Guide, View Merging).
func (d oracleData) Me() string {
	return fmt.Sprintf("cross join (select %[1]srights.administrator as sees_all, nlssort(%[1]srights.submitter, 'NLS_SORT=BINARY') as id, rownum as one from dual) me", d.P)
}

// oracleString returns text as a string literal of Oracle.
func oracleString(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// oracleKinds are what the first words of oracle/order.txt mean: the kind, and the type of what is created, as in USER_OBJECTS.
var oracleKinds = map[string]struct {
	kind   Kind
	object string
}{
	"check":       {KindSchema, ""},
	"queue-table": {KindBroker, "queue table"},
	"queue":       {KindBroker, "queue"},
	"package":     {KindModule, "package"},
	"body":        {KindModule, "package body"},
	"view":        {KindModule, "view"},
	"grants":      {KindGrant, ""},
	"check-valid": {KindData, ""},
	"data":        {KindData, ""},
	"job":         {KindActivate, "job"},
	"jobs":        {KindActivate, ""},
}

// unit returns the name of a package as the templates write it.
func unit(e entry) string {
	if e.name == strings.ToLower(OraclePackage) {
		return e.name
	}
	return "{{.P}}" + e.name
}

// wrapOracle puts the parts of a package together.
func wrapOracle(e entry, text string) string {
	switch e.kind {
	case "package":
		return "create or replace package " + unit(e) + " authid " + e.authid + " as\n" + text + "end " + unit(e) + ";\n"
	case "body":
		return "create or replace package body " + unit(e) + " as\n" + text + "end " + unit(e) + ";\n"
	}
	return text
}

// object returns what an entry creates, named as in USER_OBJECTS.
func (d oracleData) object(_ Lane, e entry) Object {
	o := Object{Type: oracleKinds[e.kind].object, Schema: d.Owner, Name: d.PU + strings.ToUpper(e.name)}
	switch {
	case o.Type == "":
		return Object{}
	case o.Type == "queue table":
		o.Name += "_QT"
	case o.Type == "queue":
		o.Name += "_Q"
	case e.name == strings.ToLower(OraclePackage):
		o.Name = OraclePackage
	}
	return o
}

// rendering describes how a script for Oracle is rendered.
func (d oracleData) rendering(script string) rendering {
	return rendering{
		files: d.files, dialect: "oracle", script: script,
		kindOf: func(e entry) (Kind, bool) {
			k, ok := oracleKinds[e.kind]
			switch {
			case script == "uninstall":
				return KindUninstall, true
			case e.kind == "jobs" && d.Runner != "": // the jobs of the lanes belong to the runner
				k.kind = KindRunner
			}
			return k.kind, ok
		},
		data:     func(Lane) any { return d },
		objectOf: d.object,
		wrap:     wrapOracle,
		check:    checkOracleBody,
		quoted:   oracleString,
	}
}

// withNames adds the names of all objects.
func (d oracleData) withNames() (oracleData, error) {
	objects, err := d.rendering("install").objects()
	if err != nil {
		return d, err
	}
	for _, o := range objects {
		if o.Type == "view" {
			d.ViewNames = append(d.ViewNames, o.Name)
		}
		switch o.Type {
		case "package", "view":
			d.UnitNames = append(d.UnitNames, o.Name)
			d.ObjectNames = append(d.ObjectNames, o.Name)
		case "queue table", "queue", "job":
			d.ObjectNames = append(d.ObjectNames, o.Name)
		}
	}
	slices.Sort(d.UnitNames)
	for _, name := range d.TableNames {
		// These may exist before anything else of an installation.
		if name != migrations.OracleVersionTable(d.PU) && name != migrations.OracleJournal(d.PU) {
			d.ObjectNames = append(d.ObjectNames, name)
		}
	}
	slices.Sort(d.ObjectNames)
	return d, nil
}

// Oracle renders the installation for Oracle, connected as the owner of the
// schema. The batch of KindSchema comes first; the caller then runs the
// migrations and continues with the rest. Each batch is one statement without
// terminator, as drivers expect it, and sending all of them again changes
// nothing. Packages that do not compile are found by the last batch before the
// data: Oracle reports them as created.
func Oracle(p Params) ([]Batch, error) {
	d, err := newOracleData(p)
	if err != nil {
		return nil, err
	}
	if d, err = d.withNames(); err != nil {
		return nil, err
	}
	return render(d.rendering("install"))
}

// OracleRunner renders what is sent as the runner, who needs only CREATE
// SESSION and CREATE JOB: a check of who that is and, once the rest of the
// installation exists, the jobs of the lanes. The check has [KindSchema].
func OracleRunner(p Params) ([]Batch, error) {
	if p.Runner == "" {
		return nil, errors.New("no runner is named")
	}
	d, err := newOracleData(p)
	if err != nil {
		return nil, err
	}
	batches, err := render(d.rendering("runner"))
	if err != nil {
		return nil, err
	}
	all, err := Oracle(p)
	for _, b := range all {
		if b.Kind == KindRunner {
			batches = append(batches, b)
		}
	}
	return batches, err
}

// OracleUninstall renders what removes an installation from Oracle, however
// many lanes it has and however far its installation got. Only Schema and
// Prefix of the parameters matter. Objects that are not dbsched's stay.
func OracleUninstall(p Params) ([]Batch, error) {
	p.Lanes, p.Version = 1, "uninstall"
	d, err := newOracleData(p)
	if err != nil {
		return nil, err
	}
	if d, err = d.withNames(); err != nil {
		return nil, err
	}
	return render(d.rendering("uninstall"))
}

var oracleStart = regexp.MustCompile(`^(declare|begin|create or replace (package|view))\b`)

// maxOracleLine is the longest line that SQL*Plus accepts.
const maxOracleLine = 2499

// checkOracleBody refuses what a script file cannot contain, and what drivers
// that look at the beginning of a text would mistake for something else.
func checkOracleBody(b Batch) error {
	for line := range strings.Lines(b.SQL) {
		if len(line) > maxOracleLine {
			return fmt.Errorf("batch %s has a line of %d bytes, which is too long for SQL*Plus", b.Name, len(line))
		}
		// Ends of a statement, commands, and a hyphen that continues a line.
		if line = strings.TrimSpace(line); line == "/" || line == "." || strings.HasPrefix(line, "#") || strings.HasSuffix(line, "-") {
			return fmt.Errorf("batch %s has a line that SQL*Plus would take for a command: %s", b.Name, line)
		}
	}
	switch {
	case strings.TrimSpace(b.SQL) == "":
		return errors.New("batch " + b.Name + " is empty")
	case strings.ContainsFunc(b.SQL, func(r rune) bool { return r > '~' }):
		return fmt.Errorf("batch %s is not ASCII, and the client's character set may be any", b.Name)
	case !oracleStart.MatchString(b.SQL):
		return fmt.Errorf("batch %s begins with neither DECLARE, BEGIN nor CREATE OR REPLACE", b.Name)
	}
	return nil
}

// PrintOracle writes the batches as one script for SQL*Plus and SQLcl,
// ready to run.
func PrintOracle(w io.Writer, batches []Batch) error {
	what, err := contents(batches)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	fmt.Fprint(out, what+"set define off\nset sqlblanklines on\nwhenever sqlerror exit failure rollback\nwhenever oserror exit failure rollback\n"+
		"-- A database may have warnings be errors.\nalter session set plsql_warnings = 'DISABLE:ALL'\n/\n")
	for _, b := range batches {
		if err := checkOracleBody(b); err != nil {
			return err
		}
		fmt.Fprintf(out, "prompt %s\n%s\n/\n", b.Name, strings.TrimRight(b.SQL, "\n"))
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write script: %w", err)
	}
	return nil
}

// PrintOracleGrants writes what a DBA runs before the installation.
func PrintOracleGrants(w io.Writer, p Params) error {
	p.Lanes, p.Version = 1, "grants"
	d, err := newOracleData(p)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "-- What %s needs for dbsched. Grant it to the user itself: rights that come by roles do not count inside packages.\n"+
		"-- Rights on packages of SYS are granted by SYS, or by who has GRANT ANY OBJECT PRIVILEGE; managed services have a procedure\n"+
		"-- of their own for them (Amazon RDS: rdsadmin.rdsadmin_util.grant_sys_object).\n", d.Owner)
	for _, g := range d.Grants {
		if g.Public {
			continue
		}
		note := g.Why
		if g.InstallOnly {
			note += "; for installing, upgrading and uninstalling only"
		}
		// Above, not after: SQL*Plus expects nothing after the terminator.
		fmt.Fprintf(out, "-- %s\n%s;\n", note, g.Statement(d.Owner))
	}
	fmt.Fprint(out, "-- Everybody has these, unless they were revoked from PUBLIC.\n")
	for _, g := range d.Grants {
		if g.Public {
			fmt.Fprintf(out, "-- %s;  (%s)\n", g.Statement(d.Owner), g.Why)
		}
	}
	if d.Runner != "" {
		fmt.Fprintf(out, "-- %[1]s runs the tasks. It needs these rights besides those of the tasks. CREATE JOB is only for installing.\n"+
			"grant create session to %[1]s;\ngrant create job to %[1]s;\n"+
			"-- all users have this unless it was revoked from PUBLIC (ORA-06598)\ngrant inherit privileges on user %[1]s to %[2]s;\n", d.Runner, d.Owner)
	}
	fmt.Fprintf(out, "-- To end cancelled or timed-out tasks even if they handle every error:\n-- grant manage scheduler to %s;\n", d.Owner)
	fmt.Fprintf(out, "-- Space in the user's default tablespace:\n-- alter user %s quota unlimited on users;\n", d.Owner)
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write grants: %w", err)
	}
	return nil
}
