-- https://learn.microsoft.com/en-us/sql/t-sql/statements/create-table-transact-sql
CREATE TABLE dbo.Owner (Id int IDENTITY(10, 5) NOT NULL CONSTRAINT PK_Owner PRIMARY KEY, Mail varchar(30) NULL CONSTRAINT UQ_Mail UNIQUE, Age int NULL CONSTRAINT CK_Age CHECK (Age >= 18), Since date NOT NULL CONSTRAINT DF_Since DEFAULT '2026-01-01');
--> ok
INSERT INTO dbo.Owner (Mail, Age) VALUES ('a@x', 20); SELECT Id, Since FROM dbo.Owner;
--> 10 | 2026-01-01
INSERT INTO dbo.Owner (Mail, Age) VALUES ('b@x', 17);
--> error: 547 The INSERT statement conflicted with the CHECK constraint "CK_Age". The conflict occurred in database "sandbox", table "dbo.Owner", column 'Age'
-- A CHECK that is unknown is no conflict; the identity value of a row that failed is lost.
INSERT INTO dbo.Owner (Mail, Age) VALUES ('c@x', NULL); SELECT SCOPE_IDENTITY(), @@IDENTITY, COUNT(*) FROM dbo.Owner;
--> 20 | 20 | 2
INSERT INTO dbo.Owner (Mail) VALUES ('A@X');
--> error: 2627 Violation of UNIQUE KEY constraint 'UQ_Mail'. Cannot insert duplicate key in object 'dbo.Owner'. The duplicate key value is (A@X)
-- UNIQUE takes one NULL.
INSERT INTO dbo.Owner (Mail) VALUES (NULL);
--> affected: 1
INSERT INTO dbo.Owner (Mail) VALUES (NULL);
--> error: 2627 The duplicate key value is (<NULL>)
UPDATE dbo.Owner SET Age = 5 WHERE Mail = 'a@x';
--> error: 547 The UPDATE statement conflicted with the CHECK constraint "CK_Age"
INSERT INTO dbo.Owner (Id, Mail) VALUES (1, 'd@x');
--> error: 544 Cannot insert explicit value for identity column in table 'Owner' when IDENTITY_INSERT is set to OFF
UPDATE dbo.Owner SET Id = 1 WHERE Mail = 'a@x';
--> error: 8102 Cannot update identity column 'Id'
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/set-identity-insert-transact-sql
SET IDENTITY_INSERT dbo.Owner ON; INSERT INTO dbo.Owner (Id, Mail) VALUES (100, 'e@x'); SET IDENTITY_INSERT dbo.Owner OFF; INSERT INTO dbo.Owner (Mail) OUTPUT inserted.Id VALUES ('f@x');
--> 105
SET IDENTITY_INSERT dbo.Owner ON; INSERT INTO dbo.Owner (Mail) VALUES ('g@x');
--> error: 545 Explicit value must be specified for identity column in table 'Owner' either when IDENTITY_INSERT is set to ON
SET IDENTITY_INSERT dbo.Owner OFF;
--> ok
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/ident-current-transact-sql
SELECT IDENT_CURRENT('dbo.Owner');
--> refused the function IDENT_CURRENT
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/create-table-transact-sql-identity-property
CREATE TABLE dbo.TwoIds (a int IDENTITY, b int IDENTITY);
--> error: 2744 Multiple identity columns specified for table 'TwoIds'. Only one identity column per table is allowed
CREATE TABLE dbo.BadId (a varchar(5) IDENTITY);
--> error: 2749 Identity column 'a' must be of data type int, bigint, smallint, tinyint, or decimal or numeric with a scale of 0
-- https://learn.microsoft.com/en-us/sql/relational-databases/tables/primary-and-foreign-key-constraints
CREATE TABLE dbo.Pet (Id int NOT NULL PRIMARY KEY, OwnerId int NULL CONSTRAINT FK_Pet REFERENCES dbo.Owner (Id), Name varchar(10) NULL, INDEX IX_Pet (OwnerId));
--> ok
INSERT INTO dbo.Pet (Id, OwnerId) VALUES (1, 10), (2, NULL);
--> affected: 2
INSERT INTO dbo.Pet (Id, OwnerId) VALUES (3, 999);
--> error: 547 The INSERT statement conflicted with the FOREIGN KEY constraint "FK_Pet". The conflict occurred in database "sandbox", table "dbo.Owner", column 'Id'
DELETE FROM dbo.Owner WHERE Id = 10;
--> error: 547 The DELETE statement conflicted with the REFERENCE constraint "FK_Pet". The conflict occurred in database "sandbox", table "dbo.Pet", column 'OwnerId'
DROP TABLE dbo.Owner;
--> error: 3726 Could not drop object 'dbo.Owner' because it is referenced by a FOREIGN KEY constraint
TRUNCATE TABLE dbo.Owner;
--> error: 4712 because it is being referenced by a FOREIGN KEY constraint
CREATE TABLE dbo.Bad (Id int PRIMARY KEY, Of1 int REFERENCES dbo.Owner (Age));
--> error: 1776 There are no primary or candidate keys in the referenced table 'dbo.Owner' that match the referencing column list in the foreign key
--> error: 1750 Could not create constraint or index. See previous errors
CREATE TABLE dbo.Bad (Id int PRIMARY KEY, Of1 bigint REFERENCES dbo.Owner (Id));
--> error: 1778
--> error: 1750 Could not create constraint or index. See previous errors
CREATE TABLE dbo.Bad (Id int PRIMARY KEY, Of1 int REFERENCES dbo.Nobody (Id));
--> error: 1767 references invalid table 'dbo.Nobody'
--> error: 1750 Could not create constraint or index. See previous errors
CREATE TABLE dbo.Bad (Id int PRIMARY KEY, Two int PRIMARY KEY);
--> error: 8110 Cannot add multiple PRIMARY KEY constraints to table
CREATE TABLE dbo.Bad (Id int NULL PRIMARY KEY);
--> error: 8111 Cannot define PRIMARY KEY constraint on nullable column in table 'Bad'
--> error: 1750 Could not create constraint or index. See previous errors
CREATE TABLE dbo.Bad (Id int, id int);
--> error: 2705 Column names in each table must be unique. Column name 'id' in table
CREATE TABLE dbo.Bad (a decimal(39, 0));
--> error: 2750
CREATE TABLE dbo.Bad (a varchar(9000));
--> error: 131 The size (9000) given to the
CREATE TABLE dbo.Bad (a nosuchtype);
--> error: 2715 Column, parameter, or variable #1: Cannot find data type nosuchtype
CREATE TABLE dbo.Pet (Id int);
--> error: 2714 There is already an object named 'Pet' in the database
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/alter-table-transact-sql
ALTER TABLE dbo.Pet ADD Kind varchar(5) NOT NULL;
--> error: 4901 ALTER TABLE only allows columns to be added that can contain nulls, or have a DEFAULT definition specified
ALTER TABLE dbo.Pet ADD Kind varchar(5) NOT NULL CONSTRAINT DF_Kind DEFAULT 'cat', Weight decimal(5,2) NULL;
--> ok
SELECT Id, Kind, Weight FROM dbo.Pet ORDER BY Id;
--> 1 | cat | NULL
--> 2 | cat | NULL
ALTER TABLE dbo.Pet ADD CONSTRAINT CK_Kind CHECK (Kind IN ('dog', 'bird'));
--> error: 547 The ALTER TABLE statement conflicted with the CHECK constraint "CK_Kind"
ALTER TABLE dbo.Pet WITH NOCHECK ADD CONSTRAINT CK_Kind CHECK (Kind IN ('dog', 'bird'));
--> ok
INSERT INTO dbo.Pet (Id) VALUES (5);
--> error: 547
ALTER TABLE dbo.Pet DROP CONSTRAINT CK_Kind;
--> ok
ALTER TABLE dbo.Pet DROP CONSTRAINT CK_Nope;
--> error: 3728 'CK_Nope' is not a constraint
--> error: 3727 Could not drop constraint. See previous errors
ALTER TABLE dbo.Pet DROP CONSTRAINT DF_Kind;
--> ok
ALTER TABLE dbo.Pet DROP COLUMN Kind;
--> ok
ALTER TABLE dbo.Pet ALTER COLUMN Name varchar(40) NULL;
--> ok
SELECT max_length, is_nullable FROM sys.columns WHERE object_id = OBJECT_ID('dbo.Pet') AND name = 'Name';
--> 40 | 1
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/create-index-transact-sql
CREATE UNIQUE INDEX UX_PetName ON dbo.Pet (Name) WHERE Name IS NOT NULL;
--> ok
UPDATE dbo.Pet SET Name = 'Rex';
--> error: 2601 Cannot insert duplicate key row in object 'dbo.Pet' with unique index 'UX_PetName'. The duplicate key value is (Rex)
CREATE INDEX UX_PetName ON dbo.Pet (Id);
--> error: 1913 The operation failed because an index or statistics with name 'UX_PetName' already exists on table
CREATE CLUSTERED INDEX CX_Pet ON dbo.Pet (Name);
--> error: 1902 Cannot create more than one clustered index on table
CREATE INDEX IX_Nope ON dbo.Pet (Nope);
--> error: 1911 Column name 'Nope' does not exist in the target table or view
DROP INDEX IX_Nope ON dbo.Pet;
--> error: 3701 Cannot drop the index 'dbo.Pet.IX_Nope', because it does not exist or you do not have permission
DROP INDEX UX_PetName ON dbo.Pet;
--> ok
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/drop-table-transact-sql
DROP TABLE dbo.Nope;
--> error: 3701 Cannot drop the table 'dbo.Nope', because it does not exist or you do not have permission
DROP TABLE IF EXISTS dbo.Nope, dbo.Pet;
--> ok
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/create-sequence-transact-sql
CREATE SEQUENCE dbo.Tickets AS int START WITH 100 INCREMENT BY 10;
--> ok
SELECT NEXT VALUE FOR dbo.Tickets; SELECT NEXT VALUE FOR dbo.Tickets AS n;
--> 100
--> ----
--> 110
CREATE TABLE dbo.Numbered (Id int NOT NULL CONSTRAINT DF_Num DEFAULT (NEXT VALUE FOR dbo.Tickets), A char(1) NULL); INSERT INTO dbo.Numbered (A) VALUES ('x'), ('y'); SELECT Id, A FROM dbo.Numbered ORDER BY Id;
--> 120 | x
--> 130 | y
-- A sequence is not rolled back; a value is taken once for a row.
BEGIN TRANSACTION; DECLARE @n int = NEXT VALUE FOR dbo.Tickets; ROLLBACK; SELECT NEXT VALUE FOR dbo.Tickets AS a;
--> 150
SELECT NEXT VALUE FOR dbo.Tickets AS a, NEXT VALUE FOR dbo.Tickets AS b;
--> refused NEXT VALUE FOR one sequence several times in a row
SELECT NEXT VALUE FOR dbo.NoSequence;
--> error: 208 Invalid object name 'dbo.NoSequence'
SELECT CASE WHEN 1 = 1 THEN NEXT VALUE FOR dbo.Tickets END;
--> error: 11741 NEXT VALUE FOR function cannot be used within CASE, CHOOSE, COALESCE, IIF, ISNULL and NULLIF
ALTER SEQUENCE dbo.Tickets RESTART WITH 1;
--> refused ALTER
CREATE SEQUENCE dbo.Short AS tinyint START WITH 254 INCREMENT BY 1 MAXVALUE 255;
--> ok
SELECT NEXT VALUE FOR dbo.Short; SELECT NEXT VALUE FOR dbo.Short;
--> 254
--> ----
--> 255
SELECT NEXT VALUE FOR dbo.Short;
--> error: 11728 The sequence object 'Short' has reached its minimum or maximum value
DROP SEQUENCE dbo.Short;
--> ok
DROP SEQUENCE dbo.Tickets;
--> error: 3729 Cannot DROP SEQUENCE 'dbo.Tickets' because it is being referenced by object 'DF_Num'
