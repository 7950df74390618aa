// Package webhook verifies the webhooks of msgsite.
package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const tolerance = 5 * time.Minute

var errNoSecret = errors.New("there is no secret")

// VerifyStandard returns true if webhook-signature contains a valid signature and the request was sent within the
// last five minutes. rawBody is the result of io.ReadAll, not JSON that was marshalled again.
func VerifyStandard(rawBody []byte, header http.Header, secret string, now time.Time) (bool, error) {
	key, err := keyOf(secret)
	if err != nil {
		return false, err
	}
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	sentAt, err := strconv.ParseInt(timestamp, 10, 64)
	if id == "" || err != nil {
		return false, nil
	}
	if age := now.Sub(time.Unix(sentAt, 0)); age > tolerance || age < -tolerance {
		return false, nil
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.", id, timestamp)
	mac.Write(rawBody)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	// While a secret is being replaced, there is a signature for each secret.
	for _, each := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(each), expected) {
			return true, nil
		}
	}
	return false, nil
}

// VerifyBody returns true if X-Webhook-Signature is valid. This signature does not cover the time of sending.
func VerifyBody(rawBody []byte, header http.Header, secret string) (bool, error) {
	if secret == "" {
		return false, errNoSecret
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(rawBody)
	expected := "sha256=" + hex.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(header.Get("X-Webhook-Signature")), []byte(expected)), nil
}

func keyOf(secret string) ([]byte, error) {
	if !strings.HasPrefix(secret, "whsec_") {
		if secret == "" {
			return nil, errNoSecret
		}
		return []byte(secret), nil
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err == nil && len(key) == 0 {
		err = errNoSecret
	}
	return key, err
}
