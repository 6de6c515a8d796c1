// A subscriber's endpoint for Waybill, whole, with nothing but Go's standard library.
//
// It verifies each request over its raw bytes, acts on each webhook-id once, and acknowledges fast. Copy it and put
// your own effect where act is called.
//
//	go run . -cert cert.pem -key key.pem -secret-file secret [-host ADDRESS] [-port 8443]
//
// It listens on this machine alone unless -host is given. The secret file holds one whsec_... a line: while a secret is
// being replaced, the old and the new one. What the headers and the answers mean: docs/subscriber-protocol.md.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// A request that is further off than this, either way, is taken for a recorded one that somebody sends again.
	tolerance = 300 * time.Second
	// The sender's limit is 1 MiB unless its operator raised it.
	maxBytes = 1 << 20
	// Longer than a sender keeps an idle connection, so that it never meets one that is just closing.
	keepAlive = 60 * time.Second
)

// A drill of the sender: four parts, where a delivery's key has three, whatever its shipment is called.
var drill = regexp.MustCompile(`^drill:[^:]+:[^:]+:[0-9]+$`)

// keysOf are the keys of whsec_... secrets. It fails where there is none, or where one is not the base64 of 24 to 64
// bytes: with a short or an empty key anybody can sign. The error never repeats a secret.
func keysOf(secrets []string) ([][]byte, error) {
	if len(secrets) == 0 {
		return nil, errors.New("there is no secret")
	}
	var keys [][]byte
	for i, secret := range secrets {
		encoded, found := strings.CutPrefix(secret, "whsec_")
		key, err := base64.StdEncoding.Strict().DecodeString(encoded)
		if !found || err != nil || len(key) < 24 || len(key) > 64 {
			return nil, fmt.Errorf("secret %d is not whsec_ and the base64 of 24 to 64 bytes", i+1)
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// verify answers "valid", "invalid" or "old", by Standard Webhooks v1. One fitting signature is enough: while a secret
// is being replaced the request brings two, and the receiver may hold two. "old" has a fitting signature and a
// timestamp that is too far from now, past or future.
func verify(keys [][]byte, header http.Header, body []byte, now time.Time) string {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseUint(timestamp, 10, 50)
	if id == "" || err != nil {
		return "invalid"
	}
	fits := false
	for _, key := range keys {
		mac := hmac.New(sha256.New, key)
		io.WriteString(mac, id+"."+timestamp+".")
		mac.Write(body)
		wanted := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		// Every pair is compared, each in constant time: how long it takes tells nothing about what would have fitted.
		for _, given := range strings.Split(header.Get("webhook-signature"), " ") {
			if hmac.Equal([]byte(given), wanted) {
				fits = true
			}
		}
	}
	if !fits {
		return "invalid"
	}
	if off := now.Sub(time.Unix(int64(seconds), 0)); off > tolerance || off < -tolerance {
		return "old"
	}
	return "valid"
}

// act is where the effect takes place: once for each key, and not for a version that a newer one has overtaken. Where
// it returns an error, the request is answered with 503 and comes again. Two versions of a shipment may be in here at
// once.
func act(key string, body []byte) error { return nil }

// memory is which keys were acted on, and which are being handled. In a service: a table with the key as its primary
// key, written in the same transaction as the effect, so that the database lets only one of two requests through.
type memory struct {
	sync.Mutex
	done   map[string]bool
	newest map[string]uint64
	inHand map[string]bool
}

func newMemory() *memory {
	return &memory{done: map[string]bool{}, newest: map[string]uint64{}, inHand: map[string]bool{}}
}

// accept acts, unless the key was acted on or a newer version of its shipment was. Not accepted is "not now": act
// failed, or the sender has come again while an earlier request with this key is still being handled.
func (m *memory) accept(key string, body []byte) (accepted, duplicate, older bool) {
	// A key is shipment:subscriber:version. It is signed, the headers that repeat its parts are not.
	at := strings.LastIndex(key, ":")
	shipment := key[:max(at, 0)]
	version, _ := strconv.ParseUint(key[at+1:], 10, 64)
	m.Lock()
	duplicate = m.done[key]
	older = !duplicate && version < m.newest[shipment]
	claimed := !m.inHand[key]
	m.inHand[key] = true
	m.Unlock()
	if !claimed {
		return false, duplicate, older
	}
	defer func() { // also where act panics
		m.Lock()
		defer m.Unlock()
		delete(m.inHand, key)
		if accepted {
			m.done[key] = true
			m.newest[shipment] = max(version, m.newest[shipment])
		}
	}()
	if !duplicate && !older && !drill.MatchString(key) {
		if err := act(key, body); err != nil {
			log.Printf("receiver: act failed: %v", err)
			return false, duplicate, older
		}
	}
	return true, duplicate, older
}

// line is what is printed of each request, before it is answered. Null is what there was not.
type line struct {
	Key          string  `json:"key"`
	Attempt      *int    `json:"attempt"`
	AtMs         int64   `json:"atMs"`
	BodySha256   *string `json:"bodySha256"`
	BodyBytes    int     `json:"bodyBytes"`
	Signature    *string `json:"signature"`
	Duplicate    bool    `json:"duplicate"`
	Older        bool    `json:"older"`
	Status       *int    `json:"status"`
	AnsweredAtMs *int64  `json:"answeredAtMs"`
}

type receiver struct {
	keys   [][]byte
	memory *memory
	out    *json.Encoder
	mutex  sync.Mutex
}

func (r *receiver) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, maxBytes))
	said := line{
		Key:       request.Header.Get("webhook-id"),
		Attempt:   attemptOf(request.Header.Get("waybill-attempt")),
		AtMs:      time.Now().UnixMilli(),
		BodyBytes: len(body),
	}
	if err == nil {
		digest := sha256.Sum256(body)
		inHex, signature := hex.EncodeToString(digest[:]), verify(r.keys, request.Header, body, time.Now())
		said.BodySha256, said.Signature = &inHex, &signature
	}
	var tooLong *http.MaxBytesError
	var status int
	switch {
	case errors.As(err, &tooLong):
		status = http.StatusRequestEntityTooLarge
	case err != nil || request.Context().Err() != nil:
		r.write(said)
		panic(http.ErrAbortHandler) // the sender is gone; returned from, the request would be answered with 200
	case request.Method != http.MethodPost:
		status = http.StatusMethodNotAllowed
	case *said.Signature != "valid":
		status = http.StatusUnauthorized
	default:
		var accepted bool
		accepted, said.Duplicate, said.Older = r.memory.accept(said.Key, body)
		status = http.StatusNoContent
		if !accepted {
			status = http.StatusServiceUnavailable
		}
	}
	now := time.Now().UnixMilli()
	said.Status, said.AnsweredAtMs = &status, &now
	// On record before it is on the wire: nothing that follows from an answer can look earlier than the answer.
	r.write(said)
	response.WriteHeader(status)
}

