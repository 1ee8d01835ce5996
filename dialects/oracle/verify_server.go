package oracle

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/templates"
)

// releaseQuery reads the release with its update; from 18c on everybody may (Database Reference, PRODUCT_COMPONENT_VERSION).
const releaseQuery = `select max(p.product), max(p.version_full) from product_component_version p`

// early matches release updates of 19c in which job sessions that had died used up the job queue's processes. A server that gives
// no release update says 0.
var early = regexp.MustCompile(`^19\.[1-7]\.`)

func (v *verification) checkServer(ctx context.Context) error {
	var product, version sql.NullString
	err := v.DB.QueryRowContext(ctx, releaseQuery).Scan(&product, &version)
	if r, ok := asRefusal(err); ok && !sessionLost(r.Number) {
		v.Info(v.Target() + " answers; its release is not visible to this user")
		return nil
	}
	if err != nil {
		return err
	}
	text := fmt.Sprintf("%s answers: %s, %s", v.Target(), product.String, version.String)
	if early.MatchString(version.String) {
		v.Add(dialects.Check{Level: dialects.Warn, Text: text,
			Means:  "Before 19.8, dead jobs could use up the job processes, and then no lane starts.",
			Remedy: "-- apply a current release update (My Oracle Support, patches of Database 19c)"})
		return nil
	}
	v.OK(text)
	return nil
}

const containerQuery = `select sys_context('USERENV', 'CON_NAME'), sys_context('USERENV', 'DATABASE_ROLE') from dual`

func (v *verification) checkContainer(ctx context.Context) error {
	var name, role string
	if err := v.DB.QueryRowContext(ctx, containerQuery).Scan(&name, &role); err != nil {
		return err
	}
	text := fmt.Sprintf("%s, %s", name, strings.ToLower(role))
	switch {
	case name == "CDB$ROOT":
		v.Add(dialects.Check{Level: dialects.Fail, Text: text + ": this is the root container", Means: "dbsched must be in a pluggable database.",
			Remedy: "-- connect to the service of a pluggable database"})
	case role != "PRIMARY":
		v.Add(dialects.Check{Level: dialects.Fail, Text: text + ": no job runs in a standby", Means: "Tasks run in the primary database.",
			Remedy: "-- connect to the primary database"})
	default:
		v.OK(text)
	}
	return nil
}

// settings is what the checks need from the row of DS_SETTINGS.
type settings struct {
	version, runner string
	started         bool
	workers, lanes  int
	late            sql.NullInt64 // seconds since the next sweep was due
}

func settingsQuery() string {
	return `select s.version, s.runner, s.started, s.max_workers, s.max_lanes,
    round((cast(sys_extract_utc(systimestamp) as date) - cast(sys_extract_utc(s.next_sweep_at) as date)) * 86400)
from ` + object("settings") + ` s
where s.settings_id = 1`
}

// checkInstallation finds what is installed. If nothing is, or the installation is incomplete or its tables have another version,
// there is nothing to compare.
func (v *verification) checkInstallation(ctx context.Context) error {
	end := func(level dialects.Level, text, means, remedy string) error {
		v.over = true
		v.Add(dialects.Check{Level: level, Text: text, Means: means, Remedy: remedy})
		return nil
	}
	if v.guest {
		return v.checkSeen(ctx, end)
	}
	version, dirty, err := v.tableVersion(ctx, v.DB)
	if err != nil {
		return err
	}
	if version == 0 {
		if v.src, err = render(dialects.Layout{Schema: v.Schema(), Lanes: 1, Later: v.Later, Templates: v.Templates}); err != nil {
			return err
		}
		if version, err = v.adoptable(ctx, v.DB, v.src); err != nil {
			return err
		}
		if version > 0 {
			return end(dialects.Fail, "the table "+schemaVersion()+" or its row is missing", "The version of the tables is not known.", "dbsched install")
		}
		return end(dialects.Fail, "dbsched is not installed in schema "+v.Schema(), "There is nothing else to check.", "dbsched install")
	}
	const half = "an installation was interrupted"
	if dirty {
		return end(dialects.Fail, half, "The tables are incomplete.", "dbsched install")
	}
	var installed, runner sql.NullString
	var started string
	err = v.DB.QueryRowContext(ctx, settingsQuery()).Scan(&installed, &runner, &started, &v.set.workers, &v.set.lanes, &v.set.late)
	var left lostSettings
	v.settingless = missing(err) || errors.Is(err, sql.ErrNoRows) // another check says so
	if v.settingless {
		if left, err = v.lostSettings(ctx, v.DB); missing(err) {
			err = nil
		}
		v.set.lanes, v.set.runner, runner.String = left.lanes, left.runner, left.runner
	}
	if err != nil {
		return err
	}
	v.version = version
	v.set.version, v.set.runner, v.set.started = installed.String, runner.String, started == "Y"
	if v.src, err = render(dialects.Layout{Schema: v.Schema(), Lanes: max(v.set.lanes, 1), Runner: v.set.runner, Later: v.Later, Templates: v.Templates}); err != nil {
		return err
	}
	own, err := contentVersion()
	if err != nil {
		return err
	}
	switch latest := v.src.migrations[len(v.src.migrations)-1].Version; {
	case !installed.Valid && !v.settingless:
		return end(dialects.Fail, half, "The scheduler cannot start.", "dbsched install")
	case version > latest:
		return end(dialects.Warn, fmt.Sprintf("the tables have version %d, this program's have %d", version, latest), "A newer version installed dbsched and must check it.",
			"-- run verify with that version")
	case version < latest:
		return end(dialects.Warn, fmt.Sprintf("the tables have version %d, this program's have %d", version, latest), "An older version installed dbsched. Upgrade it, or check it with that version.",
			"dbsched install")
	}
	v.status, v.statusErr = v.Status(ctx)
	if v.settingless {
		v.Info("the version is not known, because the settings are missing")
		return nil
	}
	text := fmt.Sprintf("version %s, %d lanes", v.set.version, v.set.lanes)
	if v.set.runner != "" {
		text += ", tasks run as " + v.set.runner
	}
	if v.foreign = v.set.version != own; v.foreign {
		v.Add(dialects.Check{Level: dialects.Warn, Text: text + "; this program's is " + own,
			Means: "Another version installed dbsched: its packages, views and jobs are not compared.", Remedy: "dbsched install"})
		return nil
	}
	v.OK(text)
	return nil
}

