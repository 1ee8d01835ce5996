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
CREATE TABLE dbo.Pet (Id int NOT NULL PRIMARY KEY, OwnerId int NULL, Name varchar(10) NULL);
--> ok
INSERT INTO dbo.Pet (Id, OwnerId) VALUES (1, 10), (2, NULL);
--> affected: 2
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
-- A sequence is not rolled back; a value is taken once for a row.
ALTER SEQUENCE dbo.Tickets RESTART WITH 1;
--> refused ALTER
