import base64
import hashlib
import hmac
import re
import time

TOLERANCE_SECONDS = 300


def verify_standard(raw_body: bytes, headers, secret: str, now=None) -> bool:
    """Returns True if webhook-signature has a valid signature and the request was sent just now.

    raw_body is the received bytes: JSON that was parsed and written again has different ones.
    headers maps names in lower case to text.
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
    # While a secret is being replaced, there is a signature for each of the two.
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(each.encode(), expected) for each in given)


def verify_body(raw_body: bytes, headers, secret: str) -> bool:
    """Returns True if X-Webhook-Signature is valid. It does not show when the request was sent."""
    if not secret:
        raise ValueError("There is no secret.")
    digest = hmac.new(secret.encode(), raw_body, hashlib.sha256).hexdigest()
    given = headers.get("x-webhook-signature", "")
    return hmac.compare_digest(given.encode(), f"sha256={digest}".encode())


def _key_of(secret: str) -> bytes:
    if secret.startswith("whsec_"):
        key = base64.b64decode(secret[len("whsec_"):], validate=True)
    else:
        key = secret.encode()
    if not key:
        raise ValueError("There is no secret.")
    return key
