package ddl

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/sqlc-dev/teesql/ast"
	"github.com/sqlc-dev/teesql/parser"

	"github.com/dbsched/dbsched/sandbox/internal/broker"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// brokerStatement executes statements about message types, contracts, queues and services. Their
// names, except those of queues, are compared byte by byte (learn.microsoft.com "CREATE SERVICE").
func (x *run) brokerStatement(st ast.Statement) bool {
	switch n := st.(type) {
	case *ast.CreateMessageTypeStatement:
		x.createMessageType(n)
	case *ast.DropMessageTypeStatement:
		drop(x, n.IsIfExists, "message type", n.Name.Value, x.db.Broker.MessageType, onMessageType, x.db.Broker.DropMessageType)
	case *ast.CreateContractStatement:
		query.Check(x.createContract(n))
	case *ast.DropContractStatement:
		drop(x, n.IsIfExists, "contract", n.Name.Value, x.db.Broker.Contract, onContract, x.db.Broker.DropContract)
	case *ast.CreateQueueStatement:
		x.createQueue(n)
	case *ast.AlterQueueStatement:
		x.alterQueue(n)
	case *ast.DropQueueStatement:
		x.dropQueue(n)
	case *ast.CreateServiceStatement:
		x.createService(n)
	case *ast.DropServiceStatement:
		drop(x, n.IsIfExists, "service", n.Name.Value, x.db.Broker.Service, onService, x.db.Broker.DropService)
	default:
		return false
	}
	return true
}

func onMessageType(t *broker.MessageType) catalog.Securable {
	return catalog.Securable{Class: catalog.ClassMessageType, ID: t.ID, Owner: t.Owner}
}

func onContract(c *broker.Contract) catalog.Securable {
	return catalog.Securable{Class: catalog.ClassContract, ID: c.ID, Owner: c.Owner}
}

func onService(s *broker.Service) catalog.Securable {
	return catalog.Securable{Class: catalog.ClassService, ID: s.ID, Owner: s.Owner}
}

// drop drops the object of a kind that find returns.
func drop[T any](x *run, ifExists bool, kind, name string, find func(string) *T, on func(*T) catalog.Securable, do func(*store.Txn, *T) error) {
	if ifExists {
		panic(message.MS(156, "IF"))
	}
	t := find(name)
	if t == nil || !x.may("CONTROL", on(t)) && !x.may("ALTER ANY "+strings.ToUpper(kind), catalog.OnDatabase()) {
		panic(catalog.Cannot("drop", kind, name))
	}
	query.Check(do(x.tx, t))
	x.db.RevokeAll(x.tx, on(t).Class, on(t).ID)
}

// ownsBroker finds broker objects that a principal owns, for DROP USER and DROP ROLE.
func (x *run) ownsBroker(id int32, owns func(string) error) {
	b := x.db.Broker
	if b == nil {
		return
	}
	for s := range b.Services() {
		if s.Owner == id {
			query.Check(owns("service"))
			return
		}
	}
	for c := range b.Contracts() {
		if c.Owner == id {
			query.Check(owns("service contract"))
			return
		}
	}
	for t := range b.MessageTypes() {
		if t.Owner == id {
			query.Check(owns("message type"))
			return
		}
	}
}

// brokerOwner checks the right to create something and resolves its AUTHORIZATION.
func (x *run) brokerOwner(permission string, id *ast.Identifier) int32 {
	if !x.may(permission, catalog.OnDatabase()) {
		panic(catalog.DeniedInDatabase(permission, x.db))
	}
	return query.Must(x.newOwner(id))
}

func (x *run) createMessageType(n *ast.CreateMessageTypeStatement) {
	owner := x.brokerOwner("CREATE MESSAGE TYPE", n.Owner)
	switch n.ValidationMethod {
	case "", "None", "NotSpecified":
		query.Must(x.db.Broker.CreateMessageType(x.tx, n.Name.Value, owner))
		return
	}
	panic(sqlerr.NotSupported("validation %s", n.ValidationMethod))
}

// contractOwner matches AUTHORIZATION in CREATE CONTRACT, after which the parser loses the messages.
var contractOwner = regexp.MustCompile(`(?is)\bAUTHORIZATION\s+(\[(?:[^\]]|\]\])+\]|"[^"]+"|\w+)`)

