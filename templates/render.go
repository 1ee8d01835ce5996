package templates

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"text/template"

	"github.com/dbsched/dbsched/migrations"
)

// DefaultLanes is the number of worker slots that is installed unless the user
// chooses another.
const DefaultLanes = 16

// MaxLanes is the largest number of worker slots: lane names have two digits.
const MaxLanes = 99

// Params are what the SQL is rendered for.
type Params struct {
	// Schema is the name of the schema that everything is installed in. In
	// Oracle it is the user who owns it.
	Schema string
	// Prefix begins the names of all objects except the public package. Oracle
	// only, where the schema is the application's; empty means [DefaultPrefix].
	Prefix string
	// Runner is the user in whose schema the lanes' jobs are and with whose rights
	// tasks run; empty: the owner's. Oracle only.
	Runner string
	// Lanes is the number of worker slots, 1 to [MaxLanes]; 0 means [DefaultLanes].
	Lanes int
	// Version of the program; workers of another version leave. At most 30
	// printable ASCII characters.
	Version string
	// Files are the templates, unless they are the program's own: for tests of mistakes in them.
	Files fs.FS
}

// Kind says which step of an installation a batch belongs to. The steps come
// in the order of the constants.
type Kind string

const (
	// KindSchema batches check the server and create the owner and the schema.
	KindSchema Kind = "schema"
	// KindRole batches create the roles. The migrations follow them.
	KindRole Kind = "role"
	// KindBroker batches create message type, contract and queues.
	KindBroker Kind = "broker"
	// KindModule batches create procedures and views. Each must be alone in its
	// batch and be compiled with ANSI_NULLS and QUOTED_IDENTIFIER ON.
	KindModule Kind = "module"
	// KindGrant batches grant the roles their rights.
	KindGrant Kind = "grant"
	// KindService batches create the services.
	KindService Kind = "service"
	// KindData batches write version and lanes.
	KindData Kind = "data"
	// KindRunner batches are sent as the runner, or, to change existing jobs, as
	// the owner. Oracle only.
	KindRunner Kind = "runner"
	// KindActivate batches turn activation on.
	KindActivate Kind = "activate"
	// KindKill batches let dbsched end the sessions of its workers.
	KindKill Kind = "kill"
	// KindTrust batches let tasks of named users leave the database.
	KindTrust Kind = "trust"
	// KindUninstall batches remove an installation.
	KindUninstall Kind = "uninstall"
)

// Object names what a batch creates. Type is one word in lower case
// ("procedure", "view", "queue", …); Schema is empty for objects that belong
// to no schema; Name is unquoted.
type Object struct {
	Type, Schema, Name string
}

// Batch is one unit that is sent to the server. SQL never contains GO.
type Batch struct {
	// Name identifies the batch in messages; unique in an installation.
	Name string
	// File is the template's path in this package; for a template of several files, their folder's.
	File string
	// FirstLine is the line of File that the first line of SQL came from.
	FirstLine int
	// SQL is the text.
	SQL string
	// Kind is the step it belongs to.
	Kind Kind
	// Object is what it creates, empty for checks, grants and data.
	Object Object
}

// Lane is one worker slot, as the templates see it.
type Lane struct {
	// ID is its number, Name that of its queue.
	ID   int
	Name string
	// Service and ServiceLit are the service's name as identifier and as string.
	Service, ServiceLit string
}

// layer describes the templates with one kind of file name.
type layer struct {
	kind     Kind
	object   string // Object.Type; empty: the batch creates no object
	inSchema bool
	// objectName derives the object's name from the rest of the file name.
	objectName func(d data, file string) string
}

