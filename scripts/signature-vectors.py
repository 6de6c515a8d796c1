#!/usr/bin/env python3
"""Writes docs/signature-vectors.json, or with --check says whether it is what this script writes.

Python's own hmac and hashlib make the signatures, so that they owe nothing to the code they judge (src/wire/sign.ts,
the receivers under examples/). The same bytes at every run. The page docs/subscriber-protocol.md explains the fields.
"""

import base64
import hashlib
import hmac
import json
import pathlib
import sys

FILE = pathlib.Path(__file__).resolve().parent.parent / "docs" / "signature-vectors.json"
TIMESTAMP = 1_800_000_000
TOLERANCE = 300
ID = "ORDER-42:sub_aB3dE6gH9jK2mN5pQ8sT:7"
BODY = b'{"b": 1,  "a":"\xc3\xa9\\u00e9\xf0\x9f\x99\x82", "c":[1, 2] }\n'
PIECE = bytes(range(32, 127)) + b"\n"


def secret(seed, size=32):
    """A key of our own making: the text that a person is shown, and its bytes."""
    key = hashlib.sha512(seed.encode()).digest()[:size]
    return "whsec_" + base64.b64encode(key).decode()


CURRENT, PREVIOUS, STRANGER = secret("current"), secret("previous"), secret("stranger")
SHORTEST, LONGEST = secret("shortest", 24), secret("longest", 64)


def signature(key_text, body, id_=ID, timestamp=TIMESTAMP):
    key = base64.b64decode(key_text.removeprefix("whsec_"))
    content = id_.encode() + b"." + str(timestamp).encode() + b"." + body
    return "v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()


def vector(name, valid, reason, *, body=BODY, repeat=1, signed_with=(CURRENT,), header=None, secrets=(CURRENT,),
           id_=ID, timestamp=TIMESTAMP, now=TIMESTAMP, signed_body=None, libraries=None):
    whole = body * repeat
    made = " ".join(signature(s, whole, id_, timestamp) for s in signed_with)
    if signed_body is not None:
        made = " ".join(signature(s, signed_body) for s in signed_with)
    given = made if header is None else header(made)
    entry = {
        "name": name,
        "valid": valid,
        "reason": reason,
        "secrets": list(secrets),
        "headers": {"webhook-id": id_, "webhook-timestamp": str(timestamp), "webhook-signature": given},
        "body": {"base64": base64.b64encode(body).decode()},
        "nowSeconds": now,
    }
    if repeat != 1:
        entry["body"]["repeat"] = repeat
    if valid and header is None:
        entry["signedWith"] = list(signed_with)
    if libraries:
        entry["libraries"] = libraries
    return entry


TEXT_ONLY = {
    "npm": "refuses it: the library reads the body as UTF-8 text",
    "pypi": "raises UnicodeDecodeError: the library reads the body as UTF-8 text",
}
NO_COMMA = {"pypi": "raises ValueError: the library expects exactly one comma in each signature"}
LENIENT_BASE64 = {"pypi": "accepts it: the library's base64 decoder ignores foreign characters"}

