package oracle

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/fnv"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/client"
)

// Locks of DBMS_LOCK have numbers that are shared by the whole database, 0 to 1073741823. Names
// are no alternative: ALLOCATE_UNIQUE commits. A hashed number may already be in use;
// then both wait for each other, and nothing worse happens.
const (
	requestLock = `begin :out_result := dbms_lock.request(id => :in_id, lockmode => dbms_lock.x_mode, timeout => :in_timeout, release_on_commit => false); end;`
	releaseLock = `begin :out_result := dbms_lock.release(id => :in_id); end;`
)

// lockID returns the number of the lock for a purpose in a schema.
func lockID(purpose, schema string) int64 {
	h := fnv.New32a()
	fmt.Fprintf(h, "%s\x00%s", purpose, schema)
	return int64(h.Sum32() & (1<<30 - 1))
}

// errTimeout reports that another session holds the lock.
var errTimeout = errors.New("the lock is held by another session")

// request takes the lock for the session of on, and waits at most wait, whole seconds at
// a time: a session that waits in DBMS_LOCK notices late that its caller is gone.
func request(ctx context.Context, on client.Execer, id int64, wait time.Duration) error {
	for {
		var result sql.NullInt64
		slice := min(wait, time.Second)
		_, err := on.ExecContext(ctx, requestLock, sql.Named("out_result", sql.Out{Dest: &result}), sql.Named("in_id", id), sql.Named("in_timeout", client.Seconds(slice)))
		if err != nil {
			return err
		}
		switch result.Int64 {
		case 0, 4: // taken; this session already has it
			return nil
		case 1:
			if wait -= slice; wait < time.Second {
				return errTimeout
			}
		default: // 2 deadlock, 3 parameter error, 5 illegal handle
			return fmt.Errorf("DBMS_LOCK.REQUEST returned %d", result.Int64)
		}
	}
}

// release releases the lock, even if ctx has ended; if this fails, the end of the
// session releases it.
func release(ctx context.Context, on client.Execer, id int64) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	var result sql.NullInt64
	_, err := on.ExecContext(ctx, releaseLock, sql.Named("out_result", sql.Out{Dest: &result}), sql.Named("in_id", id))
	if err == nil && result.Int64 != 0 {
		err = fmt.Errorf("DBMS_LOCK.RELEASE returned %d", result.Int64)
	}
	return err
}

// withInstallLock runs f while this session holds the schema's installation lock. The lock
// ends with the session, so a broken installer never leaves it behind.
func (s *scheduler) withInstallLock(ctx context.Context, wait time.Duration, f func(*sql.Conn) error) error {
	conn, err := s.DB.Conn(ctx)
	if err != nil {
		return s.Failed(ctx, "connecting", err)
	}
	defer conn.Close()
	id := lockID("installation", s.Schema())
	switch err := request(ctx, conn, id, wait); {
	case errors.Is(err, errTimeout):
		return &dialects.PreflightError{Target: s.Target(), Findings: []dialects.Finding{{
			Text: "another installation of schema " + s.Schema() + " is running, and did not end within " + wait.String(),
		}}}
	case err != nil:
		return s.Failed(ctx, "DBMS_LOCK.REQUEST", err)
	}
	defer func() { _ = release(ctx, conn, id) }()
	return f(conn)
}
