package integration

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestMSSQLMaintenanceTasks: what maintains one large database runs as tasks, several at once. A backup in a transaction fails, and so does
// what names something that is not there.
func TestMSSQLMaintenanceTasks(t *testing.T) {
	onMSSQL(t, setup{lanes: 4}, func(h *harness) {
		s := h.session()
		s.exec("CREATE TABLE dbo.Maintained (a int NOT NULL CONSTRAINT PK_Maintained PRIMARY KEY, b int NULL, c varchar(max) NULL);")
		s.exec("CREATE INDEX IX_Maintained ON dbo.Maintained (b);")
		s.exec("INSERT INTO dbo.Maintained (a, b) VALUES (1, 1), (2, 2);")
		db := "[" + s.value("SELECT DB_NAME();") + "]"
		waves := [][]string{
			{
				"ALTER INDEX IX_Maintained ON dbo.Maintained REBUILD WITH (ONLINE = ON, MAXDOP = 2, SORT_IN_TEMPDB = ON, FILLFACTOR = 90, DATA_COMPRESSION = PAGE);",
			}, // alone: nothing is reorganized beside it, 2551
			{
				"ALTER INDEX ALL ON dbo.Maintained REORGANIZE WITH (LOB_COMPACTION = ON);",
				"UPDATE STATISTICS dbo.Maintained WITH FULLSCAN;",
				"UPDATE STATISTICS dbo.Maintained IX_Maintained WITH SAMPLE 50 PERCENT, NORECOMPUTE;",
				"UPDATE STATISTICS dbo.Maintained (PK_Maintained) WITH RESAMPLE;",
				"EXEC sp_updatestats;",
			},
			{
				"DBCC CHECKTABLE (N'dbo.Maintained') WITH NO_INFOMSGS, ALL_ERRORMSGS;",
				"DBCC CHECKDB WITH PHYSICAL_ONLY, NO_INFOMSGS, ALL_ERRORMSGS;",
				"BACKUP DATABASE " + db + " TO DISK = N'NUL' WITH INIT, COMPRESSION, CHECKSUM, STATS = 10;",
			},
			{
				"IF EXISTS (SELECT * FROM sys.databases WHERE database_id = DB_ID() AND recovery_model = 1) BACKUP LOG " + db + " TO DISK = N'NUL' WITH INIT;",
				"BACKUP DATABASE " + db + " TO DISK = N'NUL' WITH DIFFERENTIAL, INIT;",
			},
		}
		var tasks []dialects.NewTask
		for order, wave := range waves {
			for _, sql := range wave {
				tasks = append(tasks, h.task(order+1, sql))
			}
		}
		good := h.exec(tasks...)
		h.drain(10 * time.Minute)
		for i, id := range good {
			require.Equal(h, "Succeeded", h.statusOf(id), "%s\n%s", tasks[i].SQL, h.report())
		}
		require.Equal(h, "90", s.value("SELECT fill_factor FROM sys.indexes WHERE name = N'IX_Maintained';"))

		bad := h.exec(
			dialects.NewTask{SQL: "BACKUP DATABASE " + db + " TO DISK = N'NUL';", Order: 1, Transactional: true},
			h.task(1, "ALTER INDEX IX_Nothing ON dbo.Maintained REBUILD WITH (ONLINE = ON);"),
			h.task(1, "UPDATE STATISTICS dbo.Nothing WITH FULLSCAN;"),
			h.task(1, "DBCC CHECKTABLE (N'dbo.Nothing') WITH NO_INFOMSGS;"),
		)
		h.drain(10 * time.Minute)
		errors := map[int64]int{}
		for _, l := range h.logs() {
			errors[l.TaskID] = l.ErrorNumber
		}
		for i, number := range []int{3013, 2727, 2706, 2501} {
			require.Equal(h, number, errors[bad[i]], "%d\n%s", i, h.report())
		}
	})
}
