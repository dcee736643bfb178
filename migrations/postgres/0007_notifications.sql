-- What each user wants to be told of, of events after the position `since`.
CREATE TABLE notifications (
  id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  type    text NOT NULL,
  status  text NOT NULL,
  email   boolean NOT NULL,
  webhook text,
  since   bigint NOT NULL DEFAULT 0
);
CREATE INDEX notifications_user ON notifications (user_id);
CREATE INDEX notifications_type ON notifications (type);

-- Mails and webhooks that go out, and went out: each key once. Mails go to the address that the user has when they are
-- sent. What is being sent has a next try as well: that of another sender, should this one die.
CREATE TABLE deliveries (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key             text NOT NULL UNIQUE,
  position        bigint,           -- of the event that it tells of
  notification_id bigint REFERENCES notifications ON DELETE CASCADE,
  user_id         bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  channel         text NOT NULL CHECK (channel IN ('email', 'webhook')),
  webhook         text CHECK ((channel = 'webhook') = (webhook IS NOT NULL)),
  subject         text NOT NULL,
  body            text NOT NULL,
  state           text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'failed')),
  tries           integer NOT NULL DEFAULT 0,
  created_at      timestamptz NOT NULL DEFAULT now(),
  tried_at        timestamptz,
  next_try_at     timestamptz NOT NULL DEFAULT now(),
  reason          text
);
CREATE INDEX deliveries_due ON deliveries (channel, next_try_at) WHERE state = 'waiting';
CREATE INDEX deliveries_notification ON deliveries (notification_id, position);
CREATE INDEX deliveries_user ON deliveries (user_id);
