package templates

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/dbsched/dbsched/migrations"
)

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
	return render(d.rendering("install"))
}

// MSSQLKillScript renders what a sysadmin runs so that dbsched may end the sessions of its workers: it signs the one procedure
// that does so, and grants the right to the certificate. Only Schema of the parameters matters.
func MSSQLKillScript(p Params) ([]Batch, error) {
	p.Lanes, p.Version = 1, "kill"
	d, err := newData(p)
	if err != nil {
		return nil, err
	}
	return render(d.rendering("kill"))
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
	d.Trust, d.Parts = trust, 1+len(trust.Targets)
	all, err := render(d.rendering("trust"))
	for i, target := range trust.Targets {
		if err != nil {
			return nil, err
		}
		d.Part, d.Target, d.TargetLit = i+2, QuoteIdent(target), QuoteString(target)
		var part []Batch
		part, err = render(d.rendering("trust-target"))
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
	installed, err := d.rendering("install").objects()
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
	return render(d.rendering("uninstall"))
}

// mssqlKinds are what the first words of mssql/order.txt mean in the installation: the kind, and the type of what is created.
var mssqlKinds = map[string]struct {
	kind   Kind
	object string
}{
	"check":        {KindSchema, ""},
	"user":         {KindSchema, "user"},
	"schema":       {KindSchema, "schema"},
	"role":         {KindRole, "role"},
	"message-type": {KindBroker, "message type"},
	"contract":     {KindBroker, "contract"},
	"queues":       {KindBroker, ""},
	"procedure":    {KindModule, "procedure"},
	"view":         {KindModule, "view"},
	"function":     {KindModule, "function"},
	"grants":       {KindGrant, ""},
	"services":     {KindService, ""},
	"data":         {KindData, ""},
	"activation":   {KindActivate, ""},
}

// mssqlScripts are the kinds of all entries of the other scripts.
var mssqlScripts = map[string]Kind{"kill": KindKill, "trust": KindTrust, "trust-target": KindTrust, "uninstall": KindUninstall}

// rendering describes how a script for SQL Server is rendered.
func (d data) rendering(script string) rendering {
	return rendering{
		files: d.files, dialect: "mssql", script: script, lanes: d.Lanes,
		kindOf: func(e entry) (Kind, bool) {
			if kind, ok := mssqlScripts[script]; ok {
				return kind, true
			}
			k, ok := mssqlKinds[e.kind]
			return k.kind, ok
		},
		data: func(lane Lane) any {
			d.Lane = lane
			return d
		},
		objectOf: d.object,
		wrap:     func(_ entry, text string) string { return text },
		check:    checkBody,
		quoted:   QuoteString,
	}
}

// object returns what an entry creates.
func (d data) object(lane Lane, e entry) Object {
	o := Object{Type: mssqlKinds[e.kind].object}
	switch o.Type {
	case "":
	case "user":
		o.Name = d.names.owner
	case "schema":
		o.Name = d.names.schema
	case "role":
		o.Name = d.names.schema + "_" + e.name
	case "message type":
		o.Name = d.names.wakeType
	case "contract":
		o.Name = d.names.contract
	default:
		o.Schema, o.Name = d.names.schema, e.name
		if e.name == "Lane_Activated" {
			o.Name = lane.Name + "_Activated"
		}
	}
	return o
}
