// Package differ names what a real engine may do otherwise than the sandbox: the alternatives of docs/live.md. A sandbox that differs shows
// what dbsched makes of them.
package differ

import (
	"fmt"
	"slices"
)

// Difference is one alternative. sandbox.Options.Differ lists those that a sandbox chooses.
type Difference string

// SQL Server. Each comment says what happens instead of what docs/live.md assumes.
const (
	RevertGoesTooFar Difference = "revert-goes-too-far" // REVERT in dynamic SQL ends the EXECUTE AS of the procedures that called it
	RevertUnnoticed  Difference = "revert-unnoticed"    // … until the procedure ends that runs the dynamic SQL

	ActivationReusesSession Difference = "activation-reuses-session" // the next activation of a queue has the same @@SPID and login_time, and is clean
	ActivationKeepsState    Difference = "activation-keeps-state"    // … and has the SESSION_CONTEXT and CONTEXT_INFO that the last one left

	KillRefused                     Difference = "kill-refused"                       // KILL of an activated procedure's session is error 6107
	KillUnheeded                    Difference = "kill-unheeded"                      // … succeeds, and the session goes on
	NeedsNoAlterAnyConnection       Difference = "needs-no-alter-any-connection"      // the kill script's certificate does without this right
	NeedsNoViewServerState          Difference = "needs-no-view-server-state"         // … without this
	NeedsNoAuthenticateServer       Difference = "needs-no-authenticate-server"       // … without this
	KillNeedsMore                   Difference = "kill-needs-more"                    // a certificate has rights on the server only with CONTROL SERVER
	SignatureVouchesForNobody       Difference = "signature-vouches-for-nobody"       // the user of a signed module gets 916 in other databases
	SignatureVouchesForAnother      Difference = "signature-vouches-for-another"      // so does not whom such a user's task switches to
	TokenWithoutLogin               Difference = "token-without-login"                // sys.login_token of an impersonated user lacks the login
	TokenWithoutServerRights        Difference = "token-without-server-rights"        // an impersonated user sees neither roles nor permissions of the login
	GuestsEnter                     Difference = "guests-enter"                       // impersonated users are guests of master and tempdb
	StartJobRaises                  Difference = "start-job-raises"                   // TRY catches what sp_start_job is refused with
	StartJobSucceeds                Difference = "start-job-succeeds"                 // a refused sp_start_job returns 0 without a message
	BrokerInUse5061                 Difference = "broker-in-use-5061"                 // ENABLE_BROKER WITH NO_WAIT in a used database is error 5061
	BrokerInUse5064                 Difference = "broker-in-use-5064"                 // … is error 5064
	BrokerInUse5030                 Difference = "broker-in-use-5030"                 // … is error 5030
	BrokerInUseSucceeds             Difference = "broker-in-use-succeeds"             // … succeeds
	ImplicitTransactionsCount       Difference = "implicit-transactions-count"        // 266 also if IMPLICIT_TRANSACTIONS began the transaction, but not where XACT_ABORT is ON
	ImplicitTransactionsCountAlways Difference = "implicit-transactions-count-always" // … also there
	ActivationHasDatabaseOptions    Difference = "activation-has-database-options"    // activated sessions begin with the SET options of the database: those that sessions set are OFF
	ReadersOneByOne                 Difference = "readers-one-by-one"                 // the instance starts one queue reader every 300 ms
	QuotedIdentifierOfCaller        Difference = "quoted-identifier-of-caller"        // procedures run with the caller's QUOTED_IDENTIFIER
	TimerLost                       Difference = "timer-lost"                         // a timer that fires while its queue is off is not delivered
	ReadpastWaits                   Difference = "readpast-waits"                     // READPAST waits for locked rows
	ReadpastReads                   Difference = "readpast-reads"                     // … reads them, as they were changed
	TasksWithoutTables              Difference = "tasks-without-tables"               // impersonated users get 916 for #tables
	MirroringSeen                   Difference = "mirroring-seen"                     // everybody sees the mirroring_guid of the current database
	PermissionsByOwnership          Difference = "permissions-by-ownership"           // HAS_PERMS_BY_NAME in a procedure returns 1 for objects of its owner
	PermissionsDenied               Difference = "permissions-denied"                 // HAS_PERMS_BY_NAME after EXECUTE AS returns 0 for every object
	UsersSeeNoGroup                 Difference = "users-see-no-group"                 // impersonated users see no group_database_id in sys.databases
)

