#!/usr/bin/env python3
"""A subscriber's endpoint for Waybill, whole, with nothing but Python's standard library (3.9 or later).

Verifies each request over its raw bytes, acts on each webhook-id once, and acknowledges fast. Copy it and put your own
effect where `act` is called.

    python3 receiver.py --cert cert.pem --key key.pem --secret-file secret [--host ADDRESS] [--port 8443]

It listens on this machine alone unless --host is given. The secret file holds one whsec_... a line: while a secret is
being replaced, the old and the new one. What the headers and the answers mean: docs/subscriber-protocol.md.
"""

import argparse
import base64
import hashlib
import hmac
import json
import re
import signal
import socket
import ssl
import sys
import threading
import time
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# A request that is further off than this, either way, is taken for a recorded one that somebody sends again.
TOLERANCE_SECONDS = 300
# The sender's limit is 1 MiB unless its operator raised it.
MAX_BYTES = 1_048_576
# A drill of the sender: four parts, where a delivery's key has three, whatever its shipment is called.
DRILL = re.compile("drill:[^:]+:[^:]+:[0-9]+")


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


def act(key, body):
    """Here the effect takes place: once for each key, and not for a version that a newer one has overtaken.

    Where it raises, the request is answered with 503 and comes again. Two versions of a shipment may be in here at
    once.
    """


class Memory:
    """Which keys were acted on, and which are being handled.

    In a service: a table with the key as its primary key, written in the same transaction as the effect, so that the
    database lets only one of two requests through.
    """

    def __init__(self):
        self._lock = threading.Lock()
        self._done = set()
        self._newest = {}
        self._in_hand = set()

    def accept(self, key, body):
        """Acts, unless the key was acted on or a newer version of its shipment was; (accepted, duplicate, older).

        Not accepted is "not now": `act` failed, or the sender has come again while an earlier request with this key is
        still being handled.
        """
        # A key is shipment:subscriber:version. It is signed, the headers that repeat its parts are not.
        shipment, _, version = key.rpartition(":")
        version = int(version) if re.fullmatch("[0-9]{1,16}", version) else -1
        with self._lock:
            duplicate = key in self._done
            older = not duplicate and version < self._newest.get(shipment, -1)
            if key in self._in_hand:
                return False, duplicate, older
            self._in_hand.add(key)
        accepted = False
        try:
            if not duplicate and not older and not DRILL.fullmatch(key):
                act(key, body)
            accepted = True
        except Exception:
            traceback.print_exc()
        finally:
            with self._lock:
                self._in_hand.discard(key)
                if accepted:
                    self._done.add(key)
                    self._newest[shipment] = max(version, self._newest.get(shipment, -1))
        return accepted, duplicate, older


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Longer than a sender keeps an idle connection, so that it never meets one that is just closing.
    timeout = 60
    keys = ()
    memory = Memory()
    printing = threading.Lock()

    def receive(self):
        length = self.body_length()
        body, arrived, whole = self.read_body(length or 0)
        too_long = whole and arrived > MAX_BYTES
        attempt = self.headers.get("waybill-attempt", "")
        line = {
            "key": self.headers.get("webhook-id", ""),
            "attempt": int(attempt) if re.fullmatch("[1-9][0-9]{0,8}", attempt) else None,
            "atMs": now_ms(),
            "bodySha256": None,
            "bodyBytes": arrived,
            "signature": None,
            "duplicate": False,
            "older": False,
            "status": None,
            "answeredAtMs": None,
        }
        if whole and not too_long and length is not None:
            line["bodySha256"] = hashlib.sha256(body).hexdigest()
            line["signature"] = verify(self.keys, self.headers, body, time.time())
        if not whole:
            self.close_connection = True
            return self.write(line)
        if too_long:
            status = 413
        elif self.command != "POST":
            status = 405
        elif length is None:
            status = 411
        elif line["signature"] != "valid":
            status = 401
        else:
            accepted, line["duplicate"], line["older"] = self.memory.accept(line["key"], body)
            status = 204 if accepted else 503
        # On record before it is on the wire: nothing that follows from an answer can look earlier than the answer.
        line["status"], line["answeredAtMs"] = status, now_ms()
        self.write(line)
        self.send_response(status)
        if status != 204:
            self.send_header("content-length", "0")
        if too_long or length is None:
            self.send_header("connection", "close")
        self.end_headers()

    # Anything but POST is answered, too: with 405.
    do_POST = do_GET = do_HEAD = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_TRACE = receive

    def body_length(self):
        """0 without the header, as HTTP has it; None where it can't be told: in chunks, or no number."""
        length = self.headers.get("content-length", "0")
        if "transfer-encoding" in self.headers or not re.fullmatch("[0-9]{1,15}", length):
            return None
        return int(length)

    def read_body(self, length):
        """(body, arrived, whole): what came, how many bytes, and whether the connection held.

        One that is too long is not kept. It is read past, within reason: closed with bytes unread the connection is
        reset, and the answer lost with it.
        """
        chunks, arrived, wanted = [], 0, min(length, 16 * MAX_BYTES)
        try:
            while arrived < wanted:
                chunk = self.rfile.read1(min(wanted - arrived, 65_536))
                if not chunk:
                    break
                arrived += len(chunk)
                if length <= MAX_BYTES:
                    chunks.append(chunk)
        except OSError:
            pass  # broken off, or silent for too long
        return b"".join(chunks), arrived, arrived == wanted

    def write(self, line):
        with self.printing:
            print(json.dumps(line), flush=True)

    def log_message(self, *args):
        """Nothing: a request's own line is printed in `receive`, and the path may hold a token."""


def now_ms():
    return int(time.time() * 1000)


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
    arguments.add_argument("--host", default="127.0.0.1")
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
    Server.address_family = socket.getaddrinfo(given.host, given.port, type=socket.SOCK_STREAM)[0][0]
    server = Server((given.host, given.port), Receiver)
    # The handshake is left to the request's own thread: one silent client must not hold up all others.
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    host = f"[{given.host}]" if ":" in given.host else given.host
    print(f"listening on https://{host}:{server.server_port}/", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
