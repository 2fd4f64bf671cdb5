import json
import os

from flask import Flask, request
from verify import is_from_parley

SECRET = os.environ["PARLEY_WEBHOOK_SECRET"]
events = {}
app = Flask(__name__)
app.config["MAX_CONTENT_LENGTH"] = 1_048_576


@app.post("/parley")
def receive():
    raw_body = request.get_data()  # not request.json: once parsed and written anew, the bytes differ
    timestamp = request.headers.get("X-Webhook-Timestamp")
    signature = request.headers.get("X-Webhook-Signature")
    if not is_from_parley(raw_body, timestamp, signature, SECRET):
        return "", 400
    event = json.loads(raw_body)
    # Under its event_id, because it may come again; in your database, and then work on it later: 8 seconds are short.
    events[event["event_id"]] = event
    return "", 204
