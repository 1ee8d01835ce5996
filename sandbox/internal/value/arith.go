package value

import "math/big"

// AppendBytesKey appends an image of bytes that sorts as they do: zeros are escaped, and two of them end it.
func AppendBytesKey(dst []byte, s string) []byte {
	for i := range len(s) {
		if s[i] == 0 {
			dst = append(dst, 0, 0xFF)
		} else {
			dst = append(dst, s[i])
		}
	}
	return append(dst, 0, 0)
}

// DivRound divides, rounding half away from zero.
func DivRound(m, d *big.Int) *big.Int {
	q, r := new(big.Int).QuoRem(m, d, new(big.Int))
	r.Abs(r).Lsh(r, 1)
	if r.CmpAbs(d) >= 0 {
		q.Add(q, big.NewInt(int64(m.Sign())*int64(d.Sign())))
	}
	return q
}
