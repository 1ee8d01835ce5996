package templates

import "fmt"

// setOptions begin every procedure that owns its transactions: what the
// filtered indexes need (error 1934 without), no surprise from the caller's
// session, and the only isolation level under which READPAST works. Private
// procedures called only by those inherit them: what a callee or
// a task sets is undone when it returns (SET Statements, Remarks).
const setOptions = `    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET IMPLICIT_TRANSACTIONS, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;`

// taskOptions are what tasks get, whatever session runs TaskScheduler. What a task sets ends with it.
const taskOptions = `    SET LOCK_TIMEOUT -1;
    SET DEADLOCK_PRIORITY NORMAL;
    IF @@LANGUAGE <> N'us_english' -- its message would go to the error log
        SET LANGUAGE us_english;
    SET DATEFIRST 7;
    SET DATEFORMAT mdy;
    SET ANSI_NULL_DFLT_ON ON;
    SET CURSOR_CLOSE_ON_COMMIT OFF;`

// setOptionsJoin begin a procedure that joins the caller's transaction: an
// error must not doom it, and the way the caller begins it is kept.
const setOptionsJoin = `    SET NOCOUNT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET XACT_ABORT, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;`

// RefuseTransaction begins a public procedure that owns its transactions; why continues after "inside a transaction".
func (data) RefuseTransaction(procedure, why string) string {
	return fmt.Sprintf(`    -- Before XACT_ABORT is ON: the caller's transaction survives.
    IF @@TRANCOUNT > 0
        THROW 51010, N'dbsched 51010: %s cannot be called inside a transaction%s. Commit first; if your driver begins transactions by itself, turn its autocommit on.', 1;`, procedure, why)
}

// Rank is the value of Tasks.Rank: wave, priority and expected duration in one number. Not a computed column: SQL Server expands those
// before it optimizes, and may then not use their index (sqlperformance.com, "Properly Persisted Computed Columns").
func (data) Rank(order, priority, expected string) string {
	return fmt.Sprintf("CONVERT(decimal(27, 0), %s) * 10000000000000000 + (1000000 - %s) * CONVERT(bigint, 2147483648) + 2147483647 - %s", order, priority, expected)
}

// thrown is an expression with a text of the caller's, for a message of THROW, in which "%" is "a reserved character … and must be escaped"
// (THROW, Remarks).
func thrown(expression string) string { return "REPLACE(" + expression + ", N'%', N'%%')" }

// endJoin comes before the RETURN of a procedure that joins the caller's transaction. Under SET IMPLICIT_TRANSACTIONS ON the
// procedure may have begun it. Posts, but not the documentation, say that error 266 does not follow
// (sqlcodemaster.blogspot.com, "@@trancount"); others say that it does not if XACT_ABORT is ON (stackoverflow.com, question
// 2073737). Either is enough. What is set here is undone when the procedure returns (SET Statements, Remarks).
const endJoin = `    SET XACT_ABORT ON; -- Against error 266: our first statement may have begun the caller's transaction (IMPLICIT_TRANSACTIONS).`

// startSnapshot comes first in the public procedures that join the caller's transaction. A transaction "starts the first
// time it accesses data" (SET TRANSACTION ISOLATION LEVEL, Remarks): if dbsched made the first access, under READ COMMITTED,
// the caller's next statement under SNAPSHOT would end it with error 3951. A SNAPSHOT read takes no locks. Under SET
// IMPLICIT_TRANSACTIONS ON (bit 2 of @@OPTIONS) that SELECT begins the transaction.
const startSnapshot = `    -- The caller's SNAPSHOT transaction must not begin under our isolation level: error 3951 would end it later.
    DECLARE @Snapshot int;
    IF (@@TRANCOUNT > 0 OR (2 & @@OPTIONS) = 2)
       AND EXISTS (SELECT 1 FROM sys.dm_exec_sessions AS e WHERE e.session_id = @@SPID AND e.transaction_isolation_level = 5)
       AND EXISTS (SELECT 1 FROM sys.databases AS d WHERE d.database_id = DB_ID() AND d.snapshot_isolation_state = 1)
        SELECT @Snapshot = s.SettingsId FROM %s.Settings AS s WITH (ROWLOCK) WHERE s.SettingsId = 1;
`

// caller begins a public procedure that runs as the owner, since only the owner may send messages. For one that joins the caller's
// transaction it includes startSnapshot. "EXECUTE AS CALLER: the statements inside the module are executed in the context of the caller" (EXECUTE AS).
const caller = `    -- Read the caller's identity. The rest runs as the owner, because only the owner may send messages.
    EXECUTE AS CALLER;
%s    DECLARE @UserId int = DATABASE_PRINCIPAL_ID(), @UserName nvarchar(128) = USER_NAME(), @LoginName nvarchar(128) = ORIGINAL_LOGIN();
    DECLARE @IsAdmin bit = CASE WHEN IS_ROLEMEMBER(%s) = 1 OR IS_ROLEMEMBER(N'db_owner') = 1 THEN 1 ELSE 0 END;
    DECLARE @UserSid varbinary(85) = %s;
    REVERT;
`

// callerText is caller for a schema; first are the statements that read before it.
func callerText(schema, first string) string {
	return fmt.Sprintf(caller, first, QuoteString(schema+"_admin"), fmt.Sprintf(userSid, QuoteIdent(schema)))
}

// undo ends a TRY around dbsched's own transaction: XACT_ABORT has doomed it, and a caller that catches the error must not be
// left in it (error 3930).
const undo = `    BEGIN CATCH
        IF XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
        THROW;
    END CATCH;`

// raiseBad ends the checks of a procedure that joins the caller's transaction: @Bad is the text of an error, which begins with its number,
// or NULL. The text is an argument, in which % means nothing.
const raiseBad = `    IF @Bad IS NOT NULL
    BEGIN
        SET @State = CONVERT(int, LEFT(@Bad, 5)) - 51000;
        RAISERROR (N'dbsched %s', 16, @State, @Bad);
    ` + endJoin + `
        RETURN 51000 + @State;
    END;`

// needSettings is in the procedures that change the settings: without the row, an UPDATE would change nothing and say nothing.
const needSettings = `    IF NOT EXISTS (SELECT 1 FROM %s.Settings AS s WITH (NOLOCK))
        THROW 51039, N'dbsched 51039: the row of Settings is missing, so no task runs. To bring it back with default values, run: dbsched install.', 1;`

// userSid is the caller's SID, or NULL, see the view Me.
const userSid = "(SELECT m.Sid FROM %s.Me AS m)"

// byName checks whether the database is, by its name and its server's, the one in which the scheduler was started.
const byName = "s.HomeServer = CONVERT(nvarchar(128), SERVERPROPERTY('ServerName')) AND s.HomeDatabase = DB_NAME()"

// byList checks whether the database has the name of that one, on another server that StartScheduler was told of.
const byList = "s.HomeServer <> CONVERT(nvarchar(128), SERVERPROPERTY('ServerName')) AND s.HomeDatabase = DB_NAME()\n        AND " +
	"CHARINDEX(N',' + UPPER(CONVERT(nvarchar(128), SERVERPROPERTY('ServerName'))) + N',', N',' + UPPER(s.AlsoOn) + N',') > 0"