// layerOf returns the layer of a file name's second part.
func layerOf(typ string) (layer, bool) {
	asIs := func(_ data, file string) string { return file }
	switch typ {
	case "main":
		return layer{kind: KindSchema}, true
	case "user":
		return layer{KindSchema, "user", false, func(d data, _ string) string { return d.names.owner }}, true
	case "schema":
		return layer{KindSchema, "schema", false, func(d data, _ string) string { return d.names.schema }}, true
	case "role":
		return layer{KindRole, "role", false, func(d data, file string) string { return d.names.schema + "_" + file }}, true
	case "messagetype":
		return layer{KindBroker, "message type", false, func(d data, _ string) string { return d.names.wakeType }}, true
	case "contract":
		return layer{KindBroker, "contract", false, func(d data, _ string) string { return d.names.contract }}, true
	case "queues":
		return layer{kind: KindBroker}, true
	case "procedure":
		return layer{KindModule, "procedure", true, procedureName}, true
	case "view", "function":
		return layer{KindModule, typ, true, asIs}, true
	case "grants":
		return layer{kind: KindGrant}, true
	case "services":
		return layer{kind: KindService}, true
	case "data":
		return layer{kind: KindData}, true
	case "activation":
		return layer{kind: KindActivate}, true
	}
	return layer{}, false
}

func procedureName(d data, file string) string {
	if file == "Lane_Activated" {
		return d.Lane.Name + "_Activated"
	}
	return file
}

// names are the unquoted names of one installation.
type names struct {
	schema, owner, wakeType, contract string
}

func (n names) service(queue string) string { return "//" + n.schema + "/" + queue }

// data is what a template sees. Fields that end in Lit are string literals,
// the others quoted identifiers.
type data struct {
	names names
	files fs.FS // see Params

	Schema, SchemaLit, SchemaInString                      string
	Owner, OwnerLit, OwnerInString                         string
	UserRole, ReaderRole, AdminRole, LocksRole             string
	UserRoleLit, ReaderRoleLit, AdminRoleLit               string
	LocksRoleLit                                           string
	WakeType, WakeTypeLit, Contract, ContractLit           string
	DispatchService, DispatchServiceLit                    string
	LaneServicePrefixLit, VersionLit                       string
	SetOptions, SetOptionsJoin, TaskOptions, StartSnapshot string
	Caller, CallerAlone, Undo, ByName, ByList, EndJoin     string
	RaiseBad                                               string
	UserSid                                                string
	StopProcedure, NeedSettings                            string
	KillProcedure, KillCertificateName                     string
	KillCertificate, KillCertificateLit                    string
	KillCertificateInString                                string
	RunTaskText, TrustNameLit                              string
	TrustCertificate, TrustCertificateInString             string
	Trust                                                  // of the trust script
	Target, TargetLit                                      string
	Part, Parts                                            int
	ObjectNames                                            []string
	Lanes                                                  []Lane
	Lane                                                   Lane
	TypeNames                                              []string // table types
}

// setOptions begin every procedure that owns its transactions: what the
// filtered indexes need (error 1934 without), no surprise from the caller's
// session, and the only isolation level under which READPAST works. Private
// procedures called only by those inherit them: what a callee or
// a task sets is undone when it returns (SET Statements, Remarks).
const setOptions = `    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET IMPLICIT_TRANSACTIONS, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;`

// taskOptions are what tasks get, whatever session runs TaskScheduler. What a task sets ends with it.
const taskOptions = `    SET LOCK_TIMEOUT -1;
    SET DEADLOCK_PRIORITY NORMAL;
    IF @@LANGUAGE <> N'us_english' -- its message would go to the error log
        SET LANGUAGE us_english;
    SET DATEFIRST 7;
    SET DATEFORMAT mdy;
    SET ANSI_NULL_DFLT_ON ON;
    SET CURSOR_CLOSE_ON_COMMIT OFF;`

// setOptionsJoin begin a procedure that joins the caller's transaction: an
// error must not doom it, and the way the caller begins it is kept.
const setOptionsJoin = `    SET NOCOUNT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET XACT_ABORT, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;`

// RefuseTransaction begins a public procedure that owns its transactions; why continues after "inside a transaction".
func (data) RefuseTransaction(procedure, why string) string {
	return fmt.Sprintf(`    -- Before XACT_ABORT is ON: the caller's transaction survives.
    IF @@TRANCOUNT > 0
        THROW 51010, N'dbsched 51010: %s cannot be called inside a transaction%s. Commit first; if your driver begins transactions by itself, turn its autocommit on.', 1;`, procedure, why)
}

