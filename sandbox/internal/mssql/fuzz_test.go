package mssql

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sqlc-dev/teesql/ast"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/parser"
	"github.com/dbsched/dbsched/sandbox/internal/parsecache"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/testing/fuzztext"
)

// world creates the objects that inputs use.
var world = []string{
	`CREATE TABLE dbo.T (Id int NOT NULL PRIMARY KEY, N int NULL, S nvarchar(20) NULL, D decimal(9, 2) NULL, At datetime2(3) NULL, B varbinary(20) NULL,
		G uniqueidentifier NULL, F float NULL, M money NULL, O datetimeoffset NULL, X bit NULL);
	INSERT INTO dbo.T (Id, N, S, D, At, B, G, F, M, O, X) VALUES (1, 10, N'a', 1.5, '2026-01-02', 0x01, NULL, 1e3, 2.5, '2026-01-02 00:00:00 +01:00', 1), (2, NULL, N'B', -3, NULL, NULL, NULL, NULL, NULL, NULL, 0);
	CREATE TABLE dbo.U (Id int IDENTITY NOT NULL PRIMARY KEY, T int NULL, Name varchar(10) NOT NULL DEFAULT 'x'); CREATE INDEX IX ON dbo.U (Name);
	INSERT INTO dbo.U (T) VALUES (1), (2), (NULL); CREATE TYPE dbo.TT AS TABLE (Id int NOT NULL PRIMARY KEY, S nvarchar(20) NULL);`,
	`CREATE VIEW dbo.W AS SELECT t.Id, t.S, u.Name FROM dbo.T t LEFT JOIN dbo.U u ON u.T = t.Id`,
	`CREATE PROCEDURE dbo.P @n int = 1, @s nvarchar(20) = N'a' OUTPUT, @r dbo.TT READONLY AS BEGIN SELECT @n AS n, @s AS s, (SELECT COUNT(*) FROM @r) AS r; SET @s += N'!'; RETURN @n; END`,
	`CREATE FUNCTION dbo.F (@n int) RETURNS int AS BEGIN RETURN @n * 2; END`,
	`CREATE FUNCTION dbo.I (@n int) RETURNS TABLE AS RETURN SELECT Id, S FROM dbo.T WHERE Id >= @n`,
	`CREATE MESSAGE TYPE M VALIDATION = NONE; CREATE CONTRACT C (M SENT BY INITIATOR); CREATE QUEUE dbo.Queue; CREATE SERVICE S ON QUEUE dbo.Queue (C);`,
}

// FuzzBatches runs batches that package fuzztext takes apart and recombines: nothing panics or runs forever, a second engine returns
// the same, and a batch that is refused or is not T-SQL does not begin: the session and its transaction do not change.
func FuzzBatches(f *testing.F) {
	fuzztext.SkipInCensus(f)
	inputs := append(fuzztext.Scripts(f, "testdata/conformance/*.txt"), fuzztext.Cases(f, "../../testdata/mssql/*.sql")...)
	for _, text := range inputs {
		f.Add(text, []byte{})
	}
	texts := fuzztext.New(append(inputs, world...))
	var read parsecache.Texts[Parsed]
	f.Fuzz(func(t *testing.T, text string, steps []byte) {
		text = strings.ToValidUTF8(texts.Apply(text, steps), "\uFFFD")
		w := fuzztext.Begin(t)
		require.Equal(t, fuzzInput(t, w, &read, text), fuzzInput(t, w, &read, text), text)
		w.End(1<<30, text)
	})
}

// fuzzInput runs the batches of an input on an engine of its own, and returns their results as text.
func fuzzInput(t *testing.T, w *fuzztext.Watch, read *parsecache.Texts[Parsed], text string) string {
	t.Helper()
	k := kernel.New(kernel.Options{Clock: kernel.Simulated, Seed: 1})
	defer k.Close()
	srv, err := New(k, Options{Password: "x", Logger: w.Logger(), Texts: read})
	require.NoError(t, err)
	s, err := srv.Login("sa", "x", "test")
	require.NoError(t, err)
	for _, batch := range world {
		require.Empty(t, fuzzBatch(t, s, batch).Errors)
	}
	var all strings.Builder
	for batch := range strings.SplitSeq(text, fuzztext.Break) {
		rec, goesOn := fuzzOne(t, s, batch)
		require.Zero(t, k.Panics(), "%q %s", batch, w.Log())
		fmt.Fprintln(&all, rec.Sets, rec.Errors, rec.Messages, rec.Counts)
		if !goesOn {
			break
		}
	}
	fmt.Fprint(&all, k.TraceHash())
	k.Close()
	require.Zero(t, k.Panics(), text)
	return all.String()
}

// fuzzOne runs a batch; false: the session has ended.
func fuzzOne(t *testing.T, s *Session, batch string) (*Recorder, bool) {
	t.Helper()
	count, doomed, set, db := s.tran.Count, s.tran.Doomed, s.set, s.db
	rec := fuzzBatch(t, s, batch)
	over := false
	for _, e := range rec.Errors {
		over = over || e.Severity >= 20 || e.Scope == sqlerr.Connection
		require.NotContains(t, e.Text, "internal error", batch)
	}
	if s.srv.k.Panics() == 0 && (s.Ended() || s.task.Dying()) {
		require.True(t, over || s.killedBy != 0, "the session ended: %q %v", batch, rec.Errors)
		return rec, false
	}
	tree, err := parser.Parse(batch, nil)
	if err != nil {
		require.Len(t, rec.Errors, 1, batch)
		require.Empty(t, rec.Sets, batch)
	}
	refused := len(rec.Errors) == 1 && rec.Errors[0].Refuses() && tree != nil && len(tree.Statements) == 1 && !runsOthers(tree.Statements[0])
	if (err != nil || refused) && !doomed {
		require.Equal(t, count, s.tran.Count, "%q %v", batch, rec.Errors)
		require.Equal(t, set, s.set, batch)
		require.Equal(t, db, s.db, batch)
	}
	return rec, true
}

// runsOthers reports whether a statement runs other statements.
func runsOthers(st ast.Statement) bool {
	switch st.(type) {
	case *ast.ExecuteStatement, *ast.IfStatement, *ast.WhileStatement, *ast.BeginEndBlockStatement, *ast.TryCatchStatement:
		return true
	}
	return false
}

// patience is how many steps of the engine a batch may take before it is canceled.
const patience = 3000

// fuzzBatch runs a batch to its end, with an attention if it takes too long.
func fuzzBatch(t *testing.T, s *Session, batch string) *Recorder {
	t.Helper()
	rec, finished, steps := &Recorder{}, false, 0
	s.Submit(rec, func(s *Session) { s.RunBatch(batch) }, func() { finished = true })
	for range 2 {
		if err := s.srv.k.RunUntil(func() bool { steps++; return finished || steps > patience }); finished {
			return rec
		} else if err != nil || steps > patience {
			s.Cancel()
			steps = 0
		}
	}
	require.True(t, finished, "an attention does not end this: %q", batch)
	return rec
}
