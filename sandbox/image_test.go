package sandbox_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/dbsched/dbsched/internal/sandboxtest"
	"github.com/dbsched/dbsched/sandbox"
)

// ask runs a statement with a bind variable, so that both engines learn about it.
func ask(t *testing.T, dialect string, box *sandbox.Server) {
	t.Helper()
	db, err := sandboxtest.Open(dialect, box.DSN(), box.Dial)
	require.NoError(t, err)
	query := map[string]string{"mssql": "SELECT @p1 + 1", "oracle": "select :1 + 1 from dual"}[dialect]
	var n int
	require.NoError(t, db.QueryRowContext(t.Context(), query, 1).Scan(&n))
	require.Equal(t, 2, n)
	require.NoError(t, db.Close())
}

// TestImagesShareTexts: images of engines that have read the same texts are restored concurrently. The race detector also
// catches one writing what the other has: nothing orders the two.
func TestImagesShareTexts(t *testing.T) {
	for _, dialect := range []string{"mssql", "oracle"} {
		var texts sandbox.Texts
		var images []*sandbox.Image
		for range 2 {
			synctest.Test(t, func(t *testing.T) {
				box, err := sandbox.Start(t.Context(), sandbox.Options{Dialect: dialect, Clock: "fast", Settle: synctest.Wait, Texts: &texts})
				require.NoError(t, err)
				ask(t, dialect, box)
				im, err := box.Image()
				require.NoError(t, err)
				images = append(images, im)
			})
		}
		var starts errgroup.Group
		for _, im := range images {
			starts.Go(func() error {
				box, err := im.Start(t.Context(), sandbox.Options{})
				if err != nil {
					return err
				}
				return box.Close()
			})
		}
		require.NoError(t, starts.Wait())
	}
}

// TestImageOfABusySandbox: no image can be made while somebody is connected.
func TestImageOfABusySandbox(t *testing.T) {
	sandboxtest.Run(t, sandbox.Options{}, "busy", sandboxtest.Nothing, func(t *testing.T, box *sandbox.Server) {
		t.Helper()
		db, err := sandboxtest.Open("mssql", box.DSN(), box.Dial)
		require.NoError(t, err)
		conn, err := db.Conn(t.Context())
		require.NoError(t, err)
		_, err = box.Image()
		require.EqualError(t, err, "sandbox: an image can be made when nobody is connected and nothing runs")
		require.NoError(t, conn.Close())
		require.NoError(t, db.Close())
	})
}

// TestRunsDoNotDependOnWhatCameBefore: what prepared an image changes neither the times nor the choices of its runs, so that runs can be compared.
func TestRunsDoNotDependOnWhatCameBefore(t *testing.T) {
	var said []string
	for _, before := range []string{"SELECT 1", "SELECT NEWID(); SELECT 1"} {
		prepare := func(t *testing.T, box *sandbox.Server) {
			t.Helper()
			db, err := sandboxtest.Open("mssql", box.DSN(), box.Dial)
			require.NoError(t, err)
			_, err = db.ExecContext(t.Context(), before)
			require.NoError(t, err)
			require.NoError(t, db.Close())
		}
		sandboxtest.Run(t, sandbox.Options{Seed: 1}, before, prepare, func(t *testing.T, box *sandbox.Server) {
			t.Helper()
			db, err := sandboxtest.Open("mssql", box.DSN(), box.Dial)
			require.NoError(t, err)
			var text string
			require.NoError(t, db.QueryRowContext(t.Context(), "SELECT CONCAT(NEWID(), ' ', SYSUTCDATETIME())").Scan(&text))
			said = append(said, text)
			require.NoError(t, db.Close())
		})
	}
	require.Equal(t, said[0], said[1])
}
