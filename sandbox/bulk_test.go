package sandbox_test

import (
	"database/sql"
	"testing"
	"testing/synctest"

	mssqldb "github.com/microsoft/go-mssqldb"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/internal/sandboxtest"
	"github.com/dbsched/dbsched/sandbox"
)

// TestBulkCopy copies rows as drivers do: a column with a default gets it unless NULLs are kept, an identity column that the caller
// names keeps the caller's numbers, and constraints that are not to be checked are refused.
func TestBulkCopy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		box := sandboxtest.Start(t, sandbox.Options{Dialect: "mssql", Seed: 1})
		db, err := sandboxtest.Open("mssql", box.DSN(), box.Dial)
		require.NoError(t, err)
		defer db.Close()
		exec := func(text string) {
			_, err := db.ExecContext(t.Context(), text)
			require.NoError(t, err, text)
		}
		exec("CREATE TABLE dbo.[Odd]]Name] (Id int IDENTITY NOT NULL PRIMARY KEY, Name nvarchar(5) NULL DEFAULT N'none', Price decimal(9, 2) NULL, At datetime2(3) NULL);")
		exec("CREATE TABLE dbo.Checked (Id int NOT NULL CHECK (Id > 0));")
		bulk := func(table string, o mssqldb.BulkOptions, columns []string, rows ...[]any) error {
			tx, err := db.BeginTx(t.Context(), nil)
			require.NoError(t, err)
			defer func() { _ = tx.Rollback() }()
			st, err := tx.PrepareContext(t.Context(), mssqldb.CopyIn(table, o, columns...))
			require.NoError(t, err)
			defer st.Close()
			for _, row := range rows {
				if _, err := st.ExecContext(t.Context(), row...); err != nil {
					return err
				}
			}
			if _, err := st.ExecContext(t.Context()); err != nil {
				return err
			}
			return tx.Commit()
		}
		read := func() (out []string) {
			rows, err := db.QueryContext(t.Context(), "SELECT Id, Name, Price FROM dbo.[Odd]]Name] ORDER BY Id;")
			require.NoError(t, err)
			defer rows.Close()
			for rows.Next() {
				var id, name, price sql.NullString
				require.NoError(t, rows.Scan(&id, &name, &price))
				out = append(out, id.String+" "+name.String+" "+price.String)
			}
			require.NoError(t, rows.Err())
			return out
		}
		const table = "dbo.[Odd]]Name]"
		require.NoError(t, bulk(table, mssqldb.BulkOptions{}, []string{"Name", "Price"}, []any{"Käse", 12.5}, []any{nil, nil}))
		require.Equal(t, []string{"1 Käse 12.50", "2 none "}, read())
		require.NoError(t, bulk(table, mssqldb.BulkOptions{KeepNulls: true, FireTriggers: true}, []string{"Id", "Name"}, []any{7, nil}))
		require.Equal(t, []string{"1 Käse 12.50", "2 none ", "7  "}, read())
		require.ErrorContains(t, bulk(table, mssqldb.BulkOptions{}, []string{"Id", "Name"}, []any{8, "x"}, []any{7, "y"}), "PRIMARY KEY")
		require.Len(t, read(), 3, "all rows or none")
		require.NoError(t, bulk(table, mssqldb.BulkOptions{Tablock: true, RowsPerBatch: 5, KilobytesPerBatch: 1, Order: []string{"Id ASC"}}, []string{"Name"}, []any{"x"}))
		require.Equal(t, "9 x ", read()[3])

		require.ErrorContains(t, bulk("dbo.Checked", mssqldb.BulkOptions{}, []string{"Id"}, []any{1}), "without CHECK_CONSTRAINTS")
		require.ErrorContains(t, bulk("dbo.Checked", mssqldb.BulkOptions{CheckConstraints: true}, []string{"Id"}, []any{0}), "CHECK")
		require.NoError(t, bulk("dbo.Checked", mssqldb.BulkOptions{CheckConstraints: true}, []string{"Id"}, []any{1}))
	})
}
