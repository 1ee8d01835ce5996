-- Denies direct access to private objects, even to users with rights on the whole database: otherwise db_datareader could
-- read all users' SQL texts, and db_datawriter, or a role with EXECUTE on the database, could add tasks that run as dbo.
-- This does not affect our own procedures and views, because permissions are not checked along a chain of objects with one
-- owner (Ownership Chains), nor the owner (DENY: "does not apply to object owners"). A migration that changes rows must do
-- it as the owner, like install/settings. Settings and Lanes may be read, as the installer does. SchemaVersion belongs to
-- the installer. The user that turns a queue on needs EXECUTE on its activation procedure, so those are not denied.
SET NOCOUNT ON;

DENY SELECT, INSERT, UPDATE, DELETE ON {{.Schema}}.Tasks TO public; DENY SELECT, INSERT, UPDATE, DELETE ON {{.Schema}}.Logs TO public;
DENY SELECT, INSERT, UPDATE, DELETE ON {{.Schema}}.Alarms TO public; DENY SELECT, INSERT, UPDATE, DELETE ON {{.Schema}}.Processes TO public;
DENY SELECT, INSERT, UPDATE, DELETE ON {{.Schema}}.ProcessRequests TO public; DENY SELECT, INSERT, UPDATE, DELETE ON {{.Schema}}.Resources TO public;
DENY SELECT, INSERT, UPDATE, DELETE ON {{.Schema}}.ResourceRequests TO public; DENY SELECT, INSERT, UPDATE, DELETE ON {{.Schema}}.Rounds TO public;
DENY SELECT, INSERT, UPDATE, DELETE ON {{.Schema}}.RoundMembers TO public; DENY SELECT, INSERT, UPDATE, DELETE ON {{.Schema}}.RoundFirings TO public;
DENY SELECT, INSERT, UPDATE, DELETE ON {{.Schema}}.Schedules TO public; DENY SELECT, INSERT, UPDATE, DELETE ON {{.Schema}}.ScheduleFirings TO public;
DENY SELECT, INSERT, UPDATE, DELETE ON {{.Schema}}.WakeSent TO public; DENY INSERT, UPDATE, DELETE ON {{.Schema}}.Settings TO public;
DENY INSERT, UPDATE, DELETE ON {{.Schema}}.Lanes TO public;

DENY SELECT ON {{.Schema}}.Me TO public; DENY SELECT ON {{.Schema}}.Viewer TO public; DENY SELECT ON {{.Schema}}.ReadParameters TO public;
DENY SELECT ON {{.Schema}}.PassedOver TO public; DENY SELECT ON {{.Schema}}.WaveOf TO public;
DENY EXECUTE ON {{.Schema}}.CalendarNumber TO public; DENY EXECUTE ON {{.Schema}}.ReadCalendar TO public; DENY EXECUTE ON {{.Schema}}.ZoneOffset TO public;
DENY EXECUTE ON {{.Schema}}.NextLocalTime TO public; DENY EXECUTE ON {{.Schema}}.NextInstant TO public; DENY EXECUTE ON {{.Schema}}.LastInstants TO public;

