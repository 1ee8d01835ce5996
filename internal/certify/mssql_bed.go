package certify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	mssqldb "github.com/microsoft/go-mssqldb"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/templates"
)

// name returns the name of an object that a probe makes.
func (b *bed) name(object string) string { return mssqlProbes + "." + object }

// table returns the statement that makes a table.
func (b *bed) table(name, columns string) string {
	return fmt.Sprintf("CREATE TABLE %s (%s)", b.name(name), columns)
}

// noError is seen where an error could be.
const noError = "no error"

// errorOf names the last error that the server told of, and fails if it is not the server's.
func errorOf(err error) (string, error) {
	if err == nil {
		return noError, nil
	}
	if e, ok := errors.AsType[mssqldb.Error](err); ok {
		return errorNumber(int(e.Number)), nil
	}
	return "", err
}

// errorNumber names an error; 0 is none.
func errorNumber(n int) string {
	if n == 0 {
		return noError
	}
	return fmt.Sprintf("error %d", n)
}

// mssqlNumbers returns the numbers of all messages of an error.
func mssqlNumbers(err error) []int32 {
	e, ok := errors.AsType[mssqldb.Error](err)
	if !ok {
		return nil
	}
	numbers := []int32{e.Number}
	for _, m := range e.All {
		numbers = append(numbers, m.Number)
	}
	return numbers
}

// service makes a queue with one reader, the service of the same name, and the procedure that is activated. A reader receives one message, and
// then does what body says. The service's name is the probe's own.
func (s *session) service(ctx context.Context, b *bed, name, body string) error {
	return s.exec(ctx,
		fmt.Sprintf("CREATE QUEUE %s;", b.name(name)),
		fmt.Sprintf(`CREATE PROCEDURE %s
AS
BEGIN
    DECLARE @Handle uniqueidentifier;
    RECEIVE TOP (1) @Handle = conversation_handle FROM %s;
    IF @Handle IS NULL
        RETURN;
    %s
END;`, b.name(name+"_Read"), b.name(name), body),
		fmt.Sprintf("ALTER QUEUE %s WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = %s, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);", b.name(name), b.name(name+"_Read")),
		fmt.Sprintf("CREATE SERVICE %s AUTHORIZATION dbo ON QUEUE %s ([DEFAULT]);", serviceOf(name), b.name(name)))
}

// serviceOf is the service of a queue, quoted.
func serviceOf(queue string) string { return "[" + mssqlSchema + "_" + queue + "]" }

// send sends one message to each queue, in one transaction.
func (s *session) send(ctx context.Context, queues ...string) error {
	var b strings.Builder
	b.WriteString("SET XACT_ABORT ON;\nDECLARE @Handle uniqueidentifier;\nBEGIN TRANSACTION;\n")
	for _, queue := range queues {
		fmt.Fprintf(&b, `BEGIN DIALOG @Handle FROM SERVICE %s TO SERVICE N'%s', N'CURRENT DATABASE' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @Handle;
`, serviceOf(queue), strings.Trim(serviceOf(queue), "[]"))
	}
	b.WriteString("COMMIT TRANSACTION;")
	return s.exec(ctx, b.String())
}

// noReader is why an activation says nothing. Readers run as dbo, the owner of their procedure: as a user of dbsched's they would keep that from
// being removed (error 15136).
const noReader = untried("no activated procedure has begun: either the server is too slow, or the database's owner is no login (ALTER AUTHORIZATION ON DATABASE)")

// noted waits until readers have inserted n rows in a table.
func (s *session) noted(ctx context.Context, b *bed, table string, n int) error {
	found := ""
	err := until(ctx, 30*time.Second, func() (_ bool, err error) {
		found, err = s.value(ctx, "SELECT COUNT(*) FROM "+b.name(table))
		return found == strconv.Itoa(n), err
	})
	if errors.Is(err, errLate) && found == "0" {
		return noReader
	}
	return err
}

// user makes a user without login, who may have tasks, and returns its name.
func (b *bed) user(ctx context.Context, s *session, name string) (string, error) {
	user := mssqlProbe + name
	return user, s.exec(ctx, "CREATE USER "+user+" WITHOUT LOGIN;", "ALTER ROLE "+mssqlSchema+"_user ADD MEMBER "+user+";")
}

// runAs runs a user's tasks one after the other, and returns the error number of each.
func (b *bed) runAs(ctx context.Context, user string, tasks ...string) ([]int, error) {
	s, err := b.session(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.exec(ctx, "EXECUTE AS USER = "+templates.QuoteString(user)+";"); err != nil {
		return nil, err
	}
	var text strings.Builder
	fmt.Fprintf(&text, "SET NOCOUNT ON;\nDECLARE @Process int;\nEXEC %s.CreateProcess @Name = %s, @ProcessId = @Process OUTPUT, @OnError = 'Continue';\n",
		mssqlSchema, templates.QuoteString("certify "+b.probe.Name))
	for i, task := range tasks {
		fmt.Fprintf(&text, "EXEC %s.ExecAsync %s, %d, @ProcessId = @Process;\n", mssqlSchema, templates.QuoteString(task), i+1)
	}
	fmt.Fprintf(&text, "EXEC %s.CloseProcess @Process;\nSELECT @Process;", mssqlSchema)
	process, err := s.value(ctx, text.String())
	if err != nil {
		return nil, err
	}
	id, err := strconv.ParseInt(process, 10, 64)
	if err != nil {
		return nil, err
	}
	db, err := b.dbsched(ctx)
	if err != nil {
		return nil, err
	}
	if finished, err := db.WaitProcess(ctx, id, time.Minute); err != nil || !finished {
		return nil, late(err)
	}
	logs, err := db.Logs(ctx, dialects.Filter{ProcessID: id})
	if err != nil {
		return nil, err
	}
	numbers, known := make([]int, len(tasks)), make([]bool, len(tasks))
	for _, l := range logs {
		numbers[l.Order-1], known[l.Order-1] = l.ErrorNumber, l.Outcome == "Succeeded" || l.Outcome == "Failed" // of the last attempt
	}
	if slices.Contains(known, false) { // it says nothing
		return nil, errLate
	}
	return numbers, nil
}

// outside returns the name of something that a probe makes outside the database.
func (s *session) outside(ctx context.Context, name string) (string, error) {
	return s.value(ctx, "SELECT "+mssqlOutside+name+"'")
}
