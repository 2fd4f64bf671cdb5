import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from verify import is_from_parley

SECRET = os.environ["PARLEY_WEBHOOK_SECRET"]
events = {}
LARGEST_BODY = 1_048_576


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        if not length.isascii() or not length.isdigit() or int(length) > LARGEST_BODY:
            return self.answer(413)
        raw_body = self.rfile.read(int(length))
        timestamp = self.headers.get("X-Webhook-Timestamp")
        signature = self.headers.get("X-Webhook-Signature")
        if not is_from_parley(raw_body, timestamp, signature, SECRET):
            return self.answer(400)
        event = json.loads(raw_body)
        # Under its event_id, because it may come again; in your database, and then work on it later: 8 seconds are short.
        events[event["event_id"]] = event
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()


if __name__ == "__main__":
    ThreadingHTTPServer(("", int(os.environ.get("PORT", "8080"))), Receiver).serve_forever()
