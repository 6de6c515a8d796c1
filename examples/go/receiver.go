// A subscriber's endpoint for Waybill, whole, with nothing but Go's standard library.
//
// It verifies each request over its raw bytes, acts on each webhook-id once, and acknowledges fast. Copy it and put
// your own effect where act is called.
//
//	go run . -cert cert.pem -key key.pem -secret-file secret [-port 8443]
//
// The secret file holds one whsec_... a line: while a secret is being replaced, the old and the new one. What the
// headers and the answers mean: docs/subscriber-protocol.md.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
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

// memory is which keys were acted on. In a service: a table with the key as its primary key, written in the same
// transaction as the effect.
type memory struct {
	sync.Mutex
	done   map[string]bool
	newest map[string]uint64
}

// accept acts unless the key was acted on, or a newer version of its shipment was; it says which of the two held.
func (m *memory) accept(key string, body []byte) (duplicate, older bool) {
	// A key is shipment:subscriber:version. It is signed, the headers that repeat its parts are not.
	at := strings.LastIndex(key, ":")
	shipment := key[:max(at, 0)]
	version, _ := strconv.ParseUint(key[at+1:], 10, 64)
	m.Lock()
	defer m.Unlock()
	duplicate = m.done[key]
	older = !duplicate && version < m.newest[shipment]
	if !duplicate && !older {
		act(body)
	}
	m.done[key] = true
	m.newest[shipment] = max(version, m.newest[shipment])
	return duplicate, older
}

// act is where the effect takes place: once for each key, and not for a version that a newer one has overtaken.
func act([]byte) {}

type line struct {
	Key       string `json:"key"`
	Attempt   string `json:"attempt"`
	Signature string `json:"signature"`
	Duplicate bool   `json:"duplicate"`
	Older     bool   `json:"older"`
	Status    int    `json:"status"`
}

type receiver struct {
	keys   [][]byte
	memory memory
	out    *json.Encoder
	mutex  sync.Mutex
}

func (r *receiver) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	said := line{Key: request.Header.Get("webhook-id"), Attempt: request.Header.Get("waybill-attempt")}
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, maxBytes))
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		said.Status = http.StatusRequestEntityTooLarge
	case err != nil:
		return // the sender has broken off
	case request.Method != http.MethodPost:
		said.Status = http.StatusMethodNotAllowed
	default:
		said.Signature = verify(r.keys, request.Header, body, time.Now())
		said.Status = http.StatusUnauthorized
		if said.Signature == "valid" {
			said.Duplicate, said.Older = r.memory.accept(said.Key, body)
			said.Status = http.StatusNoContent
		}
	}
	r.mutex.Lock()
	r.out.Encode(said)
	r.mutex.Unlock()
	response.WriteHeader(said.Status)
}

func main() {
	cert := flag.String("cert", "", "PEM file")
	key := flag.String("key", "", "PEM file")
	secretFile := flag.String("secret-file", "", "one whsec_... a line")
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
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", *port))
	if err != nil {
		log.Fatal(err)
	}
	server := &http.Server{
		Handler: &receiver{
			keys:   keys,
			memory: memory{done: map[string]bool{}, newest: map[string]uint64{}},
			out:    json.NewEncoder(os.Stdout),
		},
		IdleTimeout:       keepAlive,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       60 * time.Second,
		TLSConfig:         &tls.Config{MinVersion: tls.VersionTLS12},
		ErrorLog:          log.New(io.Discard, "", 0),
	}
	fmt.Printf("listening on https://%s/\n", listener.Addr())
	log.Fatal(server.ServeTLS(listener, *cert, *key))
}
