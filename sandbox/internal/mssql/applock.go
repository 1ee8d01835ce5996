package mssql

import (
	"cmp"
	"errors"
	"strings"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Application locks (learn.microsoft.com, "sp_getapplock (Transact-SQL)", "sp_releaseapplock", "APPLOCK_TEST", "APPLOCK_MODE").

// lockModes are the modes of application locks.
var lockModes = []struct {
	name string
	mode store.LockMode
}{
	{"IntentShared", store.IS}, {"Shared", store.S}, {"Update", store.U},
	{"IntentExclusive", store.IX}, {"Exclusive", store.X},
}

func lockModeNamed(name string) (store.LockMode, bool) {
	for _, m := range lockModes {
		if strings.EqualFold(m.name, name) {
			return m.mode, true
		}
	}
	return 0, false
}

func lockModeName(m store.LockMode) string {
	for _, l := range lockModes {
		if l.mode == m {
			return l.name
		}
	}
	switch m {
	case store.SIX:
		return "SharedIntentExclusive"
	case store.UIX:
		return "UpdateIntentExclusive"
	}
	return "NoLock"
}

// appLock is an application lock as its parameters identify it.
type appLock struct {
	resource store.Resource
	owner    *store.Owner // nil: owned by the transaction, and there is none
	session  bool
}

// appLock finds resource and owner. Resource names are compared in binary and cut off at 255 characters.
func (s *Session) appLock(name, owner, principal string) (appLock, error) {
	principal = cmp.Or(principal, "public")
	p := s.db.PrincipalByName(principal)
	tok, err := s.who.TokenIn(s.db)
	if err != nil {
		return appLock{}, err
	}
	if p == nil {
		return appLock{}, message.MS(15151, "find", "user", principal)
	}
	if !tok.Dbo && !tok.Is(catalog.RoleOwner) && !tok.Is(p.ID) && p.ID != catalog.PublicRole {
		return appLock{}, message.MS(15151, "find", "user", principal)
	}
	if r := []rune(name); len(r) > 255 {
		name = string(r[:255])
	}
	l := appLock{resource: store.Resource{Class: store.Application, DB: int64(s.db.ID), Object: int64(p.ID), Key: name}}
	switch {
	case strings.EqualFold(owner, "Session"):
		l.owner, l.session = s.st.Owner(), true
	case owner == "" || strings.EqualFold(owner, "Transaction"):
		if s.tran.Count > 0 {
			l.owner = s.tran.Tx.Owner()
		}
	default:
		return l, message.MS(1226, "sp_getapplock")
	}
	return l, nil
}

func (s *Session) getAppLock(_ *frame, p procedureCall) (int64, error) {
	mode, ok := lockModeNamed(p.text("@LockMode"))
	l, err := s.appLock(p.text("@Resource"), p.text("@LockOwner"), p.text("@DbPrincipal"))
	if err != nil || !ok || p.isNull("@Resource") {
		if err == nil {
			err = message.MS(1224, "sp_getapplock")
			if !ok {
				err = message.MS(1228, "@LockMode")
			}
		}
		return -999, err
	}
	if l.owner == nil {
		return -999, message.MS(1225, "sp_getapplock")
	}
	wait := s.st.LockTimeout
	if !p.isNull("@LockTimeout") {
		ms := p.int("@LockTimeout")
		wait = time.Duration(ms) * time.Millisecond
		if ms < 0 {
			wait = -1
		}
	}
	waits := s.st.Counters.LockWaits
	err = s.srv.store.Lock(l.owner, l.resource, mode, store.LockWait{For: wait, Demand: true})
	var timeout *store.LockTimeout
	var deadlock *store.Deadlock
	switch {
	case errors.As(err, &timeout):
		return -1, nil
	case errors.As(err, &deadlock):
		return -3, nil // it does not roll back
	case errors.Is(err, store.ErrInterrupted):
		return -2, err
	case err != nil:
		return -999, err
	case s.st.Counters.LockWaits > waits:
		return 1, nil
	}
	return 0, nil
}

func (s *Session) releaseAppLock(_ *frame, p procedureCall) (int64, error) {
	l, err := s.appLock(p.text("@Resource"), p.text("@LockOwner"), p.text("@DbPrincipal"))
	if err != nil {
		return -999, err
	}
	if l.owner == nil {
		return -999, message.MS(1225, "sp_releaseapplock")
	}
	if !s.srv.store.Unlock(l.owner, l.resource, false) {
		return -999, message.MS(1223, principalOr(p.text("@DbPrincipal")), p.text("@Resource"))
	}
	return 0, nil
}

func principalOr(name string) string {
	if name == "" {
		return "public"
	}
	return name
}

// appLockTest is APPLOCK_TEST(principal, resource, mode, owner): 1 when the lock could be granted now.
func (s *Session) appLockTest(args []value.Value) value.Value {
	mode, ok := lockModeNamed(textOf(args[2]))
	if !ok {
		panic(message.MS(1228, "lock_mode"))
	}
	l := query.Must(s.appLock(textOf(args[1]), textOf(args[3]), textOf(args[0])))
	if l.owner == nil {
		query.Check(message.MS(1225, "APPLOCK_TEST"))
		return value.Value{}
	}
	if s.srv.store.Compatible(l.owner, l.resource, mode) {
		return value.NewInt(1)
	}
	return value.NewInt(0)
}

// appLockMode is APPLOCK_MODE(principal, resource, owner): the mode that the session itself holds.
func (s *Session) appLockMode(args []value.Value) value.Value {
	l := query.Must(s.appLock(textOf(args[1]), textOf(args[2]), textOf(args[0])))
	if l.owner == nil {
		query.Check(message.MS(1225, "APPLOCK_MODE"))
		return value.Value{}
	}
	return value.NewString(lockModeName(s.srv.store.ModeHeld(l.owner, l.resource)))
}

// nvarchar is the type of names.
func nvarchar(n int32) datatype.Type { return datatype.Type{ID: datatype.NVarChar, Len: n} }
