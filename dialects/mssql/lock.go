package mssql

import (
	"context"
	"database/sql"
	"time"

	"github.com/dbsched/dbsched/dialects"
)

const (
	takeLock = `DECLARE @result int;
EXEC @result = sys.sp_getapplock @Resource = @resource, @LockMode = N'Exclusive', @LockOwner = N'Session', @LockTimeout = @timeout, @DbPrincipal = N'db_owner';
SELECT @result;`
	releaseLock = `EXEC sys.sp_releaseapplock @Resource = @resource, @LockOwner = N'Session', @DbPrincipal = N'db_owner';`
)

// withInstallLock runs f while this session holds the schema's installation lock. The lock
// ends with the session, so a broken installer never leaves it behind. Only members of
// db_owner can take it.
func (s *scheduler) withInstallLock(ctx context.Context, wait time.Duration, f func(*sql.Conn) error) error {
	conn, err := s.DB.Conn(ctx)
	if err != nil {
		return s.Failed(ctx, "connecting", err)
	}
	defer conn.Close()
	resource := "dbsched installation of " + s.schema
	result, err := requestLock(ctx, conn, resource, wait)
	if err != nil {
		return s.Failed(ctx, "sp_getapplock", err)
	}
	if result < 0 {
		return &dialects.PreflightError{Target: s.Target(), Findings: []dialects.Finding{{
			Text: "another installation of schema " + s.schema + " is running and did not end within " + wait.String() + ". Try again when it has ended",
		}}}
	}
	defer func() { _ = returnLock(ctx, conn, resource) }()
	return f(conn)
}

// requestLock takes a lock for the session of conn. The result is negative if another session has it.
func requestLock(ctx context.Context, conn *sql.Conn, resource string, wait time.Duration) (result int, err error) {
	err = conn.QueryRowContext(ctx, takeLock, sql.Named("resource", resource), sql.Named("timeout", wait.Milliseconds())).Scan(&result)
	return result, err
}

// returnLock releases the lock, even if ctx has ended. If this fails, the end of the session releases it.
func returnLock(ctx context.Context, conn *sql.Conn, resource string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	_, err := conn.ExecContext(ctx, releaseLock, sql.Named("resource", resource))
	return err
}