func (r *receiver) write(said line) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.out.Encode(said)
}

func attemptOf(text string) *int {
	attempt, err := strconv.ParseUint(text, 10, 30)
	if err != nil || attempt == 0 {
		return nil
	}
	number := int(attempt)
	return &number
}

func main() {
	cert := flag.String("cert", "", "PEM file")
	key := flag.String("key", "", "PEM file")
	secretFile := flag.String("secret-file", "", "one whsec_... a line")
	host := flag.String("host", "127.0.0.1", "where it listens")
	port := flag.Int("port", 0, "0 takes a free one")
	flag.Parse()
	text, err := os.ReadFile(*secretFile)
	if err != nil {
		log.Fatalf("receiver: %v", err)
	}
	keys, err := keysOf(strings.Fields(string(text)))
	if err != nil {
		log.Fatalf("receiver: %v", err)
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(*host, strconv.Itoa(*port)))
	if err != nil {
		log.Fatalf("receiver: %v", err)
	}
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	server := &http.Server{
		Handler:           &receiver{keys: keys, memory: newMemory(), out: out},
		IdleTimeout:       keepAlive,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       60 * time.Second,
		TLSConfig:         &tls.Config{MinVersion: tls.VersionTLS12},
		ErrorLog:          log.New(os.Stderr, "receiver: ", 0),
	}
	_, taken, _ := net.SplitHostPort(listener.Addr().String())
	fmt.Printf("listening on https://%s/\n", net.JoinHostPort(*host, taken))
	log.Fatal(server.ServeTLS(listener, *cert, *key))
}