// contract returns the statement with its owner and messages.
func (x *run) contract(n *ast.CreateContractStatement) (*ast.CreateContractStatement, *ast.Identifier, error) {
	if len(n.Messages) > 0 {
		return n, nil, nil
	}
	text := source(x.Text(), &n.Fragment)
	m := contractOwner.FindStringSubmatchIndex(text)
	if m == nil {
		return nil, nil, message.MS(102, n.Name.Value)
	}
	owner := strings.Trim(text[m[2]:m[3]], `"`)
	if strings.HasPrefix(owner, "[") {
		owner = strings.ReplaceAll(owner[1:len(owner)-1], "]]", "]")
	}
	script, err := parser.Parse(context.Background(), strings.NewReader(text[:m[0]]+text[m[1]:]))
	if err != nil || len(script.Batches) != 1 || len(script.Batches[0].Statements) != 1 {
		return nil, nil, sqlerr.NotSupported("CREATE CONTRACT … AUTHORIZATION: %v", err)
	}
	c, ok := script.Batches[0].Statements[0].(*ast.CreateContractStatement)
	if !ok || len(c.Messages) == 0 {
		return nil, nil, sqlerr.NotSupported("CREATE CONTRACT … AUTHORIZATION")
	}
	return c, &ast.Identifier{Value: owner}, nil
}

func (x *run) createContract(st *ast.CreateContractStatement) error {
	n, as, err := x.contract(st)
	if err != nil {
		return err
	}
	owner := x.brokerOwner("CREATE CONTRACT", as)
	var list []broker.ContractMessage
	for _, m := range n.Messages {
		t := x.db.Broker.MessageType(m.Name.Value)
		if t == nil || !x.may("REFERENCES", onMessageType(t)) {
			return catalog.Cannot("find", "message type", m.Name.Value)
		}
		by := broker.ByAny
		switch m.SentBy {
		case "Initiator":
			by = broker.ByInitiator
		case "Target":
			by = broker.ByTarget
		}
		list = append(list, broker.ContractMessage{Type: t.ID, By: by})
	}
	_, err = x.db.Broker.CreateContract(x.tx, n.Name.Value, owner, list)
	return err
}

// queueSettings applies the options of CREATE and ALTER QUEUE.
func (x *run) queueSettings(s *broker.QueueSettings, opts []ast.QueueOption) error {
	a := &s.Activation
	for _, o := range opts {
		switch n := o.(type) {
		case *ast.QueueStateOption:
			on := n.OptionState == "On"
			switch n.OptionKind {
			case "Status":
				s.Enabled = on
			case "Retention":
				if on {
					return sqlerr.NotSupported("RETENTION = ON")
				}
			case "PoisonMessageHandlingStatus":
				s.PoisonHandled = on
			case "ActivationStatus":
				a.Enabled = on
			default:
				return sqlerr.NotSupported("queue option %s", n.OptionKind)
			}
		case *ast.QueueOptionSimple:
			if n.OptionKind != "ActivationDrop" {
				return sqlerr.NotSupported("queue option %s", n.OptionKind)
			}
			*a = broker.Activation{}
		case *ast.QueueProcedureOption:
			name := x.activationProcedure(n.OptionValue)
			a.Procedure = name
		case *ast.QueueValueOption:
			v, err := integer(n.OptionValue, 0)
			if err != nil || v < 0 || v > 32767 {
				return message.MS(1004, "MAX_QUEUE_READERS")
			}
			a.MaxReaders = int(v)
		case *ast.QueueExecuteAsOption:
			x.activationUser(a, n.OptionValue)
		default:
			return sqlerr.NotSupported("queue option %T", o)
		}
	}
	return nil
}

// activationProcedure resolves PROCEDURE_NAME; the session must be able to execute it.
func (x *run) activationProcedure(n *ast.SchemaObjectName) string {
	if n.DatabaseIdentifier != nil && !catalog.SameName(x.Server().Collation, n.DatabaseIdentifier.Value, x.db.Name) {
		panic(sqlerr.NotSupported("activation procedure in another database"))
	}
	o := x.lookup(n)
	if o == nil || o.Kind != catalog.Procedure || !x.may("EXECUTE", catalog.OnObject(o)) {
		panic(catalog.Cannot("find", "procedure", base(n)))
	}
	return quote(o.Schema) + "." + quote(o.Name)
}

