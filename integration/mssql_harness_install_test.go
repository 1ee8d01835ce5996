package integration

import (
	"fmt"
	"time"

	"github.com/dbsched/dbsched/templates"
	"github.com/stretchr/testify/require"
)

// turn sets an option of the database, which must have no other sessions.
func (h *harness) turn(option string) {
	h.Helper()
	_, err := h.clock.ExecContext(h.Context(), "ALTER DATABASE CURRENT SET "+option+" WITH ROLLBACK IMMEDIATE;")
	require.NoError(h, err)
}

// alarmsInTurn raises two alarms again and again.
func (h *harness) alarmsInTurn(raise string) {
	h.Helper()
	for range 3 {
		for _, text := range []string{"a", "b"} {
			h.session().exec(fmt.Sprintf(raise, text))
		}
	}
	require.Len(h, h.alarmsOf("WorkerError"), 2)
	h.pause(11 * time.Minute)
	h.session().exec(fmt.Sprintf(raise, "a"))
	require.Len(h, h.alarmsOf("WorkerError"), 3)
}

// openConversations begins conversations of dbsched's services that nobody ends.
func (h *harness) openConversations(n int) {
	h.Helper()
	s := h.session()
	service := s.value("SELECT s.name FROM sys.services AS s INNER JOIN sys.service_queues AS q ON q.object_id = s.service_queue_id WHERE q.name = N'Dispatch';")
	contract := s.value("SELECT c.name FROM sys.service_contracts AS c WHERE c.name LIKE N'%dbsched%';")
	s.exec(fmt.Sprintf("DECLARE @h uniqueidentifier, @i int = 0; WHILE @i < %d BEGIN BEGIN DIALOG CONVERSATION @h FROM SERVICE %s TO SERVICE %s ON CONTRACT %s WITH ENCRYPTION = OFF; SET @i = @i + 1; END;",
		n, templates.QuoteIdent(service), templates.QuoteString(service), templates.QuoteIdent(contract)))
}
