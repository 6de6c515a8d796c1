"""Asks two Python verifiers about requests: the example's, and with --library the standardwebhooks package's.

A JSON array on stdin; on stdout for each request {"example": its word, "library": true, false or the name of an
exception that isn't the library's own}.
"""

import base64
import importlib.util
import json
import pathlib
import sys
import time
from datetime import datetime, timezone

spec = importlib.util.spec_from_file_location(
    "receiver", pathlib.Path(__file__).parents[2] / "examples" / "receiver.py"
)
example = importlib.util.module_from_spec(spec)
spec.loader.exec_module(example)


def library_says(request, body, now):
    from standardwebhooks import webhooks

    class Then(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.fromtimestamp(now, tz=timezone.utc)

    webhooks.datetime = Then
    for secret in request["secrets"]:
        try:
            webhooks.Webhook(secret).verify(body, request["headers"], json_parse=False)
            return True
        except webhooks.WebhookVerificationError:
            continue
        except Exception as error:
            return type(error).__name__
    return False


answers = []
for request in json.load(sys.stdin):
    body = base64.b64decode(request["body"]["base64"]) * request["body"].get("repeat", 1)
    now = request.get("nowSeconds", time.time())
    answer = {"example": example.verify(example.keys_of(request["secrets"]), request["headers"], body, now)}
    if "--library" in sys.argv:
        answer["library"] = library_says(request, body, now)
    answers.append(answer)
print(json.dumps(answers))
