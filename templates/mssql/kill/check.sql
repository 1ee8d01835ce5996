-- Lets dbsched end the sessions of its own workers. Run it as a sysadmin, in the database of dbsched. It can be run again.
-- Availability group: run all of it once, on the primary; on other replicas only the last batch, or it would create another certificate.
SET NOCOUNT ON;

IF ISNULL(IS_SRVROLEMEMBER(N'sysadmin'), 0) = 0
    THROW 51085, N'dbsched 51085: only a sysadmin can run this script, because it grants rights on the server. Ask a sysadmin to run it.', 1;

IF OBJECT_ID({{str .KillProcedure}}, N'P') IS NULL
    THROW 51086, N'dbsched 51086: dbsched is not installed in this schema of this database. Connect to its database, or render the script with its --schema.', 1;

-- Read this before you sign it. It ends only sessions that Service Broker activated in a lane of this schema.
SELECT OBJECT_DEFINITION(OBJECT_ID({{str .KillProcedure}}, N'P')) AS WhatIsSigned;
