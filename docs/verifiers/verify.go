package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"regexp"
	"strconv"
	"time"
)

var wholeSeconds = regexp.MustCompile(`\A[0-9]{1,12}\z`)

// IsFromParley takes the body as it came, the two headers, and the whole whsec_… string.
func IsFromParley(rawBody []byte, timestamp, signature, secret string, now time.Time) bool {
	if !wholeSeconds.MatchString(timestamp) {
		return false
	}
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return false
	}
	if age := now.Unix() - seconds; age > 300 || age < -300 {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(rawBody)
	expected := "v1=" + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(expected), []byte(signature))
}
