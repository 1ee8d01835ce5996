-- What the roles may do. Everything else is private: users reach it through these procedures only.
SET NOCOUNT ON;

GRANT EXECUTE ON {{.Schema}}.ExecAsync TO {{.UserRole}};
GRANT EXECUTE ON {{.Schema}}.CreateProcess TO {{.UserRole}};
GRANT EXECUTE ON {{.Schema}}.ReleaseProcess TO {{.UserRole}};
GRANT EXECUTE ON {{.Schema}}.CloseProcess TO {{.UserRole}};
GRANT EXECUTE ON {{.Schema}}.WaitProcess TO {{.UserRole}};
GRANT EXECUTE ON {{.Schema}}.CancelTask TO {{.UserRole}};
GRANT EXECUTE ON {{.Schema}}.CancelProcess TO {{.UserRole}};
GRANT EXECUTE ON {{.Schema}}.RetryTask TO {{.UserRole}};
GRANT EXECUTE ON {{.Schema}}.RetryProcess TO {{.UserRole}};
GRANT SELECT ON {{.Schema}}.TaskInfo TO {{.UserRole}};
GRANT SELECT ON {{.Schema}}.ProcessInfo TO {{.UserRole}};
GRANT SELECT ON {{.Schema}}.LogInfo TO {{.UserRole}};
GRANT SELECT ON {{.Schema}}.SchedulerInfo TO {{.UserRole}};

GRANT SELECT ON {{.Schema}}.TaskInfo TO {{.ReaderRole}};
GRANT SELECT ON {{.Schema}}.ProcessInfo TO {{.ReaderRole}};
GRANT SELECT ON {{.Schema}}.LogInfo TO {{.ReaderRole}};
GRANT SELECT ON {{.Schema}}.SchedulerInfo TO {{.ReaderRole}};
GRANT SELECT ON {{.Schema}}.WorkerInfo TO {{.ReaderRole}};
GRANT SELECT ON {{.Schema}}.AlarmInfo TO {{.ReaderRole}};

GRANT EXECUTE ON {{.Schema}}.ExecAsync TO {{.AdminRole}};
GRANT EXECUTE ON {{.Schema}}.CreateProcess TO {{.AdminRole}};
GRANT EXECUTE ON {{.Schema}}.ReleaseProcess TO {{.AdminRole}};
GRANT EXECUTE ON {{.Schema}}.CloseProcess TO {{.AdminRole}};
GRANT EXECUTE ON {{.Schema}}.WaitProcess TO {{.AdminRole}};
GRANT EXECUTE ON {{.Schema}}.CancelTask TO {{.AdminRole}};
GRANT EXECUTE ON {{.Schema}}.CancelProcess TO {{.AdminRole}};
GRANT EXECUTE ON {{.Schema}}.RetryTask TO {{.AdminRole}};
GRANT EXECUTE ON {{.Schema}}.RetryProcess TO {{.AdminRole}};
GRANT EXECUTE ON {{.Schema}}.StartScheduler TO {{.AdminRole}};
GRANT EXECUTE ON {{.Schema}}.StopScheduler TO {{.AdminRole}};
GRANT EXECUTE ON {{.Schema}}.SetWorkers TO {{.AdminRole}};
GRANT EXECUTE ON {{.Schema}}.SetPolicy TO {{.AdminRole}};
GRANT EXECUTE ON {{.Schema}}.Sweep TO {{.AdminRole}};
GRANT EXECUTE ON {{.Schema}}.TaskScheduler TO {{.AdminRole}};
GRANT SELECT ON {{.Schema}}.TaskInfo TO {{.AdminRole}};
GRANT SELECT ON {{.Schema}}.ProcessInfo TO {{.AdminRole}};
GRANT SELECT ON {{.Schema}}.LogInfo TO {{.AdminRole}};
GRANT SELECT ON {{.Schema}}.SchedulerInfo TO {{.AdminRole}};
GRANT SELECT ON {{.Schema}}.WorkerInfo TO {{.AdminRole}};
GRANT SELECT ON {{.Schema}}.AlarmInfo TO {{.AdminRole}};
