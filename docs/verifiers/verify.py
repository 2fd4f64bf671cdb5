import base64
import hashlib
import hmac
import re
import time


def is_from_parley(raw_body, timestamp, signature, secret, now=None):
    """raw_body: the bytes as they came. timestamp, signature: the two headers. secret: the whole whsec_... string."""
    if not isinstance(timestamp, str) or not isinstance(signature, str):
        return False
    if not re.fullmatch("[0-9]{1,12}", timestamp):
        return False
    if abs((time.time() if now is None else now) - int(timestamp)) > 300:
        return False
    digest = hmac.new(secret.encode(), timestamp.encode() + b"." + raw_body, hashlib.sha256).digest()
    expected = b"v1=" + base64.b64encode(digest)
    return hmac.compare_digest(expected, signature.encode("utf-8", "replace"))


# As a program: `python3 verify.py CASES` says true or false for each line of a file; see README.md.
if __name__ == "__main__":
    import sys

    with open(sys.argv[1], encoding="ascii") as cases:
        for line in cases:
            now, *fields = line.rstrip("\n").split("\t")
            body, *texts = [base64.b64decode(field) for field in fields]
            print("true" if is_from_parley(body, *[text.decode() for text in texts], now=int(now)) else "false")
# End of the program.
