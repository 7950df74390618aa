import base64
import hashlib
import hmac
import re
import time

TOLERANCE_SECONDS = 300


def verify_standard(raw_body: bytes, headers, secret: str, now=None) -> bool:
    """Returns True if webhook-signature contains a valid signature and the request was sent within five minutes.

    raw_body contains the received bytes, not re-serialized JSON.
    headers maps lower-case names to values.
    """
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not message_id or not re.fullmatch(r"[0-9]{1,15}", timestamp):
        return False
    if abs((time.time() if now is None else now) - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = f"{message_id}.{timestamp}.".encode() + raw_body
    digest = hmac.new(_key_of(secret), signed, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    # While a secret is being replaced, there is a signature for each secret.
    signatures = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(each.encode(), expected) for each in signatures)


def verify_body(raw_body: bytes, headers, secret: str) -> bool:
    """Returns True if X-Webhook-Signature is valid. This signature does not cover the time of sending."""
    if not secret:
        raise ValueError("There is no secret.")
    digest = hmac.new(secret.encode(), raw_body, hashlib.sha256).hexdigest()
    signature = headers.get("x-webhook-signature", "")
    return hmac.compare_digest(signature.encode(), f"sha256={digest}".encode())


def _key_of(secret: str) -> bytes:
    if secret.startswith("whsec_"):
        key = base64.b64decode(secret[len("whsec_"):], validate=True)
    else:
        key = secret.encode()
    if not key:
        raise ValueError("There is no secret.")
    return key