func (x *run) activationUser(a *broker.Activation, c *ast.ExecuteAsClause) {
	switch c.ExecuteAsOption {
	case "Self":
		a.ExecuteAs = x.user()
	case "Owner":
		a.ExecuteAs = broker.ExecuteAsOwner
	case "String":
		id := x.impersonable(c.Literal.Value)
		a.ExecuteAs = id
	default:
		panic(sqlerr.NotSupported("queue activation EXECUTE AS %s", c.ExecuteAsOption))
	}
}

func (x *run) createQueue(n *ast.CreateQueueStatement) {
	if n.OnFileGroup != nil && !strings.EqualFold(n.OnFileGroup.Value, "default") && !strings.EqualFold(n.OnFileGroup.Value, "primary") {
		panic(sqlerr.NotSupported("filegroup %s", n.OnFileGroup.Value))
	}
	x.enter(n.Name)
	sch := x.target(n.Name, "CREATE QUEUE")
	query.Check(x.vacant(sch, base(n.Name), 1))
	spec := broker.QueueSpec{ID: x.db.NewID(), Schema: sch.Name, Name: base(n.Name)}
	spec.Enabled, spec.PoisonHandled = true, true
	// ACTIVATION without STATUS is on.
	spec.Activation.Enabled = slices.ContainsFunc(n.QueueOptions, func(o ast.QueueOption) bool { _, ok := o.(*ast.QueueProcedureOption); return ok })
	query.Check(x.queueSettings(&spec.QueueSettings, n.QueueOptions))
	q := query.Must(x.db.Broker.CreateQueue(x.tx, spec))
	x.add(&catalog.Object{ID: spec.ID, SchemaID: sch.ID, Name: spec.Name, Kind: catalog.Queue, Def: q})
}

// queue finds a queue to alter or drop.
func (x *run) queue(n *ast.SchemaObjectName, verb string, may func(*catalog.Object) bool) (*catalog.Object, *broker.Queue) {
	o := query.Must(x.claim(n))
	if o != nil {
		if q, ok := o.Def.(*broker.Queue); ok && may(o) {
			return o, q
		}
	}
	panic(catalog.Cannot(verb, "service queue", base(n)))
}

func (x *run) alterQueue(n *ast.AlterQueueStatement) {
	if len(n.QueueOptions) == 0 {
		panic(sqlerr.NotSupported("ALTER QUEUE … REBUILD, REORGANIZE or MOVE TO"))
	}
	o, q := x.queue(n.Name, "alter", x.mayAlter)
	s := q.Settings()
	query.Check(x.queueSettings(&s, n.QueueOptions))
	query.Check(x.db.Broker.AlterQueue(x.tx, q, s))
	x.replace(o, q)
}

func (x *run) dropQueue(n *ast.DropQueueStatement) {
	o, q := x.queue(n.Name, "drop", x.mayDrop)
	query.Check(x.db.Broker.DropQueue(x.tx, q))
	x.db.Remove(x.tx, o)
}

// contracts resolves the contracts of a service.
func (x *run) contracts(list []*ast.ServiceContract, have []int32) []int32 {
	have = slices.Clone(have)
	for _, sc := range list {
		c := x.db.Broker.Contract(sc.Name.Value)
		if c == nil || !x.may("REFERENCES", onContract(c)) {
			panic(catalog.Cannot("find", "contract", sc.Name.Value))
		}
		if sc.Action == "Drop" {
			if !slices.Contains(have, c.ID) {
				panic(catalog.Cannot("find", "contract", sc.Name.Value))
			}
			have = slices.DeleteFunc(have, func(id int32) bool { return id == c.ID })
			continue
		}
		have = append(have, c.ID)
	}
	return have
}

// serviceQueue resolves ON QUEUE: the session needs REFERENCES on it.
func (x *run) serviceQueue(n *ast.SchemaObjectName) *broker.Queue {
	o := x.lookup(n)
	if o != nil {
		if q, ok := o.Def.(*broker.Queue); ok && x.may("REFERENCES", catalog.OnObject(o)) {
			return q
		}
	}
	panic(catalog.Cannot("find", "service queue", base(n)))
}

func (x *run) createService(n *ast.CreateServiceStatement) {
	owner := x.brokerOwner("CREATE SERVICE", n.Owner)
	q := x.serviceQueue(n.QueueName)
	ids := x.contracts(n.ServiceContracts, nil)
	query.Must(x.db.Broker.CreateService(x.tx, n.Name.Value, owner, q, ids))
}
