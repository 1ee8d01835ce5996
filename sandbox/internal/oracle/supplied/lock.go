package supplied

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// DBMS_LOCK. Oracle's modes are those of table locks, and the store's intent modes have the same matrix
// (DBMS_LOCK, "Constants", "Lock Compatibility"; Concepts, "Manual Data Locks").

var locks = natives{
	"ALLOCATE_UNIQUE": allocateUnique,
	"REQUEST":         byID(requestLock), "REQUEST#2": byHandle(requestLock),
	"CONVERT": byID(convertLock), "CONVERT#2": byHandle(convertLock),
	"RELEASE": byID(releaseLock), "RELEASE#2": byHandle(releaseLock),
	"SLEEP": func(c *call) error { return c.sleep(math.MaxInt64) },
}

// What the functions return.
const (
	lockSuccess     = 0
	lockTimeout     = 1
	lockDeadlock    = 2
	lockParameter   = 3
	lockOwnership   = 4 // REQUEST: already owned; CONVERT, RELEASE: not owned
	lockHandle      = 5
	lockMaxWait     = 32767
	lockFirstUnique = 1073741824 // ids below are the users'
	lockLastUnique  = 1999999999
)

// lockMode returns the store's mode for Oracle's 1 to 6; false for another number. NL is held, but hinders nobody.
func lockMode(n int64) (store.LockMode, bool) {
	modes := [...]store.LockMode{store.SchS, store.IS, store.IX, store.S, store.SIX, store.X}
	if n < 1 || n > int64(len(modes)) {
		return store.NL, false
	}
	return modes[n-1], true
}

// userLock is a lock by its id, and who in the session owns it: the session, or a transaction if it was requested
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

// byID calls with the lock of a number that the user chose.
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

// byHandle calls with the lock of a handle that ALLOCATE_UNIQUE gave.
func byHandle(fn func(c *call, l userLock) (int64, error)) native {
	return func(c *call) error {
		h := c.text("LOCKHANDLE")
		id, _ := strconv.ParseInt(h[:min(10, len(h))], 10, 64) // 0 if it is no number
		if id < lockFirstUnique || id > lockLastUnique || handle(id) != h {
			c.returnInt(lockHandle)
			return nil
		}
		n, err := fn(c, c.userLock(id))
		c.returnInt(n)
		return err
	}
}

// handle is a lock handle: the id twice and a check on it.
func handle(id int64) string { return fmt.Sprintf("%d%d%d", id, id, id%191) }

// allocateUnique gives the handle of a name, and commits. Names never expire here: their ids would be used again only
// after lockLastUnique, and expiration is at least the ten days of its default for who does not ask for less.
func allocateUnique(c *call) error {
	name, in := c.text("LOCKNAME"), c.s.Shared()
	if name == "" || len(name) > 128 {
		return message.ORA(20000, fmt.Sprintf("ORU-10003: Unable to find or insert lock %s into catalog dbms_lock_allocated.", name))
	}
	id, ok := in.lockNames[name]
	if !ok {
		if in.lockNames == nil {
			in.lockNames = map[string]int64{}
		}
		id = lockFirstUnique + int64(len(in.lockNames))
		in.lockNames[name] = id
	}
	c.setText("LOCKHANDLE", handle(id))
	return c.s.Commit(&ast.Commit{})
}

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
	return c.lock(l, mode)
}

// lock takes or converts a lock.
func (c *call) lock(l userLock, mode store.LockMode) (int64, error) {
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

// convertLock changes the mode: to a higher one it may have to wait, for which the store holds what both give.
func convertLock(c *call, l userLock) (int64, error) {
	mode, ok := lockMode(c.whole("LOCKMODE"))
	if !ok || c.isNull("TIMEOUT") || c.whole("TIMEOUT") < 0 {
		return lockParameter, nil
	}
	if l.owner == nil {
		return lockOwnership, nil
	}
	st := c.s.StoreSession().Store()
	if !st.ModeHeld(l.owner, l.Resource).Covers(mode) {
		if n, err := c.lock(l, mode); n != lockSuccess || err != nil {
			return n, err
		}
	}
	st.Downgrade(l.owner, l.Resource, mode)
	return lockSuccess, nil
}

func releaseLock(c *call, l userLock) (int64, error) {
	if l.owner == nil {
		return lockOwnership, nil
	}
	c.s.StoreSession().Store().Unlock(l.owner, l.Resource, true)
	return lockSuccess, nil
}
