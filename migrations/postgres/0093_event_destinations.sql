-- Systems that receive the event log. `access` is the sealed address and secret, `address` what is shown of it.
CREATE TABLE event_destinations (
  id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name        text NOT NULL,
  kind        text NOT NULL,
  address     text NOT NULL,
  access      text NOT NULL,
  topics      text[] NOT NULL,
  authority   text,
  header      text,
  -- The last event that was accepted, and the batch after it, which stays the same until it is accepted.
  position    bigint NOT NULL,
  batch       text,
  batch_key   uuid,
  batch_to    bigint,
  -- Maximum events of a batch. Smaller after the receiver answered that a batch is too large.
  max_events  integer NOT NULL DEFAULT 500,
  -- The receiver has ended a connection of TLS as the standard says, which tells that it read everything.
  confirms    boolean NOT NULL DEFAULT false,
  sent_at     timestamptz,
  tries       integer NOT NULL DEFAULT 0,
  next_try_at timestamptz NOT NULL DEFAULT now(),
  error       text,
  -- Events that were deleted before they were sent, or that the receiver refused.
  lost        bigint NOT NULL DEFAULT 0,
  lost_reason text
);
