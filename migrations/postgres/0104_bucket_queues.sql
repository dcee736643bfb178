-- URL of the queue to which the notifications of a bucket are sent, by which its changes are followed; empty if they aren't.
ALTER TABLE buckets ADD COLUMN queue text NOT NULL DEFAULT '';
