package supplied

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plsql"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/timezone"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Version and compatibility of the modeled engine.
const (
	version       = "19.0.0.0.0"
	compatibility = "19.0.0"
)

// Limits of V$SESSION's columns, in bytes.
const (
	moduleLimit     = 64
	actionLimit     = 64
	infoLimit       = 64
	identifierLimit = 64
)

// packageNamespace is the type of a package in GET_PACKAGE_MEMORY_UTILIZATION (inferred: OBJ$.TYPE# of one).
const packageNamespace = 9

var sessions = natives{
	"SET_IDENTIFIER": func(c *call) error {
		c.s.Supplied().Identifier = cut(c.text("CLIENT_ID"), identifierLimit)
		return nil
	},
	"CLEAR_IDENTIFIER": func(c *call) error {
		c.s.Supplied().Identifier = ""
		return nil
	},
	"SET_NLS": func(c *call) error {
		d, err := c.s.Prepare("ALTER SESSION SET " + c.text("PARAM") + " = " + c.text("VALUE"))
		if err == nil {
			_, err = d.Execute(nil)
		}
		return err
	},
	"UNIQUE_SESSION_ID": func(c *call) error {
		c.returnText(UniqueID(c.s.ID()))
		return nil
	},
	"IS_SESSION_ALIVE": func(c *call) error {
		var sid, serial int64
		id := c.text("UNIQUEID")
		if len(id) == len(UniqueID(0, 0)) {
			sid, _ = strconv.ParseInt(id[:4], 16, 64)
			serial, _ = strconv.ParseInt(id[4:8], 16, 64)
		}
		alive := UniqueID(int(sid), int(serial)) == id && c.s.Alive(int(sid), int(serial))
		c.Return(value.NewBool(alive))
		return nil
	},
	"SLEEP":                   func(c *call) error { return c.sleep(time.Hour) }, // at most 3600 seconds
	"RESET_PACKAGE":           func(*call) error { return sqlerr.NotSupported("DBMS_SESSION.RESET_PACKAGE") },
	"MODIFY_PACKAGE_STATE":    func(*call) error { return sqlerr.NotSupported("DBMS_SESSION.MODIFY_PACKAGE_STATE") },
	"FREE_UNUSED_USER_MEMORY": func(*call) error { return nil },
	// One element for each package: how its memory is divided is not documented, so all of it is used.
	"GET_PACKAGE_MEMORY_UTILIZATION": func(c *call) error {
		n := int64(0)
		for p := range c.s.Packages() {
			n++
			c.Collection("OWNER_ARRAY").Put(n, datatype.NewText(p.Spec.Owner))
			c.Collection("UNIT_ARRAY").Put(n, datatype.NewText(p.Spec.Name))
			c.Collection("TYPE_ARRAY").Put(n, value.NewInt(packageNamespace))
			c.Collection("USED_ARRAY").Put(n, value.NewInt(p.Memory()))
			c.Collection("FREE_ARRAY").Put(n, value.NewInt(0))
		}
		return nil
	},
}

// Tell records what an application says about itself with a call; nil: unchanged.
func (s *State) Tell(identifier, module, action, info *string) {
	for _, x := range []struct {
		to, from *string
		limit    int
	}{{&s.Identifier, identifier, identifierLimit}, {&s.Module, module, moduleLimit}, {&s.Action, action, actionLimit}, {&s.ClientInfo, info, infoLimit}} {
		if x.from != nil {
			*x.to = cut(*x.from, x.limit)
		}
	}
}

// UniqueID returns DBMS_SESSION.UNIQUE_SESSION_ID for a session: SID, serial number and instance.
func UniqueID(sid, serial int) string { return fmt.Sprintf("%04X%04X0001", sid, serial) }

var applicationInfo = natives{
	"SET_MODULE": func(c *call) error {
		s := c.s.Supplied()
		s.Module, s.Action = cut(c.text("MODULE_NAME"), moduleLimit), cut(c.text("ACTION_NAME"), actionLimit)
		return nil
	},
	"SET_ACTION": func(c *call) error {
		c.s.Supplied().Action = cut(c.text("ACTION_NAME"), actionLimit)
		return nil
	},
	"READ_MODULE": func(c *call) error {
		c.setText("MODULE_NAME", c.s.Supplied().Module)
		c.setText("ACTION_NAME", c.s.Supplied().Action)
		return nil
	},
	"SET_CLIENT_INFO": func(c *call) error {
		c.s.Supplied().ClientInfo = cut(c.text("CLIENT_INFO"), infoLimit)
		return nil
	},
	"READ_CLIENT_INFO": func(c *call) error {
		c.setText("CLIENT_INFO", c.s.Supplied().ClientInfo)
		return nil
	},
}

// cut returns the longest prefix of text with at most n bytes.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	end := 0
	for i := range s {
		if i > n {
			break
		}
		end = i
	}
	return s[:end]
}

// errorStackLimit is the maximum length of FORMAT_ERROR_STACK in bytes.
const errorStackLimit = 2000

var utilities = natives{
	"FORMAT_ERROR_STACK": func(c *call) error {
		if e := c.s.State().Handling(); e != nil {
			c.returnText(cut(plsql.ErrorStack(e), errorStackLimit))
		}
		return nil
	},
	"FORMAT_ERROR_BACKTRACE": func(c *call) error {
		if e := c.s.State().Handling(); e != nil {
			c.returnText(plsql.Backtrace(e))
		}
		return nil
	},
	// The hash function is not documented; this one distributes well and gives the same value for the same name.
	"GET_HASH_VALUE": func(c *call) error {
		base, size := c.whole("BASE"), c.whole("HASH_SIZE")
		if size < 1 || c.isNull("NAME") || c.isNull("BASE") {
			return sqlerr.NotSupported("DBMS_UTILITY.GET_HASH_VALUE(hash_size => %d) or of NULL", size)
		}
		h := fnv.New64a()
		h.Write([]byte(c.text("NAME")))
		sum := h.Sum64()
		sum ^= sum >> 32 // the low bits of FNV alone are poorly distributed
		c.returnInt(base + int64(sum%uint64(size)))
		return nil
	},
	// Hundredths of a second from an arbitrary point; the value wraps around as a signed number of 32 bits.
	"GET_TIME": func(c *call) error {
		c.returnInt(int64(int32(c.kernel().Now().UnixNano() / int64(10*time.Millisecond))))
		return nil
	},
	"NAME_TOKENIZE": nameTokenize,
	"GET_TZ_TRANSITIONS": func(c *call) error {
		l := timezone.ByNumber(int(c.whole("REGIONID")))
		if l == nil {
			return sqlerr.NotSupported("DBMS_UTILITY.GET_TZ_TRANSITIONS of a region without rules")
		}
		c.Set("TRANSITIONS", datatype.NewRaw(timezone.Transitions(l)))
		return nil
	},
	"IS_CLUSTER_DATABASE": func(c *call) error {
		c.Return(value.NewBool(false))
		return nil
	},
	"CURRENT_INSTANCE": func(c *call) error {
		c.returnInt(1)
		return nil
	},
	"DB_VERSION": func(c *call) error {
		c.setText("VERSION", version)
		c.setText("COMPATIBILITY", compatibility)
		return nil
	},
}

var transactions = natives{
	"LOCAL_TRANSACTION_ID": func(c *call) error {
		c.returnText(c.s.TransactionID(c.truth("CREATE_TRANSACTION")))
		return nil
	},
}
