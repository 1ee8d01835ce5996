package supplied

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/parser"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plsql"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// library resolves the supplied packages, and nothing else.
type library map[string]*plsql.Unit

func (l library) Table(*ast.Ref, string) (*catalog.Object, error)                 { return nil, catalog.ErrNoTable() }
func (l library) Operand(ast.Expr, func(ast.Expr) *plan.Expr) (*plan.Expr, error) { return nil, nil }
func (l library) Uses(*catalog.Object)                                            {}
func (l library) Unit(ref *ast.Ref) (u *plsql.Unit, rest []ast.Name, err error) {
	u = l[ref.Parts[0].Text]
	if u == nil {
		return nil, nil, nil
	}
	return u, ref.Parts[1:], nil
}

// compiled returns the packages, compiled.
func compiled(t *testing.T) library {
	t.Helper()
	l := library{}
	for _, p := range Packages() {
		u, errs := plsql.CompileUnit(l, catalog.Sys, specification(t, p), nil)
		require.Empty(t, errs, p.Name)
		require.NoError(t, u.SetNatives(p.Natives), p.Name)
		l[p.Name] = u
	}
	return l
}

// host runs blocks in a session of the rig.
type host struct {
	*session
	plsql     plsql.State
	instances map[*plsql.Unit]*plsql.Instance
}

func (h *host) State() *plsql.State               { return &h.plsql }
func (h *host) HandlesBreaks() bool               { return false }
func (h *host) Tick() error                       { return nil }
func (h *host) Enter(*plsql.Unit) (func(), error) { return func() {}, nil }
func (h *host) Package(u *plsql.Unit) (*plsql.Instance, error) {
	if i := h.instances[u]; i != nil {
		return i, nil
	}
	i := plsql.NewInstance(u, nil)
	h.instances[u] = i
	return i, i.Initialize(h)
}

// run runs a block and returns its output.
func (h *host) run(l library, text string) (string, error) {
	h.t.Helper()
	st, err := parser.Statement(text)
	require.NoError(h.t, err, text)
	b, err := plsql.CompileBlock(l, st, nil)
	require.NoError(h.t, err, text)
	h.state.Output = Output{}
	h.must("DBMS_OUTPUT.ENABLE", given())
	err = b.Run(h, nil)
	return strings.Join(h.state.Output.get(1000), "\n"), err
}

func (h *host) Snapshot() store.Snapshot { return h.tx.Snapshot() }
func (h *host) Serializable() bool       { return false }
func (h *host) Track(*plan.Rows)         {}
func (h *host) Untrack(*plan.Rows)       {}

// scope is the scope of SQL statements over the dictionary.
type scope struct{ *host }

func (s scope) Operand(ast.Expr, func(ast.Expr) *plan.Expr) (*plan.Expr, error) { return nil, nil }
func (s scope) PLSQL() bool                                                     { return false }
func (s scope) Linguistic() bool                                                { return false }
func (s scope) Uses(*catalog.Object)                                            {}
func (s scope) Table(ref *ast.Ref, _ string) (*catalog.Object, error) {
	o, _, err := s.cat.Resolve(s.ViewContext().Rights, "APP", ref)
	return o, err
}

// query is a query for DBMS_SQL.
type query struct {
	prepared
	h  *host
	st *plan.Statement
}

func (q *query) Columns() []plan.Column { return q.st.Columns }

func (q *query) Execute([]*plsql.Bind) (*plsql.Result, error) {
	rows, err := q.st.Open(q.h)
	return &plsql.Result{Rows: rows}, err
}

func (h *host) query(text string) (plsql.Dynamic, error) {
	st, err := parser.Statement(text)
	if err != nil {
		return nil, err
	}
	compiled, err := plan.CompileStatement(scope{h}, st)
	return &query{h: h, st: compiled}, err
}

func newHost(s *session) *host {
	h := &host{session: s, instances: map[*plsql.Unit]*plsql.Instance{}}
	s.dynamic = h.query
	return h
}