// Rank is the value of Tasks.Rank: wave, priority and expected duration in one number. Not a computed column: SQL Server expands those
// before it optimizes, and may then not use their index (sqlperformance.com, "Properly Persisted Computed Columns").
func (data) Rank(order, priority, expected string) string {
	return fmt.Sprintf("CONVERT(decimal(27, 0), %s) * 10000000000000000 + (1000000 - %s) * CONVERT(bigint, 2147483648) + 2147483647 - %s", order, priority, expected)
}

// thrown is an expression with a text of the caller's, for a message of THROW, in which "%" is "a reserved character … and must be escaped"
// (THROW, Remarks).
func thrown(expression string) string { return "REPLACE(" + expression + ", N'%', N'%%')" }

// endJoin comes before the RETURN of a procedure that joins the caller's transaction. Under SET IMPLICIT_TRANSACTIONS ON the
// procedure may have begun it. Posts, but not the documentation, say that error 266 does not follow
// (sqlcodemaster.blogspot.com, "@@trancount"); others say that it does not if XACT_ABORT is ON (stackoverflow.com, question
// 2073737). Either is enough. What is set here is undone when the procedure returns (SET Statements, Remarks).
const endJoin = `    SET XACT_ABORT ON; -- Against error 266: our first statement may have begun the caller's transaction (IMPLICIT_TRANSACTIONS).`

// startSnapshot comes first in the public procedures that join the caller's transaction. A transaction "starts the first
// time it accesses data" (SET TRANSACTION ISOLATION LEVEL, Remarks): if dbsched made the first access, under READ COMMITTED,
// the caller's next statement under SNAPSHOT would end it with error 3951. A SNAPSHOT read takes no locks. Under SET
// IMPLICIT_TRANSACTIONS ON (bit 2 of @@OPTIONS) that SELECT begins the transaction.
const startSnapshot = `    -- The caller's SNAPSHOT transaction must not begin under our isolation level: error 3951 would end it later.
    DECLARE @Snapshot int;
    IF (@@TRANCOUNT > 0 OR (2 & @@OPTIONS) = 2)
       AND EXISTS (SELECT 1 FROM sys.dm_exec_sessions AS e WHERE e.session_id = @@SPID AND e.transaction_isolation_level = 5)
       AND EXISTS (SELECT 1 FROM sys.databases AS d WHERE d.database_id = DB_ID() AND d.snapshot_isolation_state = 1)
        SELECT @Snapshot = s.SettingsId FROM %s.Settings AS s WITH (ROWLOCK) WHERE s.SettingsId = 1;
`

// caller begins a public procedure that runs as the owner, since only the owner may send messages. For one that joins the caller's
// transaction it includes startSnapshot. "EXECUTE AS CALLER: the statements inside the module are executed in the context of the caller" (EXECUTE AS).
const caller = `    -- Read the caller's identity. The rest runs as the owner, because only the owner may send messages.
    EXECUTE AS CALLER;
%s    DECLARE @UserId int = DATABASE_PRINCIPAL_ID(), @UserName nvarchar(128) = USER_NAME(), @LoginName nvarchar(128) = ORIGINAL_LOGIN();
    DECLARE @IsAdmin bit = CASE WHEN IS_ROLEMEMBER(%s) = 1 OR IS_ROLEMEMBER(N'db_owner') = 1 THEN 1 ELSE 0 END;
    DECLARE @UserSid varbinary(85) = %s;
    REVERT;
`

// callerText is caller for a schema; first are the statements that read before it.
func callerText(schema, first string) string {
	return fmt.Sprintf(caller, first, QuoteString(schema+"_admin"), fmt.Sprintf(userSid, QuoteIdent(schema)))
}

// undo ends a TRY around dbsched's own transaction: XACT_ABORT has doomed it, and a caller that catches the error must not be
// left in it (error 3930).
const undo = `    BEGIN CATCH
        IF XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
        THROW;
    END CATCH;`

// raiseBad ends the checks of a procedure that joins the caller's transaction: @Bad is the text of an error, which begins with its number,
// or NULL. The text is an argument, in which % means nothing.
const raiseBad = `    IF @Bad IS NOT NULL
    BEGIN
        SET @State = CONVERT(int, LEFT(@Bad, 5)) - 51000;
        RAISERROR (N'dbsched %s', 16, @State, @Bad);
    ` + endJoin + `
        RETURN 51000 + @State;
    END;`

