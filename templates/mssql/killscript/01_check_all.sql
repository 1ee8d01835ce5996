-- Lets dbsched end the sessions of its own workers. For a sysadmin, in the database of dbsched. It can be run again.
-- Availability group: all of it on the primary, once; on every other replica its last batch alone: all of it again makes another certificate.
SET NOCOUNT ON;

IF ISNULL(IS_SRVROLEMEMBER(N'sysadmin'), 0) = 0
    THROW 51085, N'dbsched 51085: only a sysadmin can run this script.', 1;

IF OBJECT_ID({{str .KillProcedure}}, N'P') IS NULL
    THROW 51086, N'dbsched 51086: dbsched is not installed in this schema of this database.', 1;

-- Read it before you sign it: it ends sessions that Service Broker activated in a lane of this schema, and no others.
SELECT OBJECT_DEFINITION(OBJECT_ID({{str .KillProcedure}}, N'P')) AS WhatIsSigned;