func TestFetch(t *testing.T) {
	l := compiled(t)
	newRig(t).do(func(s *session) {
		got, err := newHost(s).run(l, `declare
			c integer := dbms_sql.open_cursor; n number; v varchar2(100); r integer;
			begin
			dbms_sql.parse(c, 'select level, ''text '' || level from dual connect by level <= 2', dbms_sql.native);
			dbms_sql.define_column(c, 1, n);
			dbms_sql.define_column(c, 2, v, 5);
			r := dbms_sql.execute(c);
			while dbms_sql.fetch_rows(c) > 0 loop
				dbms_output.put_line('row');
			end loop;
			begin
				r := dbms_sql.fetch_rows(c);
			exception when others then dbms_output.put_line(sqlcode);
			end;
			end;`)
		if err != nil {
			require.NoError(t, err, plsql.ErrorText(err))
		}
		require.Equal(t, "row\nrow\n-1002", got)
	})
}

// A dequeue waits for a message, or until it is interrupted.
func TestDequeueWaits(t *testing.T) {
	const receive = `declare d dbms_aq.dequeue_options_t; p dbms_aq.message_properties_t; b raw(10); id raw(16); begin
		d.wait := 60; dbms_aq.dequeue('Q', d, p, b, id); dbms_output.put_line(rawtohex(b)); end;`
	l := compiled(t)
	r := newRig(t)
	r.do(func(s *session) {
		_, err := newHost(s).run(l, `begin dbms_aqadm.create_queue_table('QT', 'RAW'); dbms_aqadm.create_queue('Q', 'QT'); dbms_aqadm.start_queue('Q'); end;`)
		require.NoError(t, err)
	})
	ends := func(waiter *session) { require.NoError(t, r.k.RunUntil(func() bool { return !r.live[waiter.sid] })) }
	waiter := r.session(func(s *session) {
		got, err := newHost(s).run(l, receive)
		require.NoError(t, err)
		require.Equal(t, "01", got)
		require.NoError(t, s.Commit(nil))
	})
	r.k.Advance(5 * time.Second)
	r.do(func(s *session) {
		_, err := newHost(s).run(l, `declare o dbms_aq.enqueue_options_t; p dbms_aq.message_properties_t; id raw(16); begin
			o.visibility := dbms_aq.immediate; dbms_aq.enqueue('Q', o, p, hextoraw('01'), id); end;`)
		require.NoError(t, err)
	})
	ends(waiter)
	require.Less(t, r.k.Now().Sub(kernel.Epoch), 10*time.Second)
	waiter = r.session(func(s *session) {
		_, err := newHost(s).run(l, receive)
		e, ok := errors.AsType[*sqlerr.Error](err)
		require.True(t, ok, "%v", err)
		require.EqualValues(t, 1013, e.Number)
	})
	r.k.Advance(5 * time.Second)
	waiter.task.Interrupt()
	ends(waiter)
}

