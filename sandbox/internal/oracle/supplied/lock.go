package supplied

import (
	"errors"
	"math"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// DBMS_LOCK. Oracle's modes are those of table locks, and the store's intent modes have the same matrix
// (DBMS_LOCK, "Constants", "Lock Compatibility"; Concepts, "Manual Data Locks").

var locks = natives{
	"REQUEST": byID(requestLock), "REQUEST#2": byHandle,
	"RELEASE": byID(releaseLock), "RELEASE#2": byHandle,
	"SLEEP": func(c *call) error { return c.sleep(math.MaxInt64) },
}

// What the functions return.
const (
	lockSuccess     = 0
	lockTimeout     = 1
	lockDeadlock    = 2
	lockParameter   = 3
	lockOwnership   = 4 // REQUEST: already owned; RELEASE: not owned
	lockMaxWait     = 32767
	lockFirstUnique = 1073741824 // lower ids are chosen by users, others by ALLOCATE_UNIQUE
)

// lockMode returns the store's mode for Oracle's 1 to 6; false for another number. NL is held but blocks nobody.
func lockMode(n int64) (store.LockMode, bool) {
	modes := [...]store.LockMode{store.SchS, store.IS, store.IX, store.S, store.SIX, store.X}
	if n < 1 || n > int64(len(modes)) {
		return store.NL, false
	}
	return modes[n-1], true
}

// userLock is a lock by its id, and its owner: the session, or a transaction if it was requested
// with release_on_commit.
type userLock struct {
	store.Resource
	owner *store.Owner // nil: not owned
}

func (c *call) userLock(id int64) userLock {
	l := userLock{Resource: store.Resource{Class: store.Application, Object: id}}
	st := c.s.StoreSession()
	for _, o := range []*store.Owner{st.Owner(), c.s.Txn().Owner()} {
		if l.owner == nil && st.Store().ModeHeld(o, l.Resource) != store.NL {
			l.owner = o
		}
	}
	return l
}

// byID calls fn with the lock that has a user-chosen id.
func byID(fn func(c *call, l userLock) (int64, error)) native {
	return func(c *call) error {
		id := c.whole("ID")
		if c.isNull("ID") || id < 0 || id >= lockFirstUnique {
			c.returnInt(lockParameter)
			return nil
		}
		n, err := fn(c, c.userLock(id))
		c.returnInt(n)
		return err
	}
}

// byHandle refuses a handle from ALLOCATE_UNIQUE, which nobody can have here.
func byHandle(*call) error { return sqlerr.NotSupported("lock handles; use a number") }

func requestLock(c *call, l userLock) (int64, error) {
	mode, ok := lockMode(c.whole("LOCKMODE"))
	if !ok || c.isNull("TIMEOUT") || c.whole("TIMEOUT") < 0 {
		return lockParameter, nil
	}
	if l.owner != nil {
		return lockOwnership, nil
	}
	l.owner = c.s.StoreSession().Owner()
	if c.truth("RELEASE_ON_COMMIT") {
		l.owner = c.s.Txn().Owner()
	}
	wait := store.LockWait{For: seconds(c.Arg("TIMEOUT")), Demand: true}
	if c.whole("TIMEOUT") >= lockMaxWait {
		wait = store.LockWait{For: -1}
	}
	err := c.s.StoreSession().Store().Lock(l.owner, l.Resource, mode, wait)
	if _, ok := errors.AsType[*store.LockTimeout](err); ok {
		return lockTimeout, nil
	}
	if _, ok := errors.AsType[*store.Deadlock](err); ok {
		return lockDeadlock, nil
	}
	if err != nil {
		return 0, failure(err)
	}
	return lockSuccess, nil
}

func releaseLock(c *call, l userLock) (int64, error) {
	if l.owner == nil {
		return lockOwnership, nil
	}
	c.s.StoreSession().Store().Unlock(l.owner, l.Resource, true)
	return lockSuccess, nil
}