// needSettings is in the procedures that change the settings: without the row, an UPDATE would change nothing and say nothing.
const needSettings = `    IF NOT EXISTS (SELECT 1 FROM %s.Settings AS s WITH (NOLOCK))
        THROW 51039, N'dbsched 51039: the row of Settings is missing, so no task runs. To bring it back with default values, run: dbsched install.', 1;`

// userSid is the caller's SID, or NULL, see the view Me.
const userSid = "(SELECT m.Sid FROM %s.Me AS m)"

// byName checks whether the database is, by its name and its server's, the one in which the scheduler was started.
const byName = "s.HomeServer = CONVERT(nvarchar(128), SERVERPROPERTY('ServerName')) AND s.HomeDatabase = DB_NAME()"

// byList checks whether the database has the name of that one, on another server that StartScheduler was told of.
const byList = "s.HomeServer <> CONVERT(nvarchar(128), SERVERPROPERTY('ServerName')) AND s.HomeDatabase = DB_NAME()\n        AND " +
	"CHARINDEX(N',' + UPPER(CONVERT(nvarchar(128), SERVERPROPERTY('ServerName'))) + N',', N',' + UPPER(s.AlsoOn) + N',') > 0"

var versionText = regexp.MustCompile(`^[!-~]{1,30}$`)

// laneCount checks the number of lanes and the version, and returns the number.
func laneCount(p Params) (int, error) {
	if p.Lanes == 0 {
		p.Lanes = DefaultLanes
	}
	if p.Lanes < 1 || p.Lanes > MaxLanes {
		return 0, fmt.Errorf("number of lanes %d is not from 1 to %d", p.Lanes, MaxLanes)
	}
	if !versionText.MatchString(p.Version) || strings.Contains(p.Version, "$(") {
		return 0, fmt.Errorf("version %q is not 1 to 30 printable characters without spaces", p.Version)
	}
	return p.Lanes, nil
}

// newData checks the parameters and derives all names from them.
func newData(p Params) (data, error) {
	if err := CheckSchemaName(p.Schema); err != nil {
		return data{}, err
	}
	lanes, err := laneCount(p)
	if err != nil {
		return data{}, err
	}
	n := names{schema: p.Schema, owner: p.Schema + "_owner", wakeType: "//" + p.Schema + "/Wake", contract: "//" + p.Schema + "/Contract"}
	inString := func(name string) string { return strings.ReplaceAll(QuoteIdent(name), "'", "''") }
	d := data{
		names: n, files: filesOf(p),
		Schema: QuoteIdent(p.Schema), SchemaLit: QuoteString(p.Schema), SchemaInString: inString(p.Schema),
		Owner: QuoteIdent(n.owner), OwnerLit: QuoteString(n.owner), OwnerInString: inString(n.owner),
		UserRole: QuoteIdent(p.Schema + "_user"), UserRoleLit: QuoteString(p.Schema + "_user"),
		ReaderRole: QuoteIdent(p.Schema + "_reader"), ReaderRoleLit: QuoteString(p.Schema + "_reader"),
		AdminRole: QuoteIdent(p.Schema + "_admin"), AdminRoleLit: QuoteString(p.Schema + "_admin"),
		LocksRole: QuoteIdent(p.Schema + "_locks"), LocksRoleLit: QuoteString(p.Schema + "_locks"),
		WakeType: QuoteIdent(n.wakeType), WakeTypeLit: QuoteString(n.wakeType),
		Contract: QuoteIdent(n.contract), ContractLit: QuoteString(n.contract),
		DispatchService: QuoteIdent(n.service("Dispatch")), DispatchServiceLit: QuoteString(n.service("Dispatch")),
		LaneServicePrefixLit: QuoteString(n.service("Lane_")),
		// A plain literal: the column is varchar, and an N'' literal would convert it.
		VersionLit: "'" + strings.ReplaceAll(p.Version, "'", "''") + "'",
		SetOptions: setOptions, SetOptionsJoin: setOptionsJoin, TaskOptions: taskOptions, EndJoin: endJoin,
		RaiseBad:      raiseBad,
		StartSnapshot: fmt.Sprintf(startSnapshot, QuoteIdent(p.Schema)),
		Undo:          undo, ByName: byName, ByList: byList, UserSid: fmt.Sprintf(userSid, QuoteIdent(p.Schema)),
		Caller: callerText(p.Schema, fmt.Sprintf(startSnapshot, QuoteIdent(p.Schema))), CallerAlone: callerText(p.Schema, ""),
		StopProcedure: QuoteIdent(p.Schema) + ".[StopScheduler]", NeedSettings: fmt.Sprintf(needSettings, QuoteIdent(p.Schema)),
		KillProcedure: QuoteIdent(p.Schema) + ".[KillWorker]", KillCertificateName: p.Schema + "_kill",
		KillCertificate: QuoteIdent(p.Schema + "_kill"), KillCertificateLit: QuoteString(p.Schema + "_kill"), KillCertificateInString: inString(p.Schema + "_kill"),
		RunTaskText: QuoteIdent(p.Schema) + ".[RunTaskText]", TrustNameLit: QuoteString(p.Schema + "_trust"),
		TrustCertificate: QuoteIdent(p.Schema + "_trust"), TrustCertificateInString: inString(p.Schema + "_trust"),
	}
	for id := 1; id <= lanes; id++ {
		name := fmt.Sprintf("Lane_%02d", id)
		service := n.service(name)
		d.Lanes = append(d.Lanes, Lane{ID: id, Name: name, Service: QuoteIdent(service), ServiceLit: QuoteString(service)})
	}
	return d, nil
}

