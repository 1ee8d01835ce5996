package certify

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/dbsched/dbsched/dialects"
)

// bed is what one probe works with.
type bed struct {
	*place
	probe Probe
	own   dialects.Scheduler
	open  []*session
	pools []*sql.DB
}

func (b *bed) close() {
	if b.own != nil {
		_ = b.own.Close()
	}
	for _, s := range b.open {
		_ = s.conn.Close()
	}
	for _, db := range b.pools {
		_ = db.Close()
	}
}

// session is a client of its own.
type session struct {
	conn *sql.Conn
}

// session opens one; it ends with the probe.
func (b *bed) session(ctx context.Context) (*session, error) {
	db, err := b.on.Dialect.OpenDB(ctx, b.on.Target)
	if err != nil {
		return nil, err
	}
	b.pools = append(b.pools, db)
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	s := &session{conn}
	b.open = append(b.open, s)
	return s, nil
}

// exec runs texts one after the other.
func (s *session) exec(ctx context.Context, texts ...string) error {
	for _, text := range texts {
		if _, err := s.conn.ExecContext(ctx, text); err != nil {
			return err
		}
	}
	return nil
}

// value returns the first column of the only row.
func (s *session) value(ctx context.Context, query string) (string, error) {
	all, err := rows(ctx, s.conn, query)
	if err != nil {
		return "", err
	}
	if len(all) != 1 {
		return "", fmt.Errorf("%d rows instead of one", len(all))
	}
	return all[0][0], nil
}

// values returns the first column.
func (s *session) values(ctx context.Context, query string) ([]string, error) {
	return column(ctx, s.conn, query)
}

// errLate is a wait that took too long.
var errLate = fmt.Errorf("it took too long")

// until waits until a condition holds.
func until(ctx context.Context, most time.Duration, holds func() (bool, error)) error {
	for pause, waited := 20*time.Millisecond, time.Duration(0); ; pause = min(2*pause, 500*time.Millisecond) {
		if ok, err := holds(); ok || err != nil {
			return err
		}
		if waited >= most {
			return errLate
		}
		waited += pause
		if err := sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// sleep waits, or until ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// dbsched is the scratch installation, through a connection of the probe's own: others do not wait for what it waits for.
func (b *bed) dbsched(ctx context.Context) (_ dialects.Scheduler, err error) {
	if b.own == nil {
		b.own, err = b.on.Dialect.Open(ctx, b.on.Target)
	}
	return b.own, err
}

func late(err error) error {
	if err != nil {
		return err
	}
	return errLate
}

// disconnected reports whether an error is that of a connection.
func disconnected(err error) bool {
	_, network := errors.AsType[net.Error](err)
	_, connect := errors.AsType[*dialects.ConnectError](err)
	return network || connect || errors.Is(err, driver.ErrBadConn) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
}
