package broker

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/store"
)

func TestMetadata(t *testing.T) {
	r := newRig(t)
	r.run(func(s *session) {
		d := s.d
		refused := func(number int32, fn func(tx *store.Txn) error) {
			t.Helper()
			s.requireError(s.stmt(fn), number)
		}
		require.Equal(t, int32(14), d.MessageType(TypeDefault).ID)
		require.Equal(t, int32(2), d.MessageType(TypeEndDialog).ID)
		require.Nil(t, d.MessageType("default"), "names compare byte by byte")
		refused(9663, func(tx *store.Txn) error { return d.DropMessageType(tx, d.MessageType(TypeDefault)) })
		refused(9663, func(tx *store.Txn) error { return d.DropContract(tx, d.Contract(ContractDefault)) })
		refused(2714, func(tx *store.Txn) error {
			_, err := d.CreateMessageType(tx, TypeDefault, 1)
			return err
		})
		s.service("S", plain())
		refused(2714, func(tx *store.Txn) error {
			_, err := d.CreateService(tx, "S", 1, s.queue("S"), nil)
			return err
		})
		refused(8404, func(tx *store.Txn) error {
			_, err := d.CreateService(tx, "S2", 1, s.queue("S"), []int32{6, 6})
			return err
		})
		refused(8403, func(tx *store.Txn) error {
			_, err := d.CreateContract(tx, "c", 1, []ContractMessage{{14, ByAny}, {14, ByTarget}})
			return err
		})
		refused(9614, func(tx *store.Txn) error {
			_, err := d.CreateQueue(tx, QueueSpec{ID: 2, Name: "Q", QueueSettings: activated("", 1)})
			return err
		})
		refused(9613, func(tx *store.Txn) error {
			q := activated("P", 1)
			q.Activation.ExecuteAs = 0
			return d.AlterQueue(tx, s.queue("S"), q)
		})

		s.begin()
		s.must(s.stmt(func(tx *store.Txn) error {
			m, err := d.CreateMessageType(tx, "m", 1)
			s.must(err)
			_, err = d.CreateContract(tx, "c", 1, []ContractMessage{{m.ID, ByAny}})
			s.must(err)
			_, err = d.CreateQueue(tx, QueueSpec{ID: 3, Schema: "dbo", Name: "Q", QueueSettings: plain()})
			s.must(err)
			require.Equal(t, []string{"Q", "S"}, names(d))
			return nil
		}))
		s.rollback()
		require.Nil(t, d.MessageType("m"))
		require.Nil(t, d.Contract("c"))
		require.False(t, d.Service("S").Accepts(firstUserID))
		require.Equal(t, []string{"S"}, names(d))
		require.Equal(t, int32(firstUserID+1), d.nextContract, "ids are not given twice")
	})
}

func names(d *Database) []string {
	var out []string
	for q := range d.Queues() {
		out = append(out, q.Name)
	}
	slices.Sort(out)
	return out
}

func TestDropContractEndsItsConversations(t *testing.T) {
	r := newRig(t)
	r.run(func(s *session) {
		s.service("S", plain())
		var c *Contract
		s.must(s.stmt(func(tx *store.Txn) (err error) {
			c, err = s.d.CreateContract(tx, "c", 1, []ContractMessage{{14, ByAny}})
			s.must(err)
			_, err = s.d.BeginDialog(tx, BeginSpec{From: s.d.Service("S"), To: "S", Contract: c})
			return err
		}))
		require.Len(t, s.endpoints(), 1)
		s.must(s.stmt(func(tx *store.Txn) error { return s.d.DropContract(tx, c) }))
		require.Empty(t, s.endpoints())
	})
}

func TestDatabasesByID(t *testing.T) {
	r := newRig(t)
	a, b := r.in.AddDatabase(9, false), r.in.AddDatabase(2, true)
	require.Equal(t, []*Database{b, r.d, a}, r.in.databases)
	require.False(t, a.Enabled())
	require.NotEqual(t, a.GUID(), b.GUID())
	r.in.RemoveDatabase(b)
	require.Equal(t, []*Database{r.d, a}, r.in.databases)
}

func TestDialogsBetweenDatabasesAreRefused(t *testing.T) {
	r := newRig(t)
	other := r.in.AddDatabase(9, true)
	r.run(func(s *session) {
		s.service("S", plain())
		s.must(s.stmt(func(tx *store.Txn) error {
			q, err := other.CreateQueue(tx, QueueSpec{ID: 1, Schema: "dbo", Name: "T", QueueSettings: plain()})
			s.must(err)
			_, err = other.CreateService(tx, "T", 1, q, []int32{6})
			return err
		}))
		for _, instance := range []string{"", other.GUID().String()} {
			var h Handle
			s.must(s.stmt(func(tx *store.Txn) (err error) {
				h, err = s.d.BeginDialog(tx, BeginSpec{From: s.d.Service("S"), To: "T", ToInstance: instance})
				return err
			}))
			s.requireError(s.trySend(h, "x"), 49999)
		}
		s.send(s.dialog("S", "T"), "x")
		require.Equal(t, []string{statusServiceUnknown}, s.waiting(), "CURRENT DATABASE is this one")
	})
}

func TestIterators(t *testing.T) {
	r := newRig(t)
	r.run(func(s *session) { s.service("S", plain()) })
	require.Len(t, slices.Collect(r.d.MessageTypes()), 6)
	require.Len(t, slices.Collect(r.d.Contracts()), 3)
	services := slices.Collect(r.d.Services())
	require.Len(t, services, 1)
	require.Same(t, services[0].Queue, r.d.Queue(services[0].Queue.ID))
	require.Nil(t, r.d.Queue(77))
	require.False(t, services[0].Queue.Dropped())
}