// Oracle.
const (
	RunRefusesDisabled   Difference = "run-refuses-disabled"    // RUN_JOB of a disabled job is ORA-27492
	DisabledJobsVanish   Difference = "disabled-jobs-vanish"    // RUN_JOB of a disabled job drops it, in spite of auto_drop => FALSE
	DisabledJobsStay     Difference = "disabled-jobs-stay"      // RUN_JOB of a disabled job does not drop it, in spite of auto_drop => TRUE
	DisabledJobsRunOnce  Difference = "disabled-jobs-run-once"  // RUN_JOB of a disabled job that has run does nothing
	UnknownJob27476      Difference = "unknown-job-27476"       // every call for a job that does not exist is ORA-27476
	UnknownJob27452      Difference = "unknown-job-27452"       // … is ORA-27452
	UnknownJobSucceeds   Difference = "unknown-job-succeeds"    // DROP_JOB of a job that does not exist succeeds
	StopIdle27475        Difference = "stop-idle-27475"         // STOP_JOB of a job that does not run is ORA-27475
	StopIdleSucceeds     Difference = "stop-idle-succeeds"      // … succeeds
	UnknownQueue4043     Difference = "unknown-queue-4043"      // every call for a queue or queue table that does not exist is ORA-04043
	UnknownQueueSucceeds Difference = "unknown-queue-succeeds"  // DROP_QUEUE_TABLE of a queue table that does not exist succeeds
	WakesLate            Difference = "wakes-late"              // a message wakes sessions that wait in DEQUEUE fifteen seconds after its commit
	WakesVeryLate        Difference = "wakes-very-late"         // … thirty seconds after it
	BreaksAreHandled     Difference = "breaks-are-handled"      // exception handlers catch ORA-01013
	HandledStopsFail     Difference = "handled-stops-fail"      // … and the run of a job that was stopped is FAILED
	HandledStopsStop     Difference = "handled-stops-stop"      // … and the run of a job that was stopped is STOPPED
	StopsFail            Difference = "stops-fail"              // the run of a job that was stopped is FAILED
	StopsTooLate         Difference = "stops-too-late"          // STOP_JOB without force is ORA-27365, and the job runs on
	ParseDefersDDL       Difference = "parse-defers-ddl"        // DBMS_SQL.PARSE does not execute DDL, EXECUTE does
	ParseRefusesDDL      Difference = "parse-refuses-ddl"       // DBMS_SQL.PARSE of DDL is ORA-00900
	EvaluateCommits      Difference = "evaluate-commits"        // EVALUATE_CALENDAR_STRING commits
	RunReusesSession     Difference = "run-reuses-session"      // the next run of a job has the same session id and serial number, and is clean
	RunKeepsState        Difference = "run-keeps-state"         // … and has the state of packages that the last one left
	ModulesSpread        Difference = "modules-spread"          // the session of a job begins with the module that another such session has
	KilledLingers        Difference = "killed-lingers"          // a killed session ends after a minute
	KilledSeemsAlive     Difference = "killed-seems-alive"      // IS_SESSION_ALIVE is TRUE for sessions that were killed
	WaitDoesNotWait      Difference = "wait-does-not-wait"      // COMMIT WRITE IMMEDIATE WAIT does not wait for the log
	PlainCommitsWait     Difference = "plain-commits-wait"      // COMMIT in PL/SQL waits for the log
	RunningJob27477      Difference = "running-job-27477"       // RUN_JOB of a running job is ORA-27477
	RunningJobIgnored    Difference = "running-job-ignored"     // … succeeds, and orders no run
	RunningJobWaits      Difference = "running-job-waits"       // … succeeds, and the job runs again afterwards
	RepeatsLate          Difference = "repeats-late"            // a repeating job whose run succeeded starts again five minutes late
	RepeatsSlowly        Difference = "repeats-slowly"          // … half a minute late
	UserIDsStay          Difference = "user-ids-stay"           // a user that is dropped and created again has the same USER_ID
	Release21            Difference = "release-21"              // the release is 21c, which has CON_ID_TO_GUID
	Release21AnotherGUID Difference = "release-21-another-guid" // … it returns something else than V$PDBS
	Release21NoGUID      Difference = "release-21-no-guid"      // … nobody may call it
	CallersNeedExecute   Difference = "callers-need-execute"    // who runs a unit with AUTHID CURRENT_USER needs EXECUTE on the units that it calls
	NobodyInherits       Difference = "nobody-inherits"         // PUBLIC has no INHERIT PRIVILEGES on users
	CastKeepsFractions   Difference = "cast-keeps-fractions"    // CAST(x AS TIMESTAMP(0)) in PL/SQL returns x
	CastCutsFractions    Difference = "cast-cuts-fractions"     // … cuts fractions of a second off
	DDLIgnoresBreaks     Difference = "ddl-ignores-breaks"      // DDL that waits for a unit in use does not notice a break
	CallsPassDDL         Difference = "calls-pass-ddl"          // calls of a unit do not wait for DDL that waits for it
	DDLReplacesInUse     Difference = "ddl-replaces-in-use"     // DDL does not wait for units in use
)

