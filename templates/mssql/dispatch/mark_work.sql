-- Procedure: MarkWork
-- Purpose: Marks processes whose committed tasks wait for a worker.
-- Enqueuers cannot do it: they would lock the process row until they commit.
-- Access: private
CREATE OR ALTER PROCEDURE {{.Schema}}.MarkWork
AS
BEGIN
    DECLARE @Marked TABLE (ProcessId int NOT NULL PRIMARY KEY);

    -- NOLOCK on the process: do not wait for an uncommitted CreateProcess, and see the HasWork = 0 of a claim before
    -- it commits (see ChooseTask).
    INSERT INTO @Marked (ProcessId)
    SELECT p.ProcessId
    FROM {{.Schema}}.Processes AS p WITH (NOLOCK)
    WHERE p.FinishedAt IS NULL
      AND p.ProcessId > 0 -- FireSchedules marks process 0
      AND p.HasWork = 0
      AND p.Status IN ('Open', 'Closing')
      AND EXISTS (SELECT 1 FROM {{.Schema}}.WaveOf(p.ProcessId, p.WaveOrder, p.WaveRank, p.WaveTaskId, p.Running) AS w WHERE w.TaskId IS NOT NULL)
    OPTION (MAXDOP 1);

    -- One by one by primary key, however many are marked: a scan would wait for uncommitted rows.
    UPDATE p
    SET p.HasWork = 1
    FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK, FORCESEEK, INDEX (PK_Processes))
    INNER JOIN @Marked AS m ON m.ProcessId = p.ProcessId
    WHERE p.FinishedAt IS NULL;
END;