// MSSQL renders the installation for SQL Server. The batches of KindSchema and
// KindRole come first; the caller then runs the migrations of package
// migrations and continues with the rest. Sending all of them again changes
// nothing.
func MSSQL(p Params) ([]Batch, error) {
	d, err := newData(p)
	if err != nil {
		return nil, err
	}
	return render(d.installation())
}

// installation describes how the templates of the installation are rendered.
func (d data) installation() rendering {
	return d.rendering("mssql", func(file string) (Kind, error) {
		l, ok := layerOf(strings.Split(file, "_")[1])
		if !ok {
			return "", fmt.Errorf("template %s: unknown kind of object", file)
		}
		return l.kind, nil
	})
}

// MSSQLKillScript renders what a sysadmin runs so that dbsched may end the sessions of its workers: it signs the one procedure
// that does so, and grants the right to the certificate. Only Schema of the parameters matters.
func MSSQLKillScript(p Params) ([]Batch, error) {
	p.Lanes, p.Version = 1, "kill"
	d, err := newData(p)
	if err != nil {
		return nil, err
	}
	return render(d.rendering("mssql/killscript", func(string) (Kind, error) { return KindKill, nil }))
}

// Trust is the subject of the trust script.
type Trust struct {
	// Users are those of dbsched's database whose tasks may leave it.
	Users []string
	// Targets are the databases that trust it.
	Targets []string
	// Revoke revokes it, from all users.
	Revoke bool
}

// MSSQLTrust renders what the owner of dbsched's database runs, and then the owner of each other database, so that tasks of
// named users have there what their logins have. Only Schema of the parameters matters.
func MSSQLTrust(p Params, trust Trust) ([]Batch, error) {
	p.Lanes, p.Version = 1, "trust"
	d, err := newData(p)
	if err != nil {
		return nil, err
	}
	kind := func(string) (Kind, error) { return KindTrust, nil }
	d.Trust, d.Parts = trust, 1+len(trust.Targets)
	all, err := render(d.rendering("mssql/trust", kind))
	for i, target := range trust.Targets {
		if err != nil {
			return nil, err
		}
		d.Part, d.Target, d.TargetLit = i+2, QuoteIdent(target), QuoteString(target)
		var part []Batch
		part, err = render(d.rendering("mssql/trusting", kind))
		all = append(all, part...)
	}
	return all, err
}