// checkSeen reports what another user than the owner sees of the installation.
func (v *verification) checkSeen(ctx context.Context, end func(level dialects.Level, text, means, remedy string) error) error {
	v.status, v.statusErr = v.Status(ctx)
	if r, refused := asRefusal(v.statusErr); refused && unseen(r) {
		return end(dialects.Info, fmt.Sprintf("user %s cannot see whether dbsched is installed in schema %s", v.target.user, v.Schema()),
			"The user has no right to read its views.", "-- if it is installed, its owner runs: dbsched grant "+v.target.user)
	}
	own, err := contentVersion()
	switch {
	case err != nil || v.statusErr != nil: // another check reports the status
	case v.status.Version != own:
		v.Add(dialects.Check{Level: dialects.Warn, Text: "version " + v.status.Version + "; this program's is " + own, Means: "Another version installed dbsched.", Remedy: "-- the owner runs: dbsched install"})
	default:
		v.OK("version " + own)
	}
	return err
}

// Direct grants: roles do not count inside packages.
const privilegesQuery = `select p.privilege from user_sys_privs p`

func executableQuery(packages string) string {
	return `select distinct p.table_name
from all_tab_privs p
where p.table_schema = 'SYS' and p.privilege = 'EXECUTE' and p.grantee in (user, 'PUBLIC') and p.table_name in (` + packages + `)`
}

// viewGrants are the views that users of the public package lack: rights/grants_runner grants them.
func viewGrants(views string) string {
	return `select w.view_name || ' to ' || u.grantee
from user_views w
cross join (select distinct p.grantee from user_tab_privs p where p.owner = user and p.privilege = 'EXECUTE' and p.table_name = '` + templates.OraclePackage + `') u
where w.view_name in (` + views + `)
  and not exists (select 1 from user_tab_privs g where g.owner = user and g.table_name = w.view_name and g.privilege = 'READ' and g.grantee = u.grantee)
order by 1`
}

// runnerGrants are the owner's objects that the runner needs.
const runnerGrants = `select p.table_name
from user_tab_privs p
where p.owner = user and p.privilege = 'EXECUTE' and p.grantee = :in_runner`

func (v *verification) checkGrants(ctx context.Context) error {
	has, err := v.granted(ctx)
	if err != nil {
		return err
	}
	var missing, later []string // the latter are for installing
	for _, g := range templates.OracleGrants() {
		switch {
		case !g.Checked || has(g):
		case g.InstallOnly:
			later = append(later, g.Statement(v.Schema())+";")
		default:
			missing = append(missing, g.Statement(v.Schema())+";")
		}
	}
	if v.set.runner != "" {
		mine, err := v.names(ctx, runnerGrants, sql.Named("in_runner", v.set.runner))
		if err != nil {
			return err
		}
		for _, name := range []string{templates.OraclePackage, strings.ToUpper(object("lane")), strings.ToUpper(object("run"))} {
			if !slices.Contains(mine, name) {
				missing = append(missing, fmt.Sprintf("grant execute on %s to %s;", strings.ToLower(name), v.set.runner))
			}
		}
		views, err := v.names(ctx, viewGrants(v.src.names()))
		if err != nil {
			return err
		}
		for _, grant := range views {
			missing = append(missing, "grant read on "+grant+";")
		}
	}
	if len(missing) > 0 {
		v.Add(dialects.Check{Level: dialects.Fail, Text: "direct grants are missing; rights through roles do not count", Means: "Packages or jobs do not work without them.",
			Remedy: strings.Join(missing, "\n")})
		return nil
	}
	if len(later) > 0 {
		v.Add(dialects.Check{Level: dialects.Info, Text: "the rights to run tasks are granted; the rights to install, upgrade and uninstall are not",
			Remedy: strings.Join(later, "\n")})
		return nil
	}
	v.OK("all rights are granted to " + v.Schema() + " directly")
	return nil
}

// granted returns a function that reports whether the owner has a right.
func (v *verification) granted(ctx context.Context) (func(templates.Grant) bool, error) {
	privileges, err := v.names(ctx, privilegesQuery)
	if err != nil {
		return nil, err
	}
	var packages []string
	for _, g := range templates.OracleGrants() {
		if g.Package != "" {
			packages = append(packages, "'"+g.Package+"'")
		}
	}
	executable, err := v.names(ctx, executableQuery(strings.Join(packages, ", ")))
	return func(g templates.Grant) bool {
		return slices.Contains(executable, g.Package) || slices.Contains(privileges, g.Privilege) ||
			slices.Contains(privileges, strings.Replace(g.Privilege, "CREATE ", "CREATE ANY ", 1))
	}, err
}