DENY EXECUTE ON {{.Schema}}.ApplyProcessRequests TO public; DENY EXECUTE ON {{.Schema}}.ArmTimer TO public; DENY EXECUTE ON {{.Schema}}.AssignLanes TO public;
DENY EXECUTE ON {{.Schema}}.CallAlarmHook TO public; DENY EXECUTE ON {{.Schema}}.AdmitTask TO public; DENY EXECUTE ON {{.Schema}}.CountTasks TO public;
DENY EXECUTE ON {{.Schema}}.CloseIfDone TO public; DENY EXECUTE ON {{.Schema}}.ComeHome TO public; DENY EXECUTE ON {{.Schema}}.CurrentTask TO public;
DENY EXECUTE ON {{.Schema}}.EndWave TO public; DENY EXECUTE ON {{.Schema}}.FailTask TO public; DENY EXECUTE ON {{.Schema}}.LockHandover TO public;
DENY EXECUTE ON {{.Schema}}.MayClaim TO public; DENY EXECUTE ON {{.Schema}}.ChooseProcess TO public; DENY EXECUTE ON {{.Schema}}.ChooseTask TO public;
DENY EXECUTE ON {{.Schema}}.MoveWatermark TO public; DENY EXECUTE ON {{.Schema}}.PassTask TO public; DENY EXECUTE ON {{.Schema}}.StartAttempt TO public;
DENY EXECUTE ON {{.Schema}}.NextTask TO public; DENY EXECUTE ON {{.Schema}}.SucceedTask TO public; DENY EXECUTE ON {{.Schema}}.DecideRetry TO public;
DENY EXECUTE ON {{.Schema}}.CompleteAttempt TO public; DENY EXECUTE ON {{.Schema}}.RunTransaction TO public; DENY EXECUTE ON {{.Schema}}.DispatchTurn TO public;
DENY EXECUTE ON {{.Schema}}.EndAttempts TO public; DENY EXECUTE ON {{.Schema}}.EndFiring TO public; DENY EXECUTE ON {{.Schema}}.EnqueueForRound TO public;
DENY EXECUTE ON {{.Schema}}.EnterLane TO public; DENY EXECUTE ON {{.Schema}}.ForgetOldReports TO public; DENY EXECUTE ON {{.Schema}}.FreeDeadLanes TO public;
DENY EXECUTE ON {{.Schema}}.FreeStaleResources TO public; DENY EXECUTE ON {{.Schema}}.GrantResource TO public; DENY EXECUTE ON {{.Schema}}.JoinResourceLine TO public;
DENY EXECUTE ON {{.Schema}}.KillWorker TO public; DENY EXECUTE ON {{.Schema}}.LeaveLane TO public; DENY EXECUTE ON {{.Schema}}.LeaveResourceLine TO public;
DENY EXECUTE ON {{.Schema}}.LookAtJob TO public; DENY EXECUTE ON {{.Schema}}.ManualWorker TO public; DENY EXECUTE ON {{.Schema}}.MarkWork TO public;
DENY EXECUTE ON {{.Schema}}.OrderCancel TO public; DENY EXECUTE ON {{.Schema}}.OrderRetry TO public; DENY EXECUTE ON {{.Schema}}.PruneHistory TO public;
DENY EXECUTE ON {{.Schema}}.RaiseAlarm TO public; DENY EXECUTE ON {{.Schema}}.RecordReport TO public; DENY EXECUTE ON {{.Schema}}.RecoverLane TO public;
DENY EXECUTE ON {{.Schema}}.ReleaseDueTasks TO public; DENY EXECUTE ON {{.Schema}}.RepairQueues TO public; DENY EXECUTE ON {{.Schema}}.RequestProcess TO public;
DENY EXECUTE ON {{.Schema}}.RunLane TO public; DENY EXECUTE ON {{.Schema}}.RunSweep TO public; DENY EXECUTE ON {{.Schema}}.RunTask TO public;
DENY EXECUTE ON {{.Schema}}.RunTaskText TO public; DENY EXECUTE ON {{.Schema}}.LockProcess TO public; DENY EXECUTE ON {{.Schema}}.SendWake TO public;
DENY EXECUTE ON {{.Schema}}.ServeResourceLines TO public; DENY EXECUTE ON {{.Schema}}.StartJob TO public; DENY EXECUTE ON {{.Schema}}.SweepRounds TO public;
DENY EXECUTE ON {{.Schema}}.WakeOnce TO public; DENY EXECUTE ON {{.Schema}}.WorkLane TO public; DENY EXECUTE ON {{.Schema}}.HaltProcess TO public;
DENY EXECUTE ON {{.Schema}}.AlarmOfError TO public; DENY EXECUTE ON {{.Schema}}.NextFiring TO public; DENY EXECUTE ON {{.Schema}}.MayEnqueue TO public;
DENY EXECUTE ON {{.Schema}}.FireSchedules TO public; DENY EXECUTE ON {{.Schema}}.OrderSchedule TO public;
