// Asks the standardwebhooks library for Go about requests: a JSON array on stdin, one answer for each on stdout.
package main

import (
	"encoding/base64"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"strings"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

type request struct {
	Secrets []string          `json:"secrets"`
	Headers map[string]string `json:"headers"`
	Body    struct {
		Base64 string `json:"base64"`
		Repeat int    `json:"repeat"`
	} `json:"body"`
	// The library reads the clock itself; a vector of another day is judged by its signature alone.
	IgnoreTimestamp bool `json:"ignoreTimestamp"`
}

func accepts(r request) bool {
	body, err := base64.StdEncoding.DecodeString(r.Body.Base64)
	if err != nil {
		log.Fatal(err)
	}
	whole := []byte(strings.Repeat(string(body), max(r.Body.Repeat, 1)))
	header := http.Header{}
	for name, value := range r.Headers {
		header.Set(name, value)
	}
	for _, secret := range r.Secrets {
		webhook, err := standardwebhooks.NewWebhook(secret)
		if err != nil {
			log.Fatal(err)
		}
		verify := webhook.Verify
		if r.IgnoreTimestamp {
			verify = webhook.VerifyIgnoringTimestamp
		}
		if verify(whole, header) == nil {
			return true
		}
	}
	return false
}

func main() {
	var requests []request
	if err := json.NewDecoder(os.Stdin).Decode(&requests); err != nil {
		log.Fatal(err)
	}
	answers := make([]bool, len(requests))
	for i, r := range requests {
		answers[i] = accepts(r)
	}
	json.NewEncoder(os.Stdout).Encode(answers)
}
