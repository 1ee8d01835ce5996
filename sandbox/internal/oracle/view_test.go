package oracle

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestViewsAreCompiledAgain uses views that have become invalid, or were created before what they need.
func TestViewsAreCompiledAgain(t *testing.T) {
	c := newClient(t)
	status := func() []string {
		return c.exec("select object_name || ' ' || status from user_objects where object_type = 'VIEW' order by 1")
	}
	c.exec("create force view v as select a from t")
	require.Equal(t, []string{`"V INVALID"`}, status())
	_, err := c.try("select a from v")
	require.ErrorContains(t, err, "has errors")
	c.exec("create table t (a number(5))")
	c.exec("insert into t values (1)")
	require.Equal(t, []string{"1"}, c.exec("select a from v"))
	require.Equal(t, []string{`"V VALID"`}, status())
	c.exec("drop table t")
	require.Equal(t, []string{`"V INVALID"`}, status())

	c.exec("create force view x as select a from y")
	c.exec("create force view y as select a from x")
	for _, name := range []string{"x", "y"} {
		_, err := c.try("select * from " + name)
		require.ErrorContains(t, err, "has errors")
	}
}

func TestVersionViews(t *testing.T) {
	c := newClient(t)
	require.Len(t, c.exec("select banner, banner_full from v$version"), 1)
	require.Equal(t, []string{`"19.0.0.0.0"`}, c.exec("select version from product_component_version"))
}

// TestUnitsFollowTheirTables uses a unit after its table's rows have moved.
func TestUnitsFollowTheirTables(t *testing.T) {
	c := newClient(t)
	c.exec("create table t (a number)")
	c.exec("create or replace procedure add_one is begin insert into t values (1); end;")
	for _, change := range []string{"create index t_ix on t (a)", "truncate table t", "drop index t_ix"} {
		c.exec(change)
		before := c.exec("select count(*) from t")
		c.exec("begin add_one; end;")
		require.NotEqual(t, before, c.exec("select count(*) from t"), change)
	}
}
