package integration

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestOracleCopy: a pluggable database cloned or plugged into another container, a schema imported under another name or again.
func TestOracleCopy(t *testing.T) {
	for name, was := range map[string][3]string{
		"cloned under another name": {"/SANDBOX,", "/SALES,", "SANDBOX/SALES, schema APP"},
		"another container":         {"SANDBOX/", "PROD/", "PROD/SANDBOX, schema APP"},
		"remap_schema":              {"schema APP ", "schema SHOP ", "SANDBOX/SANDBOX, schema SHOP (user "},
		"imported again":            {"(user ", "(user 9", "SANDBOX/SANDBOX, schema APP (user 9"},
	} {
		t.Run(name, func(t *testing.T) {
			onOracle(t, setup{lanes: 2}, func(h *harness) {
				h.runsNothingAsCopy("update ds_settings s set s.home = replace(s.home, '"+was[0]+"', '"+was[1]+"')", "20019", was[2])
			})
		})
	}
}

// TestOracleCopyBesideTheDispatcher: a worker that somebody starts by hand asks as well, also where no dispatcher runs.
func TestOracleCopyBesideTheDispatcher(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		require.NoError(h, h.sched.SetWorkers(h.Context(), 0))
		s := h.session()
		s.exec("update ds_settings s set s.home = 'ELSEWHERE'")
		id := h.exec(h.task(1, h.say.nothing))[0]
		s.exec(h.say.worker(0))
		require.Equal(h, "Pending", h.statusOf(id))
		require.Equal(h, "ELSEWHERE", h.status().CopyOf)
		require.NotEmpty(h, h.alarmsOf("Copy"))
	})
}

// TestOracleRestartIsNoCopy: the same names go on after a restart, and so does an installation that recorded none.
func TestOracleRestartIsNoCopy(t *testing.T) {
	onOracle(t, setup{lanes: 2}, func(h *harness) {
		s := h.session()
		home := s.value("select s.home from ds_settings s")
		s.exec("update ds_settings s set s.home = null")
		h.exec(h.task(1, h.say.nothing))
		h.drain(10 * time.Second)
		require.NoError(h, h.sched.Start(h.Context()))
		require.Equal(h, home, s.value("select s.home from ds_settings s"))
		require.Empty(h, h.status().CopyOf)
		h.requireNoAlarms()
	})
}
