package supplied

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/big"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// random is the generator of a session's DBMS_RANDOM: the kernel's seed decides, unless SEED was called. Oracle
// documents no algorithm; here it is SplitMix64, so that the same SEED gives the same sequence, but another than there.
type random struct {
	seeded bool
	state  uint64
}

func (c *call) seed(n uint64) { c.s.Supplied().random = random{seeded: true, state: n} }

// next returns 64 random bits.
func (c *call) next() uint64 {
	r := &c.s.Supplied().random
	if !r.seeded {
		var b [8]byte
		c.kernel().Random(b[:])
		return binary.BigEndian.Uint64(b[:])
	}
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// fraction returns a NUMBER from 0 on and below 1, of 38 digits.
func (c *call) fraction() (value.Value, error) {
	const half = 1e19 // 19 digits are as many as 64 bits hold
	m := big.NewInt(0)
	for range 2 {
		m.Mul(m, new(big.Int).SetUint64(half)).Add(m, new(big.Int).SetUint64(c.next()%half))
	}
	return datatype.NewNumber(m, 38)
}

// uniform returns a number above 0 and up to 1.
func (c *call) uniform() float64 { return float64(c.next()>>11+1) / (1 << 53) }

func seedRandom(c *call) error {
	c.seed(uint64(c.whole("VAL")))
	return nil
}

var randomness = natives{
	"SEED": seedRandom, "INITIALIZE": seedRandom,
	"SEED#2": func(c *call) error {
		h := fnv.New64a()
		h.Write([]byte(c.text("VAL")))
		c.seed(h.Sum64())
		return nil
	},
	"VALUE": func(c *call) error {
		v, err := c.fraction()
		c.Return(v)
		return err
	},
	"VALUE#2": func(c *call) error {
		low, high := c.Arg("LOW"), c.Arg("HIGH")
		if low.IsNull() || high.IsNull() {
			return nil
		}
		v, err := c.fraction()
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
		f := value.NewFloat(math.Sqrt(-2*math.Log(c.uniform())) * math.Cos(2*math.Pi*c.uniform())) // Box and Muller
		v, err := datatype.Convert(f, datatype.Of(datatype.BinaryDouble), datatype.Of(datatype.Number), c.s.Format(true))
		c.Return(v)
		return err
	},
	"STRING":    randomString,
	"RANDOM":    func(c *call) error { c.returnInt(int64(int32(c.next()))); return nil },
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
		out[i] = alphabet[c.next()%uint64(len(alphabet))]
	}
	c.returnText(string(out))
	return nil
}