// Set is what a sandbox does otherwise.
type Set map[Difference]bool

// Of returns all differences that an engine may have.
func Of(dialect string) []Difference {
	if dialect == "oracle" {
		return []Difference{
			RunRefusesDisabled, DisabledJobsVanish, DisabledJobsStay, DisabledJobsRunOnce, UnknownJob27476, UnknownJob27452, UnknownJobSucceeds, StopIdle27475, StopIdleSucceeds, UnknownQueue4043, UnknownQueueSucceeds,
			WakesLate, WakesVeryLate, BreaksAreHandled, HandledStopsFail, HandledStopsStop, StopsFail, StopsTooLate, ParseDefersDDL, ParseRefusesDDL, ModulesSpread, CallersNeedExecute, NobodyInherits,
			CastKeepsFractions, CastCutsFractions, RunningJobWaits, RepeatsSlowly, Release21, Release21AnotherGUID, Release21NoGUID,
			EvaluateCommits, RunReusesSession, RunKeepsState, KilledLingers, KilledSeemsAlive, WaitDoesNotWait, PlainCommitsWait, RunningJob27477, RunningJobIgnored,
			RepeatsLate, UserIDsStay, DDLIgnoresBreaks, CallsPassDDL, DDLReplacesInUse,
		}
	}
	return []Difference{
		RevertGoesTooFar, RevertUnnoticed, ActivationReusesSession, ActivationKeepsState, KillRefused, KillUnheeded, NeedsNoAlterAnyConnection, NeedsNoViewServerState,
		NeedsNoAuthenticateServer, KillNeedsMore, SignatureVouchesForNobody, SignatureVouchesForAnother, TokenWithoutLogin, TokenWithoutServerRights, GuestsEnter, StartJobRaises,
		StartJobSucceeds, BrokerInUse5061, BrokerInUse5064, BrokerInUse5030, BrokerInUseSucceeds, ImplicitTransactionsCount, ImplicitTransactionsCountAlways, ActivationHasDatabaseOptions, ReadersOneByOne, QuotedIdentifierOfCaller,
		TimerLost, ReadpastWaits, ReadpastReads, TasksWithoutTables, MirroringSeen, PermissionsByOwnership, PermissionsDenied, UsersSeeNoGroup,
	}
}

// New returns a set. It refuses what is not one of the engine's differences.
func New(dialect string, list []Difference) (Set, error) {
	s := Set{}
	for _, d := range list {
		if !slices.Contains(Of(dialect), d) {
			return nil, fmt.Errorf("sandbox: no difference of %s is called %q", dialect, d)
		}
		s[d] = true
	}
	return s, nil
}