// MSSQLUninstall renders what removes an installation from SQL Server, however
// many lanes it has and however far its installation got. Only Schema of the
// parameters matters. The first batch changes nothing and fails if there is
// anything in the schema that is not dbsched's.
func MSSQLUninstall(p Params) ([]Batch, error) {
	p.Lanes, p.Version = 1, "uninstall"
	d, err := newData(p)
	if err != nil {
		return nil, err
	}
	installed, err := d.installation().objects()
	if err != nil {
		return nil, err
	}
	d.ObjectNames, d.TypeNames = append(migrations.Tables(), migrations.VersionTable), migrations.Types()
	d.ObjectNames = append(d.ObjectNames, "Dispatch")
	for _, o := range installed {
		if o.Schema != "" {
			d.ObjectNames = append(d.ObjectNames, o.Name)
		}
	}
	slices.Sort(d.ObjectNames)
	return render(d.rendering("mssql/uninstall", func(string) (Kind, error) { return KindUninstall, nil }))
}

// rendering describes how a folder for SQL Server is rendered.
func (d data) rendering(dir string, kindOf func(file string) (Kind, error)) rendering {
	return rendering{
		files:  d.files,
		dir:    dir,
		lanes:  d.Lanes,
		kindOf: kindOf,
		data: func(lane Lane) any {
			d.Lane = lane
			return d
		},
		objectOf: func(lane Lane, file string) Object {
			d.Lane = lane
			_, rest, _ := strings.Cut(file, "_")
			typ, name, _ := strings.Cut(rest, "_")
			l, _ := layerOf(typ)
			if l.objectName == nil {
				return Object{}
			}
			o := Object{Type: l.object, Name: l.objectName(d, name)}
			if l.inSchema {
				o.Schema = d.names.schema
			}
			return o
		},
		check:  checkBody,
		quoted: QuoteString,
	}
}

// rendering describes how the templates of one folder become batches.
type rendering struct {
	files fs.FS // the templates
	dir   string
	lanes []Lane
	// kindOf returns the kind of a file.
	kindOf func(file string) (Kind, error)
	// data returns what the template of a lane sees, or of no lane.
	data func(lane Lane) any
	// objectOf returns what a file, without its extension, creates.
	objectOf func(lane Lane, file string) Object
	// check refuses what a script file cannot contain.
	check func(Batch) error
	// quoted is the template function str.
	quoted func(string) string
}

// list is the template function that quotes names for an IN list, in lines that a person can read, indented.
func (r rendering) list(indent int, names []string) string {
	var out strings.Builder
	width := indent
	for i, name := range names {
		quoted := r.quoted(name)
		switch {
		case i == 0:
		case width+len(quoted) > 140:
			fmt.Fprintf(&out, ",\n%*s", indent, "")
			width = indent
		default:
			out.WriteString(", ")
		}
		out.WriteString(quoted)
		width += len(quoted) + 2
	}
	return out.String()
}

// source is one template.
type source struct {
	path string // in this package
	file string // its name, which determines its kind and its object
	kind Kind
	parsed
	lanes []Lane // it is rendered once for each; one without an ID: once
}

// parsed is the text of a template.
type parsed struct {
	*template.Template
	length  int
	ofLanes bool // it is about one lane
}

// own are the program's own templates, by path: each installation and each verification renders all of them.
var own sync.Map

// parse reads a file, or all files of a folder.
func (r rendering) parse(at, file string, folder bool) (parsed, error) {
	known := r.files == files
	if p, ok := own.Load(at); ok && known {
		return p.(parsed), nil
	}
	text, err := r.textOf(at, folder)
	if err != nil {
		return parsed{}, fmt.Errorf("read template: %w", err)
	}
	t, err := template.New(file).Option("missingkey=error").Funcs(template.FuncMap{"str": r.quoted, "list": r.list, "thrown": thrown}).Parse(text)
	if err != nil {
		return parsed{}, fmt.Errorf("parse template: %w", err)
	}
	p := parsed{t, len(text), strings.Contains(text, "{{.Lane.")}
	if known {
		own.Store(at, p)
	}
	return p, nil
}

var (
	stageFolder  = regexp.MustCompile(`^\d-`)
	objectFolder = regexp.MustCompile(`^\d\d_`)
)

// sources reads the templates in the order of their names.
func (r rendering) sources() ([]source, error) { return r.read(r.dir) }