func TestBlocks(t *testing.T) {
	l := compiled(t)
	r := newRig(t)
	r.do(func(s *session) {
		h := newHost(s)
		s.dynamic = func(string) (plsql.Dynamic, error) {
			return &prepared{kind: plsql.DynamicQuery, columns: []plan.Column{
				{Name: "N", Type: datatype.Type{ID: datatype.Number, Prec: 5, Scale: 2}}, {Name: "V", Type: datatype.Sized(datatype.Varchar2, 20), Nullable: true},
			}}, nil
		}
		for _, c := range []struct{ name, text, want string }{
			{"constants and defaults", `begin
				dbms_output.put_line(dbms_db_version.version || ' ' || dbms_lock.request(id => 7, timeout => 0, lockmode => dbms_lock.ss_mode));
				dbms_output.put_line(dbms_lock.request(7, dbms_lock.x_mode, 0) || ' ' || dbms_lock.release(id => 7) || ' ' || dbms_lock.release(7));
				end;`, "19 0\n4 0 4"},
			{"queues", `declare
				o dbms_aq.enqueue_options_t; d dbms_aq.dequeue_options_t; p dbms_aq.message_properties_t; q dbms_aq.message_properties_t;
				id raw(16); got raw(100);
				begin
				dbms_aqadm.create_queue_table(queue_table => 'QT', queue_payload_type => 'RAW', multiple_consumers => false, comment => 'x');
				dbms_aqadm.create_queue('Q', 'QT', max_retries => 2147483647, retry_delay => 0);
				dbms_aqadm.start_queue('Q');
				o.visibility := dbms_aq.on_commit;
				p.correlation := 'L1';
				dbms_aq.enqueue('APP.Q', o, p, hextoraw('0102'), id);
				d.dequeue_mode := dbms_aq.remove;
				d.navigation := dbms_aq.first_message;
				d.correlation := 'L1';
				d.wait := dbms_aq.no_wait;
				dbms_aq.dequeue('APP.Q', d, q, got, id);
				dbms_output.put_line(rawtohex(got) || ' ' || q.correlation || ' ' || q.priority || ' ' || q.expiration || ' ' || length(rawtohex(id)));
				begin
					dbms_aq.dequeue('APP.Q', d, q, got, id);
				exception when others then
					dbms_output.put_line(sqlcode);
					dbms_output.put_line(dbms_utility.format_error_backtrace);
				end;
				end;`, "0102 L1 1 -1 32\n-25228\nORA-06512: at \"SYS.DBMS_AQ\", line 59\nORA-06512: at line 18\n"},
			{"descriptions", `declare
				c integer := dbms_sql.open_cursor; n integer; t dbms_sql.desc_tab3; v varchar2(100);
				begin
				dbms_sql.parse(c, 'select', dbms_sql.native);
				dbms_sql.describe_columns3(c, n, t);
				for i in 1 .. n loop
					dbms_output.put_line(t(i).col_name || ' ' || t(i).col_type || ' ' || t(i).col_max_len || ' ' || t(i).col_precision || ' '
						|| t(i).col_scale || ' ' || case when t(i).col_null_ok then 'null' end);
					dbms_sql.define_column(c, i, v, 100);
				end loop;
				dbms_sql.close_cursor(c);
				dbms_output.put_line(nvl(to_char(c), 'closed'));
				end;`, "N 2 22 5 2 \nV 1 20 0 0 null\nclosed"},
			{"jobs", `begin
				dbms_scheduler.create_job(job_name => 'J', job_type => 'PLSQL_BLOCK', job_action => 'begin null; end;', enabled => false,
					repeat_interval => 'FREQ=MINUTELY', auto_drop => false, comments => 'c');
				dbms_scheduler.set_attribute(name => 'J', attribute => 'job_action', value => 'begin x; end;');
				dbms_scheduler.enable('J');
				dbms_scheduler.disable(name => 'J', force => true);
				dbms_scheduler.drop_job(job_name => 'J', force => false);
				end;`, ""},
			{"lines", `declare l dbms_output.chararr; n integer := 10; begin
				dbms_output.put_line('a'); dbms_output.put_line('b'); dbms_output.get_lines(l, n);
				dbms_output.put_line(n || l(1) || l(2) || l.count);
				end;`, "2ab2"},
			{"text", `declare v number := 1; begin
				dbms_output.put_line(dbms_assert.enquote_name('a', false) || dbms_lob.getlength(to_clob('abc')) || case when v < 2 then 'y' end);
				dbms_application_info.set_module('m', null);
				dbms_output.put_line(case when dbms_session.is_session_alive(dbms_session.unique_session_id) then 'alive' end);
				end;`, "\"a\"3y\nalive"},
		} {
			got, err := h.run(l, c.text)
			if err != nil {
				require.NoError(t, err, "%s: %s", c.name, plsql.ErrorText(err))
			}
			require.Equal(t, c.want, got, c.name)
		}
	})
}
