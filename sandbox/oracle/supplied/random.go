package supplied

import (
	"encoding/binary"
	"hash/fnv"
	"math/big"
	"math/rand/v2"

	"github.com/dbsched/dbsched/sandbox/kernel"
	"github.com/dbsched/dbsched/sandbox/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/value"
)

// random is the generator of a session's DBMS_RANDOM. Oracle documents no algorithm: with the same SEED it is the same
// sequence here, too, but another one; without, the kernel's seed decides.
type random struct{ *rand.Rand }

func (c *call) random() *rand.Rand {
	r := &c.s.Supplied().random
	if r.Rand == nil {
		r.Rand = fromKernel(c.kernel())
	}
	return r.Rand
}

func fromKernel(k *kernel.Kernel) *rand.Rand {
	var seed [16]byte
	k.Random(seed[:])
	return rand.New(rand.NewPCG(binary.BigEndian.Uint64(seed[:]), binary.BigEndian.Uint64(seed[8:])))
}

// fraction returns a NUMBER from 0 on and below 1, of 38 digits.
func fraction(r *rand.Rand) (value.Value, error) {
	m := big.NewInt(0)
	for range 2 {
		m.Mul(m, big.NewInt(1e18)).Mul(m, big.NewInt(10)).Add(m, new(big.Int).SetUint64(r.Uint64N(1e19)))
	}
	return datatype.NewNumber(m, 38)
}

func seedRandom(c *call) error {
	c.s.Supplied().random.Rand = rand.New(rand.NewPCG(uint64(c.whole("VAL")), 0))
	return nil
}

var randomness = natives{
	"SEED": seedRandom, "INITIALIZE": seedRandom,
	"SEED#2": func(c *call) error {
		h := fnv.New64a()
		h.Write([]byte(c.text("VAL")))
		c.s.Supplied().random.Rand = rand.New(rand.NewPCG(h.Sum64(), 1))
		return nil
	},
	"VALUE": func(c *call) error {
		v, err := fraction(c.random())
		c.Return(v)
		return err
	},
	"VALUE#2": func(c *call) error {
		low, high := c.Arg("LOW"), c.Arg("HIGH")
		if low.IsNull() || high.IsNull() {
			return nil
		}
		v, err := fraction(c.random())
		if err != nil {
			return err
		}
		width, err := datatype.SubNumbers(high, low)
		if err != nil {
			return err
		}
		if v, err = datatype.MulNumbers(v, width); err != nil {
			return err
		}
		v, err = datatype.AddNumbers(low, v)
		c.Return(v)
		return err
	},
	"NORMAL": func(c *call) error {
		f := value.NewFloat(c.random().NormFloat64())
		v, err := datatype.Convert(f, datatype.Of(datatype.BinaryDouble), datatype.Of(datatype.Number), c.s.Format(true))
		c.Return(v)
		return err
	},
	"STRING":    randomString,
	"RANDOM":    func(c *call) error { c.returnInt(int64(int32(c.random().Uint32()))); return nil },
	"TERMINATE": func(*call) error { return nil },
}

// randomString makes text of capital letters unless another alphabet is asked for.
func randomString(c *call) error {
	const (
		digits = "0123456789"
		lower  = "abcdefghijklmnopqrstuvwxyz"
		upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	)
	alphabet := upper
	switch c.text("OPT") {
	case "l", "L":
		alphabet = lower
	case "a", "A":
		alphabet = upper + lower
	case "x", "X":
		alphabet = upper + digits
	case "p", "P":
		b := make([]byte, 0, '~'-' '+1)
		for ch := byte(' '); ch <= '~'; ch++ {
			b = append(b, ch)
		}
		alphabet = string(b)
	}
	n := c.whole("LEN")
	if n > 32767 {
		return datatype.ErrNumeric("character string buffer too small")
	}
	out := make([]byte, max(0, n))
	for i := range out {
		out[i] = alphabet[c.random().IntN(len(alphabet))]
	}
	c.returnText(string(out))
	return nil
}
