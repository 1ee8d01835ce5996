package templates

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"sync"
	"text/template"
)

// DefaultLanes is the number of worker slots that is installed unless the user
// chooses another.
const DefaultLanes = 16

// MaxLanes is the largest number of worker slots: lane names have two digits.
const MaxLanes = 99

// Digest names the SQL of batches: the same for the same SQL.
func Digest(batches []Batch) string {
	digest := sha256.New()
	for _, b := range batches {
		fmt.Fprintf(digest, "%s\x00%s\x00", b.Name, b.SQL)
	}
	return "sql-" + hex.EncodeToString(digest.Sum(nil))[:16]
}

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
	// Files are the paths of the template's files in this package. The folder of a file is what it is about.
	Files []string
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

// rendering describes how the templates of one script become batches.
type rendering struct {
	files           fs.FS // the templates
	dialect, script string
	lanes           []Lane
	// kindOf returns the kind of an entry, and false for a word that the dialect does not have.
	kindOf func(entry) (Kind, bool)
	// data returns what the template of a lane sees, or of no lane.
	data func(lane Lane) any
	// objectOf returns what an entry creates, if anything.
	objectOf func(lane Lane, e entry) Object
	// wrap returns the text of an entry's template with what is around it.
	wrap func(e entry, text string) string
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
	entry
	parsed
	kind  Kind
	lanes []Lane // it is rendered once for each; one without an ID: once
}

// parsed is the text of a template.
type parsed struct {
	*template.Template
	length  int
	ofLanes bool // it is about one lane
}

// own are the program's own templates, by entry: each installation and each verification renders all of them.
var own sync.Map

// parse reads an entry's template.
func (r rendering) parse(e entry) (parsed, error) {
	known, key := r.files == files, e.kind+" "+e.name+" "+e.files[0]
	if p, ok := own.Load(key); ok && known {
		return p.(parsed), nil
	}
	text, err := e.text(r.files)
	if err != nil {
		return parsed{}, err
	}
	text = r.wrap(e, text)
	t, err := template.New(e.files[0]).Option("missingkey=error").Funcs(template.FuncMap{"str": r.quoted, "list": r.list, "thrown": thrown}).Parse(text)
	if err != nil {
		return parsed{}, fmt.Errorf("parse template: %w", err)
	}
	p := parsed{t, len(text), strings.Contains(text, "{{.Lane.")}
	if known {
		own.Store(key, p)
	}
	return p, nil
}

// sources reads the templates in the order of the list.
func (r rendering) sources() ([]source, error) {
	entries, err := order(r.files, r.dialect, r.script)
	if err != nil {
		return nil, err
	}
	var out []source
	for _, e := range entries {
		kind, ok := r.kindOf(e)
		if !ok {
			return nil, fmt.Errorf("%s/order.txt: no dialect makes a %q", r.dialect, e.kind)
		}
		t, err := r.parse(e)
		if err != nil {
			return nil, err
		}
		s := source{entry: e, parsed: t, kind: kind, lanes: []Lane{{}}}
		if t.ofLanes {
			s.lanes = r.lanes
		}
		out = append(out, s)
	}
	return out, nil
}

// objects returns what all templates create, whatever they contain.
func (r rendering) objects() ([]Object, error) {
	sources, err := r.sources()
	var out []Object
	for _, s := range sources {
		for _, lane := range s.lanes {
			out = append(out, r.objectOf(lane, s.entry))
		}
	}
	return out, err
}

// render renders the entries of one script, those of lanes once for each lane.
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
	b := Batch{Name: s.entry.kind + " " + s.name, Files: s.files, SQL: sql.String(), Kind: s.kind}
	if lane.ID > 0 {
		b.Name = fmt.Sprintf("%s of lane %d", b.Name, lane.ID)
	}
	if r.script == "install" {
		b.Object = r.objectOf(lane, s.entry)
	}
	if strings.TrimSpace(b.SQL) == "" {
		return b, nil
	}
	return b, r.check(b)
}
