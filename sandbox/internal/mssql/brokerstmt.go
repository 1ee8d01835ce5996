package mssql

import (
	"strings"
	"time"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/differ"
	"github.com/dbsched/dbsched/sandbox/internal/broker"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/plan"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/security"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/settings"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// brokerStatement executes Service Broker's conversation statements.
func (s *Session) brokerStatement(f *frame, st ast.Statement) {
	switch n := st.(type) {
	case *ast.BeginDialogStatement:
		s.beginDialog(f, n)
		return
	case *ast.SendStatement:
		s.send(f, n)
		return
	case *ast.ReceiveStatement:
		s.receive(f, n, n, broker.ReceiveSpec{})
		return
	case *ast.EndConversationStatement:
		s.endConversation(f, n)
		return
	case *ast.BeginConversationTimerStatement:
		s.conversationTimer(f, n)
		return
	}
	panic(sqlerr.NotSupported("%T", st))
}

func (s *Session) broker() *broker.Database { return s.db.Broker }

func (s *Session) service(f *frame, key any, n *ast.IdentifierOrValueExpression) *broker.Service {
	name := query.Must(s.nameOrValue(f, key, n))
	svc := s.broker().Service(name)
	if svc == nil {
		panic(catalog.Cannot("find", "service", name))
	}
	return svc
}

func (s *Session) beginDialog(f *frame, n *ast.BeginDialogStatement) {
	from := s.service(f, n, n.InitiatorServiceName)
	vals := s.scalars(f, n, n.TargetServiceName, n.InstanceSpec)
	spec := broker.BeginSpec{From: from, To: textOf(vals[0]), ToInstance: textOf(vals[1]), Encryption: true, Principal: s.token().User}
	if n.ContractName != nil {
		name := query.Must(s.nameOrValue(f, n, n.ContractName))
		if spec.Contract = s.broker().Contract(name); spec.Contract == nil {
			panic(catalog.Cannot("find", "contract", name))
		}
	}
	for _, o := range n.Options {
		s.dialogOption(f, n, o, &spec)
	}
	s.checkQueue(from.Queue, "RECEIVE")
	handle, ok := n.Handle.(*ast.VariableReference)
	if !ok {
		panic(sqlerr.NotSupported("BEGIN DIALOG without a variable"))
	}
	query.Check(s.atomic(true, func() error {
		h, err := s.broker().BeginDialog(s.tran.Tx, spec)
		if err != nil {
			return err
		}
		return f.store(handle.Name, value.NewGUID(h), typeGUID)
	}))
}

func (s *Session) dialogOption(f *frame, n any, o ast.DialogOption, spec *broker.BeginSpec) {
	switch opt := o.(type) {
	case *ast.OnOffDialogOption:
		spec.Encryption = strings.EqualFold(opt.OptionState, "On")
		return
	case *ast.ScalarExpressionDialogOption:
		if strings.EqualFold(opt.OptionKind, "Lifetime") {
			v := query.Must(s.converted(f, n, opt.Value, typeInt))
			lifetime := time.Duration(v.Int64()) * time.Second
			spec.Lifetime = &lifetime
			return
		}
		panic(sqlerr.NotSupported("BEGIN DIALOG option %s", opt.OptionKind))
	}
	panic(sqlerr.NotSupported("BEGIN DIALOG option %T", o))
}

// checkQueue requires a permission on a queue. Ownership chains do not apply to conversations.
func (s *Session) checkQueue(q *broker.Queue, permission string) {
	o := s.db.ObjectByID(q.ID)
	if o == nil {
		panic(catalog.Cannot("find", "queue", q.Name))
	}
	s.check(nil, permission, o)
}

// checkConversation accepts the owner of a conversation and members of db_owner (END CONVERSATION, Permissions). It is not documented
// which error others get from SQL Server, or whether permissions on the service help them.
func (s *Session) checkConversation(h broker.Handle) error {
	owner, found, err := s.broker().OwnerOf(s.tran.Tx, h)
	if tok := s.token(); err != nil || !found || tok.Dbo || tok.Is(catalog.RoleOwner) || tok.Is(owner) {
		return err
	}
	return sqlerr.NotSupported("the use of a conversation by somebody who does not own it")
}

// handleOf computes a conversation handle.
func (s *Session) handleOf(f *frame, key any, e ast.ScalarExpression) broker.Handle {
	v := query.Must(s.converted(f, key, e, typeGUID))
	if v.IsNull() {
		panic(message.MS(8418))
	}
	return v.GUIDBytes()
}

func (s *Session) send(f *frame, n *ast.SendStatement) {
	typeName := query.Must(s.nameOrValue(f, n, n.MessageTypeName))
	body := value.NewBytes(nil)
	if n.MessageBody != nil {
		body = query.Must(s.messageBody(f, n))
	}
	var handles []broker.Handle
	for _, h := range n.ConversationHandles {
		handle := s.handleOf(f, n, h)
		handles = append(handles, handle)
	}
	query.Check(s.atomic(true, func() error {
		for _, h := range handles {
			if err := s.checkConversation(h); err != nil {
				return err
			}
			if err := s.broker().Send(s.tran.Tx, h, typeName, body); err != nil {
				return err
			}
		}
		return nil
	}))
}

func (s *Session) messageBody(f *frame, n *ast.SendStatement) (value.Value, error) {
	v, t, err := s.typed(f, n, n.MessageBody)
	if err != nil {
		return v, err
	}
	return datatype.Convert(v, t, datatype.Type{ID: datatype.VarBinary, Len: datatype.Max}, datatype.NoStyle, datatype.Explicit)
}

func (s *Session) endConversation(f *frame, n *ast.EndConversationStatement) {
	h := s.handleOf(f, n, n.Conversation)
	spec := broker.EndSpec{Cleanup: n.WithCleanup, WithError: n.ErrorCode != nil}
	if spec.WithError {
		vals := s.scalars(f, n, n.ErrorCode, n.ErrorDescription)
		spec.Code, spec.Description = int32(vals[0].Int64()), textOf(vals[1])
	}
	query.Check(s.atomic(true, func() error {
		if err := s.checkConversation(h); err != nil {
			return err
		}
		return s.broker().EndConversation(s.tran.Tx, h, spec)
	}))
}

func (s *Session) conversationTimer(f *frame, n *ast.BeginConversationTimerStatement) {
	h := s.handleOf(f, n, n.Handle)
	seconds := query.Must(s.converted(f, n, n.Timeout, typeInt))
	query.Check(s.atomic(true, func() error {
		if err := s.checkConversation(h); err != nil {
			return err
		}
		return s.broker().ConversationTimer(s.tran.Tx, h, time.Duration(seconds.Int64())*time.Second)
	}))
}

func (s *Session) queue(f *frame, name *ast.SchemaObjectName) *broker.Queue {
	o := s.objectOfKind(f, name, catalog.Queue)
	s.check(nil, "RECEIVE", o)
	return o.Def.(*broker.Queue)
}

// waitForMessage runs WAITFOR (RECEIVE …).
func (s *Session) waitForMessage(f *frame, n *ast.WaitForStatement) {
	wait := time.Duration(-1)
	if n.Timeout != nil {
		ms := query.Must(s.converted(f, n, n.Timeout, typeInt))
		if !ms.IsNull() && ms.Int64() >= 0 {
			wait = time.Duration(ms.Int64()) * time.Millisecond
		}
	}
	s.waiting = "BROKER_RECEIVE_WAITFOR"
	defer func() { s.waiting = "" }()
	switch inner := n.Statement.(type) {
	case *ast.ReceiveStatement:
		s.receive(f, n, inner, broker.ReceiveSpec{Waiting: true, Wait: wait})
		return
	}
	panic(sqlerr.NotSupported("WAITFOR (%T)", n.Statement))
}

// receivedName is the hidden table variable that a RECEIVE's select list reads. No declared variable can have this name.
const receivedName = "@ received"

// receivedTable defines it, with the columns of a queue.
func receivedTable() *catalog.Table {
	t := &catalog.Table{Identity: -1, Temp: true}
	for i, c := range []struct {
		name string
		t    datatype.Type
	}{
		{"status", datatype.Type{ID: datatype.TinyInt}}, {"priority", datatype.Type{ID: datatype.TinyInt}}, {"queuing_order", typeBigInt},
		{"conversation_group_id", typeGUID}, {"conversation_handle", typeGUID}, {"message_sequence_number", typeBigInt},
		{"service_name", nvarchar(512)}, {"service_id", typeInt}, {"service_contract_name", nvarchar(256)}, {"service_contract_id", typeInt},
		{"message_type_name", nvarchar(256)}, {"message_type_id", typeInt}, {"validation", datatype.Type{ID: datatype.NChar, Len: 2}},
		{"message_body", datatype.Type{ID: datatype.VarBinary, Len: datatype.Max}}, {"message_enqueue_time", typeDateTime},
	} {
		t.Columns = append(t.Columns, catalog.Column{ID: int32(i + 1), Name: c.name, Type: c.t, Nullable: true})
	}
	return t
}

// receive runs RECEIVE. Its select list is a SELECT over the received messages; an assigned variable gets the value
// of the last message, and keeps its own if there is no message.
func (s *Session) receive(f *frame, key any, n *ast.ReceiveStatement, spec broker.ReceiveSpec) {
	q := s.queue(f, n.Queue)
	spec.Top = -1
	if n.Top != nil {
		top := query.Must(s.converted(f, key, n.Top, typeBigInt))
		spec.Top = top.Int64()
	}
	if n.Where != nil {
		panic(sqlerr.NotSupported("RECEIVE … WHERE"))
	}
	p := query.Must(planned(s, f, n, func(sc scope) (*plan.Statement, error) { return plan.CompileStatement(sc, receiveProjection(n)) }))
	var rows []value.Row
	query.Check(s.atomic(true, func() error {
		spec.Project = func(ms []broker.Message) (err error) {
			rows, err = s.project(f, p, ms)
			return err
		}
		_, err := s.broker().Receive(s.tran.Tx, q, spec)
		return err
	}))
	s.rowCount = int64(len(rows))
	if p.Columns != nil {
		s.out.Columns(p.Columns)
		for _, r := range rows {
			s.out.Row(r)
		}
		s.done(Select, s.rowCount, true)
	}
}

// receiveProjection is SELECT <select list> FROM the received messages, or INSERT INTO @table of it.
func receiveProjection(n *ast.ReceiveStatement) ast.Statement {
	q := &ast.QuerySpecification{
		UniqueRowFilter: "NotSpecified", SelectElements: n.SelectElements,
		FromClause: &ast.FromClause{TableReferences: []ast.TableReference{
			&ast.VariableTableReference{Variable: &ast.VariableReference{Name: receivedName}},
		}},
	}
	if n.Into != nil {
		return &ast.InsertStatement{InsertSpecification: &ast.InsertSpecification{
			InsertOption: "Into", Target: n.Into, InsertSource: &ast.SelectInsertSource{Select: q},
		}}
	}
	return &ast.SelectStatement{QueryExpression: q}
}

// project evaluates the select list over messages.
func (s *Session) project(f *frame, p *plan.Statement, ms []broker.Message) ([]value.Row, error) {
	slot, _, err := f.lookup(receivedName)
	if err != nil {
		return nil, err
	}
	f.tables[slot] = s.freshTable(f.code.variables[slot].table, receivedName)
	for _, m := range ms {
		if _, err := s.tran.Tx.Insert(f.tables[slot].Data, m.Row()); err != nil {
			return nil, err
		}
	}
	s.tran.Tx.NewStatement()
	var rows []value.Row
	n, err := p.RunWith(s, nil, func(r value.Row) error {
		rows = append(rows, append(value.Row(nil), r...))
		return nil
	})
	if p.Columns == nil {
		rows = make([]value.Row, n)
		if len(rows) == 0 && len(ms) > 0 {
			rows = make([]value.Row, len(ms))
		}
	}
	return rows, err
}

// queueRows returns the messages of a queue for a SELECT.
func (s *Session) queueRows(o *catalog.Object) []value.Row {
	return o.Def.(*broker.Queue).Rows(s.tran.Tx)
}

// activate starts a session for a queue monitor: it implements broker.Activator.
func (srv *Server) activate(q *broker.Queue, done func()) int {
	db := srv.databaseOf(q.Database)
	s := srv.newSession(srv.catalog.LoginByName("sa"), db, true)
	a := q.Settings().Activation
	user := a.ExecuteAs
	if user == broker.ExecuteAsOwner {
		if o := db.ObjectByID(q.ID); o != nil {
			user = o.Owner
		}
	}
	s.program = ""
	s.who.Start(security.Context{Home: db, Token: db.UserToken(user)})
	if s.set = settings.Activation(); srv.k.Differs(differ.ActivationHasDatabaseOptions) {
		s.set.ANSIPadding, s.set.ANSIWarnings, s.set.ANSINullDfltOn, s.set.ConcatNullYieldsNull = false, false, false, false
	}
	srv.reuse(s, q.ID)
	srv.runActivated(s, q, a.Procedure, done)
	return s.spid
}

// reuse gives the session of an activation, which has not begun, what it has of the queue's last one.
func (srv *Server) reuse(s *Session, queue int32) {
	last, clean, kept := srv.activations[queue], srv.k.Differs(differ.ActivationReusesSession), srv.k.Differs(differ.ActivationKeepsState)
	if !clean && !kept {
		return
	}
	if last != nil && srv.Session(last.spid) == nil {
		srv.sessions.Delete(s.spid)
		s.spid, s.loginTime = last.spid, last.loginTime
		srv.sessions.Set(s.spid, s)
		if kept {
			s.context, s.contextInfo = last.context, last.contextInfo
		}
	}
	srv.activations[queue] = s
}

func (srv *Server) runActivated(s *Session, q *broker.Queue, procedure string, done func()) {
	srv.spawn(s, "activation "+q.Name, func() {
		defer done()
		if err := s.enter(s.db); err != nil {
			return
		}
		s.active, s.lastStart, s.command = true, srv.k.Now(), "BRKR TASK"
		s.out = discard{func(text string) {
			srv.log("The activated proc '" + procedure + "' running on queue '" + s.db.Name + "." + q.Schema + "." + q.Name + "' output the following: '" + text + "'")
		}}
		s.runTop(func(f *frame) error {
			name, err := splitName(procedure)
			if err != nil {
				return err
			}
			_, err = s.callByName(f, name, nil)
			return err
		})
	})
}