// read reads a folder. One named like 4-bodies contains files of its place in the order. One named like 32_body_worker is a template
// of several files, one after another. Others are rendered separately.
func (r rendering) read(dir string) ([]source, error) {
	entries, err := fs.ReadDir(r.files, dir)
	if err != nil {
		return nil, fmt.Errorf("read templates: %w", err)
	}
	var out []source
	for _, e := range entries {
		at := path.Join(dir, e.Name())
		if e.IsDir() && stageFolder.MatchString(e.Name()) {
			inside, err := r.read(at)
			if err != nil {
				return nil, err
			}
			out = append(out, inside...)
			continue
		}
		if e.IsDir() && !objectFolder.MatchString(e.Name()) {
			continue
		}
		kind, err := r.kindOf(e.Name())
		if err != nil {
			return nil, err
		}
		t, err := r.parse(at, e.Name(), e.IsDir())
		if err != nil {
			return nil, err
		}
		s := source{path: at, file: e.Name(), kind: kind, parsed: t, lanes: []Lane{{}}}
		if t.ofLanes {
			s.lanes = r.lanes
		}
		out = append(out, s)
	}
	return out, nil
}

// textOf returns a file, or all files of a folder.
func (r rendering) textOf(at string, folder bool) (string, error) {
	if !folder {
		text, err := fs.ReadFile(r.files, at)
		return string(text), err
	}
	parts, err := fs.Glob(r.files, at+"/*.sql")
	var all strings.Builder
	for _, part := range parts {
		text, err := fs.ReadFile(r.files, part)
		if err != nil {
			return "", err
		}
		all.Write(text)
	}
	return all.String(), err
}

// objects returns what all templates create, whatever they contain.
func (r rendering) objects() ([]Object, error) {
	sources, err := r.sources()
	var out []Object
	for _, s := range sources {
		for _, lane := range s.lanes {
			out = append(out, r.objectOf(lane, strings.TrimSuffix(s.file, ".sql")))
		}
	}
	return out, err
}

// render renders the files of one folder, those of lanes once for each lane.
func render(r rendering) ([]Batch, error) {
	sources, err := r.sources()
	if err != nil {
		return nil, err
	}
	var out []Batch
	for _, s := range sources {
		for _, lane := range s.lanes {
			b, err := r.batch(s, lane)
			if err != nil {
				return nil, err
			}
			if strings.TrimSpace(b.SQL) == "" {
				continue // there is nothing to do for these parameters
			}
			b.File = s.path
			out = append(out, b)
		}
	}
	return out, nil
}

// batch renders one template for one lane.
func (r rendering) batch(s source, lane Lane) (Batch, error) {
	var sql strings.Builder
	sql.Grow(s.length + s.length/4) // names are longer than what stands for them
	if err := s.Execute(&sql, r.data(lane)); err != nil {
		return Batch{}, fmt.Errorf("render template: %w", err)
	}
	base := strings.TrimSuffix(s.file, ".sql")
	b := Batch{Name: base, FirstLine: 1, SQL: sql.String(), Kind: s.kind}
	if lane.ID > 0 {
		b.Name = fmt.Sprintf("%s_%02d", base, lane.ID)
	}
	if s.kind != KindUninstall {
		b.Object = r.objectOf(lane, base)
	}
	if strings.TrimSpace(b.SQL) == "" {
		return b, nil
	}
	return b, r.check(b)
}

var goLine = regexp.MustCompile(`(?i)^GO\b`)

// checkBody refuses what a script file cannot contain.
func checkBody(b Batch) error {
	ends := false
	for line := range strings.Lines(b.SQL) {
		ends = ends || goLine.MatchString(strings.TrimLeft(line, " \t\r\f\v"))
	}
	switch {
	case strings.Contains(b.SQL, "$("):
		return fmt.Errorf("batch %s holds $(, which sqlcmd would replace", b.Name)
	case ends:
		return fmt.Errorf("batch %s holds a line that begins with GO, which sqlcmd would take as the end of a batch", b.Name)
	case strings.TrimSpace(b.SQL) == "":
		return errors.New("batch " + b.Name + " is empty")
	}
	return nil
}
