package tns

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha1"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"strings"
)

// Verifier types as AUTH_VFR_DATA names them (auth_object.go).
const (
	verifier11g = 6949
	verifier12c = 18453
)

// Iterations of PBKDF2: the minimum that clients accept.
const (
	generationCount = 4096 // for the verifier
	derivationCount = 3    // for the key that encrypts the password on the wire
)

// Verifier is what is stored for a password: enough to check one, not to reveal it. The
// same bytes are in SYS.USER$.SPARE4 as S: and T:.
type Verifier struct {
	kind int
	salt []byte
	key  []byte
}

// NewVerifier returns a verifier of Oracle 12c: SHA-512 over PBKDF2. It takes
// milliseconds to make, and again to check.
func NewVerifier(password string) *Verifier { return newVerifier(verifier12c, password, random(16)) }

// NewVerifier11g returns a verifier of Oracle 11g: salted SHA-1. It costs nothing.
func NewVerifier11g(password string) *Verifier {
	return newVerifier(verifier11g, password, random(10))
}

func newVerifier(kind int, password string, salt []byte) *Verifier {
	v := &Verifier{kind: kind, salt: salt}
	if kind == verifier11g {
		h := sha1.Sum(append([]byte(password), salt...))
		v.key = append(h[:], 0, 0, 0, 0) // an AES-192 key
		return v
	}
	speedy := derive(password, append(bytes.Clone(salt), "AUTH_PBKDF2_SPEEDY_KEY"...), generationCount, 64)
	h := sha512.Sum512(append(speedy, salt...))
	v.key = h[:32]
	return v
}

// matches reports whether this is the verifier of a password.
func (v *Verifier) matches(password string) bool {
	return subtle.ConstantTimeCompare(newVerifier(v.kind, password, v.salt).key, v.key) == 1
}

// String does not show anything that helps an attack.
func (v *Verifier) String() string { return "tns.Verifier" }

// GoString prevents %#v from showing the hash.
func (v *Verifier) GoString() string { return "tns.Verifier" }

// unknownUser returns a verifier that no password matches.
func unknownUser() *Verifier {
	return &Verifier{kind: verifier11g, salt: random(10), key: append(random(20), 0, 0, 0, 0)}
}

// random returns n random bytes; it cannot fail (crypto/rand.Read).
func random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b)
	return b
}

func derive(password string, salt []byte, iterations, length int) []byte {
	k, err := pbkdf2.Key(sha512.New, password, salt, iterations, length)
	if err != nil { // only for parameters that are not used here
		panic(err)
	}
	return k
}

// challenge is one O5LOGON handshake: the session key that only somebody who knows the password
// can read, and what derives a common key from it and the client's.
type challenge struct {
	verifier *Verifier
	key      []byte // the server's session key
	salt     []byte // for the common key
}

// sessionKey is the length of a session key. With 48 bytes, node-oracledb would combine them
// as 11g did, with MD5.
const sessionKey = 32

func newChallenge(v *Verifier) *challenge {
	return &challenge{verifier: v, key: random(sessionKey), salt: random(16)}
}

// append appends what is sent to the client.
func (c *challenge) append(b []byte) []byte {
	b = appendUint(append(b, msgParameter), 5)
	b = appendKeyVal(b, "AUTH_SESSKEY", hexText(cbc(c.verifier.key, c.key, true)), 1)
	b = appendKeyVal(b, "AUTH_VFR_DATA", hexText(c.verifier.salt), uint64(c.verifier.kind))
	b = appendKeyVal(b, "AUTH_PBKDF2_CSK_SALT", hexText(c.salt), 0)
	b = appendKeyVal(b, "AUTH_PBKDF2_VGEN_COUNT", fmt.Sprint(generationCount), 0)
	return appendKeyVal(b, "AUTH_PBKDF2_SDER_COUNT", fmt.Sprint(derivationCount), 0)
}

// answer checks what the client sent in AUTH_SESSKEY and AUTH_PASSWORD. If it is correct,
// it returns AUTH_SVR_RESPONSE, which shows the client that the server knew the
// password, too.
func (c *challenge) answer(sessKey, password string) (response string, ok bool) {
	theirs, err1 := hex.DecodeString(sessKey)
	sealed, err2 := hex.DecodeString(password)
	if err1 != nil || err2 != nil || len(theirs) != len(c.key) || len(sealed) < 32 || len(sealed)%aes.BlockSize != 0 {
		return "", false
	}
	theirs = cbc(c.verifier.key, theirs, false)
	n := len(c.verifier.key)
	common := derive(hexText(append(bytes.Clone(theirs[:n]), c.key[:n]...)), c.salt, derivationCount, n)
	plain := cbc(common, sealed, false)
	pad := int(plain[len(plain)-1])
	if pad < 1 || pad > aes.BlockSize || len(plain)-pad < aes.BlockSize {
		return "", false
	}
	// The first block is random.
	if !c.verifier.matches(string(plain[aes.BlockSize : len(plain)-pad])) {
		return "", false
	}
	proof := append(random(aes.BlockSize), "SERVER_TO_CLIENT"...)
	proof = append(proof, bytes.Repeat([]byte{aes.BlockSize}, aes.BlockSize)...)
	return hexText(cbc(common, proof, true)), true
}

// cbc encrypts or decrypts whole blocks, with an initialization vector of zeros.
func cbc(key, data []byte, encrypt bool) []byte {
	block, err := aes.NewCipher(key)
	if err != nil { // keys are made here and have 24 or 32 bytes
		panic(err)
	}
	out, iv := make([]byte, len(data)), make([]byte, aes.BlockSize)
	if encrypt {
		cipher.NewCBCEncrypter(block, iv).CryptBlocks(out, data)
	} else {
		cipher.NewCBCDecrypter(block, iv).CryptBlocks(out, data)
	}
	return out
}

func hexText(b []byte) string { return strings.ToUpper(hex.EncodeToString(b)) }
