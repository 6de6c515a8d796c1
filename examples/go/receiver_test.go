package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The vectors lie beside the page about the protocol.
func TestVectors(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "signature-vectors.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Vectors []struct {
			Name, Reason string
			Valid        bool
			Secrets      []string
			Headers      map[string]string
			Body         struct {
				Base64 string
				Repeat int
			}
			NowSeconds int64
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Vectors) == 0 {
		t.Fatal("no vectors")
	}
	for _, vector := range file.Vectors {
		t.Run(vector.Name, func(t *testing.T) {
			keys, err := keysOf(vector.Secrets)
			if err != nil {
				t.Fatal(err)
			}
			header := http.Header{}
			for name, value := range vector.Headers {
				header.Set(name, value)
			}
			body := bytes.Repeat(decoded(t, vector.Body.Base64), max(vector.Body.Repeat, 1))
			wanted := "invalid"
			if vector.Valid {
				wanted = "valid"
			} else if strings.HasPrefix(vector.Reason, "old") || strings.HasPrefix(vector.Reason, "future") {
				wanted = "old"
			}
			if got := verify(keys, header, body, time.Unix(vector.NowSeconds, 0)); got != wanted {
				t.Errorf("%s, and not %s: %s", got, wanted, vector.Reason)
			}
		})
	}
}

func decoded(t *testing.T, text string) []byte {
	t.Helper()
	bytes, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return bytes
}