VECTORS = [
    vector("one signature", True, "right secret, right bytes, right time"),
    vector("empty body", True, "zero bytes are signed like any others", body=b""),
    vector("one blank as body", True, "nothing is trimmed", body=b" "),
    vector("non-ASCII body", True, "UTF-8, as bytes", body="Grüße, 荷物は届きました 📦".encode()),
    vector("byte order mark and CRLF", True, "kept as they are", body=b"\xef\xbb\xbfline\r\nline\r\n"),
    vector("numbers no parser keeps", True, "a body that was parsed and written again does not verify",
           body=b'{"id":9223372036854775807,"2":1,"1":2,"amt":1.10,"e":1e2,"z":-0,"a":1,"a":2}'),
    vector("a NUL in the body", True, "bytes, not a C string", body=b'{"t":"a\x00b"}'),
    vector("binary body", True, "any bytes may be sent", body=bytes(range(256)), libraries=TEXT_ONLY),
    vector("huge body", True, "96 bytes, 10,922 times: just under 1 MiB", body=PIECE, repeat=10_922),
    vector("shortest secret", True, "24 bytes", signed_with=(SHORTEST,), secrets=(SHORTEST,)),
    vector("longest secret", True, "64 bytes", signed_with=(LONGEST,), secrets=(LONGEST,)),
    vector("escaped id", True, "the id is signed as it stands in the header", id_="%C3%A9%3A1%2F%20:sub_aB3dE6gH9jK2mN5pQ8sT:0"),
    vector("rotation, receiver has the new secret", True, "two signatures, the first one fits",
           signed_with=(CURRENT, PREVIOUS)),
    vector("rotation, receiver has the old secret", True, "two signatures, the second one fits",
           signed_with=(CURRENT, PREVIOUS), secrets=(PREVIOUS,)),
    vector("receiver has both secrets", True, "one signature, one of two secrets fits", secrets=(PREVIOUS, CURRENT)),
    vector("rotation, receiver has neither", False, "wrong_secret: none of the two fits",
           signed_with=(CURRENT, PREVIOUS), secrets=(STRANGER,)),
    vector("unknown version beside v1", True, "what isn't v1 is passed over",
           header=lambda made: "v2,bm90IG91cnM= " + made),
    vector("v1a beside v1", True, "the asymmetric scheme, passed over by who doesn't know it",
           header=lambda made: "v1a," + base64.b64encode(bytes(64)).decode() + " " + made),
    vector("several blanks between signatures", True, "blanks separate, however many",
           header=lambda made: "v2,bm90IG91cnM=   " + made, libraries=NO_COMMA),
    vector("a word beside v1", True, "no signature at all, passed over",
           header=lambda made: "v1 " + made, libraries=NO_COMMA),
    vector("as old as may be", True, "exactly 300 seconds", now=TIMESTAMP + TOLERANCE),
    vector("as far ahead as may be", True, "exactly 300 seconds", now=TIMESTAMP - TOLERANCE),
    vector("old timestamp", False, "old: 301 seconds, a recorded request sent again", now=TIMESTAMP + TOLERANCE + 1),
    vector("a week old", False, "old", now=TIMESTAMP + 7 * 86_400),
    vector("future timestamp", False, "future: 301 seconds ahead", now=TIMESTAMP - TOLERANCE - 1),
    vector("wrong secret", False, "wrong_secret", secrets=(STRANGER,)),
    vector("altered body", False, "altered_body: one character", signed_body=BODY.replace(b"1", b"2", 1)),
    vector("body written again by a parser", False, "altered_body: other blanks", body=json.dumps(json.loads(BODY)).encode(),
           signed_body=BODY),
    vector("body cut short", False, "altered_body: its line end is gone", body=BODY[:-1], signed_body=BODY),
    vector("another id", False, "altered_id: a good signature under another webhook-id", id_=ID[:-1] + "8",
           signed_body=BODY),
    vector("another timestamp", False, "altered_timestamp: made fresh without the secret",
           timestamp=TIMESTAMP + 60, now=TIMESTAMP + 60, signed_body=BODY),
    vector("unknown version only", False, "unknown_version: the right bytes under a version that isn't v1",
           header=lambda made: made.replace("v1,", "v2,")),
    vector("no version", False, "malformed: the bare signature", header=lambda made: made[3:], libraries={
        "pypi": "raises ValueError, not its own error"}),
    vector("malformed base64", False, "malformed: a character that base64 doesn't have",
           header=lambda made: made[:10] + "*" + made[11:], libraries={"pypi": "raises binascii.Error, not its own error"}),
    vector("a foreign character in good base64", False, "malformed: only the one spelling counts",
           header=lambda made: made[:10] + "*" + made[10:], libraries=LENIENT_BASE64),
    vector("signature cut short", False, "malformed", header=lambda made: made[:-8]),
    vector("hexadecimal signature", False, "malformed: right digest, wrong spelling",
           header=lambda made: "v1," + base64.b64decode(made[3:]).hex()),
    vector("empty signature", False, "malformed: nothing after the comma", header=lambda made: "v1,"),
    vector("timestamp is no number", False, "malformed", timestamp="soon", signed_body=BODY),
]


def main():
    text = json.dumps({"toleranceSeconds": TOLERANCE, "vectors": VECTORS}, indent=2, ensure_ascii=True) + "\n"
    if sys.argv[1:] == ["--check"]:
        if FILE.read_text() != text:
            sys.exit(f"{FILE.name} is not what this script writes; run it without --check")
        return
    FILE.write_text(text)


main()
