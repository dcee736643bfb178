#!/usr/bin/env python3
"""Scans a storage by its name and waits for the end. Exits with 1 if the scan fails."""

import json
import os
import sys
import time
import urllib.request

ADDRESS = os.environ["DATAINTELL"]
TOKEN = os.environ["TOKEN"]
SECONDS_BETWEEN_CALLS = 2
RUNNING = {"NEW", "AVAILABLE", "WAITING", "RUNNING", "PAUSED"}


def call(method, path, body=None):
    """Makes a call and returns its answer. Raises HTTPError if it is refused."""
    request = urllib.request.Request(
        f"{ADDRESS}/api{path}",
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def storage_named(name):
    """Returns the ID of a storage. Lists have at most 1,000 items a page."""
    for storage in call("GET", "/v1/storages?size=1000")["elements"]:
        if storage["name"] == name:
            return storage["id"]
    sys.exit(f"There is no storage with the name {name}")


def main():
    storage = storage_named(sys.argv[1])
    # An empty path is the whole storage.
    job = call("POST", "/v1/scans/storages", {"storageIdToPath": {str(storage): ""}})["jobId"]
    status = "NEW"
    while status in RUNNING:
        time.sleep(SECONDS_BETWEEN_CALLS)
        status = call("GET", f"/v1/jobs/{job}")["status"]
        print(f"Job {job}: {status}", flush=True)
    sys.exit(0 if status in ("SUCCESS", "WARNING") else 1)


main()
