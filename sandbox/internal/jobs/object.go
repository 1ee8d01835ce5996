package jobs

import (
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// Kind is a kind of Scheduler object other than a job.
type Kind string

// The kinds.
const (
	KindProgram  Kind = "PROGRAM"
	KindSchedule Kind = "SCHEDULE"
	KindChain    Kind = "CHAIN"
)

// Object is a program, a named schedule or a chain. No run of a chain is modeled: only what the views show about it.
type Object struct {
	Kind                  Kind
	Owner, Name, Comments string
	Enabled               bool // not for a schedule
	Number                int64
	Type, Action          string    // of a program
	Start, End            time.Time // of a schedule
	Repeat                string
	Steps                 []ChainStep
	Rules                 []ChainRule
}

// ChainStep is a step of a chain.
type ChainStep struct{ Name, ProgramOwner, Program string }

// ChainRule is a rule of a chain.
type ChainRule struct{ Name, Condition, Action, Comments string }

// Objects returns the programs, schedules and chains in the order of their creation; only one owner's if owner is not empty.
func (s *Scheduler) Objects(owner string) iter.Seq[*Object] {
	return owned(s.objects, owner, func(o *Object) string { return o.Owner })
}

// Object finds a program, schedule or chain; nil if there is none.
func (s *Scheduler) Object(owner, name string) *Object {
	for _, o := range s.objects {
		if o.Owner == owner && o.Name == name {
			return o
		}
	}
	return nil
}

// CreateObject creates a program, schedule or chain. Errors: 27412, 27465; the caller's Commit.
func (s *Scheduler) CreateObject(c Caller, o Object) error {
	if err := c.Commit(); err != nil {
		return err
	}
	switch o.Type {
	case TypeBlock, TypeProcedure, "":
	case "EXECUTABLE", "SQL_SCRIPT", "BACKUP_SCRIPT", "EXTERNAL_SCRIPT":
		return sqlerr.NotSupported("program type %s", o.Type)
	default:
		return message.ORA(27465, o.Type, "PROGRAM_TYPE")
	}
	if o.Repeat != "" {
		if _, err := parseCalendar(o.Repeat); err != nil {
			return err
		}
	}
	s.made++
	o.Number = s.made
	s.objects = append(s.objects, &o)
	return nil
}

// DefineStep adds a step to a chain. Error: 27476; the caller's Commit.
func (s *Scheduler) DefineStep(c Caller, owner, name string, st ChainStep) error {
	return s.change(c, owner, name, func(o *Object) error {
		if slices.ContainsFunc(o.Steps, func(x ChainStep) bool { return x.Name == st.Name }) {
			return sqlerr.NotSupported("DEFINE_CHAIN_STEP of a step that is there")
		}
		o.Steps = append(o.Steps, st)
		return nil
	})
}

// DefineRule adds a rule to a chain; one without a name gets one. Error: 27476; the caller's Commit.
func (s *Scheduler) DefineRule(c Caller, owner, name string, r ChainRule) error {
	return s.change(c, owner, name, func(o *Object) error {
		if slices.ContainsFunc(o.Rules, func(x ChainRule) bool { return x.Name == r.Name }) {
			return sqlerr.NotSupported("DEFINE_CHAIN_RULE of a rule that is there")
		}
		if r.Name == "" {
			s.made++
			r.Name = fmt.Sprintf("SCHED_RULE$%d", s.made)
		}
		o.Rules = append(o.Rules, r)
		return nil
	})
}

// change changes a chain.
func (s *Scheduler) change(c Caller, owner, name string, fn func(*Object) error) error {
	if err := c.Commit(); err != nil {
		return err
	}
	o := s.Object(owner, name)
	if o == nil || o.Kind != KindChain {
		return errMissing(owner, name)
	}
	return fn(o)
}

// enableObject enables or disables a program or chain; false if there is none with that name. The caller has committed.
func (s *Scheduler) enableObject(owner, name string, enabled bool) (bool, error) {
	o := s.Object(owner, name)
	switch {
	case o == nil:
		return false, nil
	case o.Kind == KindSchedule:
		return true, sqlerr.NotSupported("ENABLE or DISABLE of a schedule")
	case !enabled && slices.ContainsFunc(s.jobs, func(j *job) bool { return j.ProgramOwner == owner && j.Program == name }):
		return true, sqlerr.NotSupported("DISABLE of a program that jobs have")
	}
	o.Enabled = enabled
	return true, nil
}

// resolve looks up what a job refers to. It refuses what does not exist or is not enabled.
func (s *Scheduler) resolve(spec *Spec) error {
	missing := sqlerr.NotSupported("a job of a program, schedule or chain that does not exist or is disabled")
	if spec.Program != "" {
		p := s.Object(spec.ProgramOwner, spec.Program)
		if p == nil || p.Kind != KindProgram || !p.Enabled {
			return missing
		}
		spec.Type, spec.Action = p.Type, p.Action
	}
	if spec.Schedule != "" {
		p := s.Object(spec.ScheduleOwner, spec.Schedule)
		if p == nil || p.Kind != KindSchedule {
			return missing
		}
		spec.Start, spec.Repeat, spec.End = p.Start, p.Repeat, p.End
	}
	if spec.Type == TypeChain {
		p := s.Object(spec.ChainOwner, spec.Chain)
		if p == nil || p.Kind != KindChain || !p.Enabled {
			return missing
		}
	}
	return nil
}
