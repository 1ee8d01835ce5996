-- What SQL Server has and the sandbox does not is refused; what SQL Server lacks is its error.
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/functions
SELECT FORMAT(1, 'N');
--> refused the function FORMAT
SELECT GREATEST(1, 2);
--> refused the function GREATEST
SELECT HASHBYTES('SHA2_256', 'a');
--> refused the function HASHBYTES
SELECT NOSUCHFUNCTION(1);
--> error: 195 'NOSUCHFUNCTION' is not a recognized built-in function name
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-catalog-views/sys-partitions-transact-sql
SELECT COUNT(*) FROM sys.partitions;
--> refused sys.partitions
SELECT COUNT(*) FROM sys.dm_exec_connections;
--> refused sys.dm_exec_connections
SELECT * FROM sysprocesses;
--> refused sysprocesses
SELECT * FROM sys.nosuchview;
--> error: 208 Invalid object name 'sys.nosuchview'
SELECT * FROM INFORMATION_SCHEMA.DOMAINS;
--> refused INFORMATION_SCHEMA.DOMAINS
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-stored-procedures/sp-rename-transact-sql
EXEC sp_rename 'dbo.a', 'b';
--> refused sp_rename
EXEC sp_nosuchprocedure;
--> error: 2812 Could not find stored procedure 'sp_nosuchprocedure'
