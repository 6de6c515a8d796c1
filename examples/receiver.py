#!/usr/bin/env python3
"""A subscriber's endpoint for Waybill, whole, with nothing but Python's standard library (3.9 or later).

Verifies each request over its raw bytes, acts on each webhook-id once, and acknowledges fast. Copy it and put your own
effect where `act` is called.

    python3 receiver.py --cert cert.pem --key key.pem --secret-file secret [--port 8443]

The secret file holds one whsec_... a line: while a secret is being replaced, the old and the new one. What the headers
and the answers mean: docs/subscriber-protocol.md.
"""

import argparse
import base64
import hashlib
import hmac
import json
import re
import signal
import ssl
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# A request that is further off than this, either way, is taken for a recorded one that somebody sends again.
TOLERANCE_SECONDS = 300
# The sender's limit is 1 MiB unless its operator raised it.
MAX_BYTES = 1_048_576


def keys_of(secrets):
    """The keys of whsec_... secrets. ValueError where there is none, or where one is not the base64 of 24 to 64 bytes.

    A lenient decoder makes a short or an empty key of such a one, and then anybody can sign. The message never repeats
    a secret.
    """
    if not secrets:
        raise ValueError("there is no secret")
    keys = []
    for number, secret in enumerate(secrets, 1):
        encoded = secret[6:] if secret.startswith("whsec_") else ""
        try:
            key = base64.b64decode(encoded, validate=True)
        except ValueError:
            key = b""
        if base64.b64encode(key).decode("ascii") != encoded or not 24 <= len(key) <= 64:
            raise ValueError(f"secret {number} is not whsec_ and the base64 of 24 to 64 bytes")
        keys.append(key)
    return keys


def verify(keys, headers, body, now):
    """'valid', 'invalid' or 'old', by Standard Webhooks v1.

    One fitting signature is enough: while a secret is being replaced the request brings two, and the receiver may hold
    two. 'old' has a fitting signature and a timestamp that is too far from `now` (in seconds), past or future.
    """
    id_, timestamp = headers.get("webhook-id"), headers.get("webhook-timestamp")
    signatures = headers.get("webhook-signature")
    if not id_ or not timestamp or not signatures:
        return "invalid"
    if not re.fullmatch("[0-9]{1,15}", timestamp):
        return "invalid"
    # Header values are bytes that Python shows as Latin-1; this gives the bytes back.
    content = f"{id_}.{timestamp}.".encode("latin-1") + body
    expected = []
    for key in keys:
        mac = hmac.new(key, content, hashlib.sha256).digest()
        expected.append(b"v1," + base64.b64encode(mac))
    # Every pair is compared, each in constant time: how long it takes tells nothing about what would have fitted.
    fits = False
    for given in signatures.encode("latin-1").split(b" "):
        for wanted in expected:
            fits |= hmac.compare_digest(given, wanted)
    if not fits:
        return "invalid"
    return "old" if abs(now - int(timestamp)) > TOLERANCE_SECONDS else "valid"


class Memory:
    """Which keys were acted on. In a service: a table with the key as its primary key, written in the same transaction
    as the effect."""

    def __init__(self):
        self._lock = threading.Lock()
        self._done = set()
        self._newest = {}

    def accept(self, key, body):
        """Acts unless the key was acted on, or a newer version of its shipment was; says which of the two held."""
        # A key is shipment:subscriber:version. It is signed, the headers that repeat its parts are not.
        shipment, _, version = key.rpartition(":")
        version = int(version) if version.isascii() and version.isdigit() else -1
        with self._lock:
            duplicate = key in self._done
            older = not duplicate and version < self._newest.get(shipment, -1)
            if not duplicate and not older:
                act(body)
            self._done.add(key)
            self._newest[shipment] = max(version, self._newest.get(shipment, -1))
        return duplicate, older


def act(body):
    """Here the effect takes place: once for each key, and not for a version that a newer one has overtaken."""


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Longer than a sender keeps an idle connection, so that it never meets one that is just closing.
    timeout = 60
    keys = ()
    memory = Memory()

    def do_POST(self):
        length = self.headers.get("content-length", "")
        if not re.fullmatch("[0-9]{1,15}", length):
            return self.answer(411, None, False, False)
        if int(length) > MAX_BYTES:
            # Read past, within reason: closed with bytes unread the connection is reset, and the answer lost with it.
            left = min(int(length), 16 * MAX_BYTES)
            while left > 0 and self.rfile.read(min(left, 65_536)):
                left -= 65_536
            return self.answer(413, None, False, False)
        body = self.rfile.read(int(length))
        if len(body) < int(length):
            self.close_connection = True
            return None
        signature = verify(self.keys, self.headers, body, time.time())
        if signature != "valid":
            return self.answer(401, signature, False, False)
        return self.answer(204, signature, *self.memory.accept(self.headers["webhook-id"], body))

    def answer(self, status, signature, duplicate, older):
        line = {
            "key": self.headers.get("webhook-id", ""),
            "attempt": self.headers.get("waybill-attempt"),
            "signature": signature,
            "duplicate": duplicate,
            "older": older,
            "status": status,
        }
        print(json.dumps(line), flush=True)
        self.send_response(status)
        if status != 204:
            self.send_header("content-length", "0")
        if status in (411, 413):
            self.send_header("connection", "close")
        self.end_headers()

    def log_message(self, *args):
        """Nothing: a request's own line is printed in `answer`, and the path may hold a token."""


class Server(ThreadingHTTPServer):
    daemon_threads = True
    # Connections that wait to be accepted; with Python's 5 a burst of deliveries would be turned away.
    request_queue_size = 128

    def handle_error(self, request, client_address):
        """One line instead of a traceback for each client that breaks off or speaks no TLS."""
        print(f"receiver: {type(sys.exc_info()[1]).__name__}", file=sys.stderr)


def main():
    arguments = argparse.ArgumentParser()
    for name in ("--cert", "--key", "--secret-file"):
        arguments.add_argument(name, required=True)
    arguments.add_argument("--port", type=int, default=0)
    given = arguments.parse_args()
    try:
        with open(given.secret_file, encoding="utf-8", errors="replace") as file:
            Receiver.keys = keys_of(file.read().split())
    except (OSError, ValueError) as error:
        sys.exit(f"receiver: {error}")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(given.cert, given.key)
    server = Server(("127.0.0.1", given.port), Receiver)
    # The handshake is left to the request's own thread: one silent client must not hold up all others.
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    print(f"listening on https://127.0.0.1:{server.server_port}/", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
