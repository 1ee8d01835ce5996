package oracle

import (
	"strconv"
	"strings"
	"testing"

	"github.com/golang-migrate/migrate/v4"
	"github.com/golang-migrate/migrate/v4/database"
	contract "github.com/golang-migrate/migrate/v4/database/testing"
	"github.com/golang-migrate/migrate/v4/source/iofs"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/migrations"
	"github.com/dbsched/dbsched/templates"
)

const contractScript = `-- golang-migrate's suite takes whatever a driver's users would write; it isn't one statement.
create table contract_parents (id number(10) primary key, name varchar2(50) default 'it''s; so' not null);
/
create table contract_children (
    id number(10) primary key,
    parent_id number(10) not null
)
/
create sequence contract_seq;
/
create or replace package contract_package as
    function next return number;
end contract_package;
/
create or replace package body contract_package as
    -- Semicolons; stay.
    function next return number is
    begin
        return contract_seq.nextval;
    end next;
end contract_package;
/
begin
    insert into contract_parents (id) values (contract_package.next);
    commit;
end;
/
create or replace view contract_view as select p.name from contract_parents p;
`

// newTestDriver opens a driver as golang-migrate's users do.
func newTestDriver(t *testing.T, dsn string) database.Driver {
	t.Helper()
	d, err := database.Open(dsn)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	return d
}

// names lists the objects of the schema.
func names(t *testing.T, s *scheduler) []string {
	t.Helper()
	rows, err := s.DB.QueryContext(t.Context(), `select o.object_type || ' ' || o.object_name || ' ' || o.status from user_objects o order by o.object_type, o.object_name`)
	require.NoError(t, err)
	defer rows.Close()
	var all []string
	for rows.Next() {
		var name string
		require.NoError(t, rows.Scan(&name))
		all = append(all, name)
	}
	require.NoError(t, rows.Err())
	return all
}

// The suite that golang-migrate requires its own drivers to pass.
func TestDriverContract(t *testing.T) {
	dsn := serve(t)
	contract.Test(t, newTestDriver(t, dsn), []byte(contractScript))
	require.Empty(t, names(t, open(t, dsn)), "Drop leaves nothing")
}

func TestDriverMigratesUpAndDown(t *testing.T) {
	dsn := serve(t)
	files, err := migrations.Oracle(templates.DefaultPrefix, nil)
	require.NoError(t, err)
	src, err := iofs.New(files, ".")
	require.NoError(t, err)
	m, err := migrate.NewWithInstance("iofs", src, "oracle", newTestDriver(t, dsn+"?x-migrations-table=DS_SCHEMA_VERSION"))
	require.NoError(t, err)
	contract.TestMigrateUp(t, m)
	require.NoError(t, m.Down())
	require.NoError(t, m.Up())
	contract.TestMigrateDrop(t, m)
	require.Empty(t, names(t, open(t, dsn)))
}

func TestDriverLocksOutOthers(t *testing.T) {
	dsn := serve(t)
	one := newTestDriver(t, dsn)
	two := newTestDriver(t, dsn+"?x-lock-timeout=1")
	require.NoError(t, one.Lock())
	require.ErrorContains(t, two.Lock(), errTimeout.Error())
	require.ErrorIs(t, two.Unlock(), database.ErrNotLocked)
	require.NoError(t, one.Unlock())
	require.NoError(t, two.Lock())
	require.NoError(t, two.Unlock())
}

func TestDriverReportsWhatDoesNotCompile(t *testing.T) {
	d := newTestDriver(t, serve(t))
	err := d.Run(strings.NewReader("create table t (a number(1))\n/\n\ncreate or replace procedure bad as\nbegin\n    nowhere;\nend bad;\n/\n"))
	var failed database.Error
	require.ErrorAs(t, err, &failed)
	require.Equal(t, uint(4), failed.Line)
	var compile *CompileError
	require.ErrorAs(t, failed.OrigErr, &compile)
	require.Equal(t, "PROCEDURE", compile.Type)
	require.Equal(t, "BAD", compile.Name)
	require.Equal(t, 3, compile.Lines[0].Line)
	require.Contains(t, compile.Lines[0].Text, "PLS-00201: identifier 'NOWHERE' must be declared")
}

// cutMigration returns a migration that fails before a step, or after it but before the
// journal records it.
func cutMigration(t *testing.T, text, step string, behind bool) string {
	t.Helper()
	cut := "if l_step = " + step + " then raise_application_error(-20999, 'cut'); end if;\n        "
	anchor := "execute immediate 'select count(*) from ds_install_steps"
	if behind {
		anchor = "execute immediate 'insert into ds_install_steps"
	}
	require.Equal(t, 1, strings.Count(text, anchor))
	return strings.Replace(text, anchor, cut+anchor, 1)
}

// Migrations that are killed at every step, one after another, still complete.
func TestMigrationsKilledAtEveryStep(t *testing.T) {
	dsn := serve(t)
	s := open(t, dsn)
	src, err := render(dialects.Layout{Schema: s.Schema(), Lanes: 1})
	require.NoError(t, err)

	d := newTestDriver(t, dsn+"?x-migrations-table="+schemaVersion())
	for _, m := range src.migrations {
		require.NoError(t, d.Run(strings.NewReader(m.SQL)))
	}
	want := names(t, s)
	require.NoError(t, d.Drop())

	d = newTestDriver(t, dsn+"?x-migrations-table="+schemaVersion())
	steps := 0
	for _, m := range src.migrations {
		require.NoError(t, d.SetVersion(m.Version, true))
		own := strings.Count(m.SQL, "\n    step('")
		require.Positive(t, own, m.File)
		for i := range own {
			require.ErrorContains(t, d.Run(strings.NewReader(cutMigration(t, m.SQL, strconv.Itoa(i+1), false))), "cut", "%s, in front of step %d", m.File, i+1)
			require.ErrorContains(t, d.Run(strings.NewReader(cutMigration(t, m.SQL, strconv.Itoa(i+1), true))), "cut", "%s, behind step %d", m.File, i+1)
		}
		require.NoError(t, d.Run(strings.NewReader(m.SQL)))
		steps += own
	}
	require.Greater(t, steps, 40)
	require.Equal(t, want, names(t, s))
	_, err = s.Install(t.Context(), installOptions) // of the last version, which is dirty
	require.NoError(t, err)
}
