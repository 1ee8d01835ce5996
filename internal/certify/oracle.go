package certify

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/sijms/go-ora/v2/network"
)

// oraclePrefix begins the names of all that the probes make. The table CERTIFY_MARK is there from the first statement to the last.
const oraclePrefix = "CERTIFY_"

// oracleUsers begins the names of users that invasive probes make. The number of the mark follows, which no other object of the database has.
const oracleUsers = oraclePrefix + "PROBE_"

func oracleEngine() *engine {
	return &engine{
		makes:    "dbsched and objects " + oraclePrefix + "... in your schema",
		make:     "create table certify_mark (started_at timestamp default systimestamp)",
		mark:     "CERTIFY_MARK",
		inTheWay: oracleInTheWay,
		left:     oracleLeft,
		probes: slices.Concat(oracleEnds(), oracleUnits(), oracleJobs(), oracleTasks(), oracleStops(), oracleQueues(), oracleCommits(), oracleInvasive(), // the longest first
			oracleSites(), rules(oracleWords()), oracleElsewhere()),
		server: oracleServer,
		alive:  "lock table certify_mark in exclusive mode wait 5", // a session that was killed may be just ending
		taken:  func(err error) bool { return oracleIs(err, 955) },
		held:   func(err error) bool { return oracleIs(err, 54, 30006) },
		why:    oracleWhy,
		limits: oracleLimits,
		say:    oracleWords(),
	}
}

// oracleIs reports whether an error has one of some numbers.
func oracleIs(err error, codes ...int) bool {
	e, ok := errors.AsType[*network.OracleError](err)
	return ok && slices.Contains(codes, e.ErrCode)
}

// oracleAbsent is raised by what ends a worker, if that is not a session of this instance.
const oracleAbsent = 20999

// oracleUnseen are the errors of a block that could not be compiled because a right is missing: Oracle does not tell it from what does not exist.
var oracleUnseen = regexp.MustCompile(`PLS-00201|PLS-00904|ORA-00942|ORA-01031|ORA-41900|ORA-41904`)

// oracleWhy names an error by its number.
func oracleWhy(err error) string {
	e, ok := errors.AsType[*network.OracleError](err)
	switch {
	case errors.Is(err, errLate):
		return errLate.Error()
	case !ok:
		return "the connection failed"
	case e.ErrCode == oracleAbsent:
		return "the worker runs on another instance"
	case e.ErrCode == 2391:
		return "the profile allows too few sessions (SESSIONS_PER_USER)"
	case slices.Contains([]int{18, 20, 12516, 12519, 12520}, e.ErrCode):
		return "the database has no more sessions"
	case slices.Contains([]int{942, 1031, 27486, 41900, 41904}, e.ErrCode) || e.ErrCode == 6550 && oracleUnseen.MatchString(e.ErrMsg):
		return fmt.Sprintf("a right is missing (ORA-%05d)", e.ErrCode)
	}
	return fmt.Sprintf("ORA-%05d", e.ErrCode)
}

// oracleAnswer returns the number of the server's error as an answer. Other errors, such as a lost connection, are none.
func oracleAnswer(err error) (string, error) {
	if err == nil {
		return "no error", nil
	}
	if e, ok := errors.AsType[*network.OracleError](err); ok {
		return fmt.Sprintf("ORA-%05d", e.ErrCode), nil
	}
	return "", err
}

// oracleSession opens a session and runs texts in it.
func (b *bed) oracleSession(ctx context.Context, texts ...string) (*session, error) {
	s, err := b.session(ctx)
	if err != nil {
		return nil, err
	}
	return s, s.exec(ctx, texts...)
}

// oracleNeed fails if a right of the system is missing, before a probe makes what it could not remove.
func (s *session) oracleNeed(ctx context.Context, rights ...string) error {
	has, err := s.values(ctx, "select p.privilege from session_privs p where p.privilege in ('"+strings.Join(rights, "', '")+"')")
	if err != nil {
		return err
	}
	lacks := slices.DeleteFunc(slices.Clone(rights), func(right string) bool { return slices.Contains(has, right) })
	if len(lacks) > 0 {
		return untried("a right is missing: " + strings.Join(lacks, ", "))
	}
	return nil
}

// oracleSees fails if the user may not read views.
func (s *session) oracleSees(ctx context.Context, views ...string) error {
	var lacks []string
	for _, view := range views {
		_, err := s.values(ctx, "select 1 from "+view+" where 1 = 0")
		seen, err := oracleAnswer(err)
		switch {
		case err != nil:
			return err
		case seen != "no error":
			lacks = append(lacks, "SELECT on SYS."+strings.Replace(view, "V$", "V_$", 1))
		}
	}
	if len(lacks) > 0 {
		return untried("a right is missing: " + strings.Join(lacks, ", "))
	}
	return nil
}

// oracleLiteral returns a text as a literal.
func oracleLiteral(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
