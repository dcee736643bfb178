-- Recipients that a user sets up once, for alerts and job notifications. `kind` is EMAIL or the format of a webhook, whose address is
-- sealed for the user.
CREATE TABLE channels (
  id               integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id          bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  name             text NOT NULL,
  kind             text NOT NULL,
  addresses        text[] NOT NULL DEFAULT '{}',
  webhook          text,
  webhook_template text,
  tested_at        timestamptz
);
CREATE INDEX channels_user ON channels (user_id);
ALTER TABLE notifications ADD COLUMN channel_ids integer[] NOT NULL DEFAULT '{}';
ALTER TABLE deliveries ADD COLUMN channel_id integer REFERENCES channels ON DELETE SET NULL;

-- What an alert reports about one watched object, from the first evaluation above the limit to the first one below it. A mute without an
-- end lasts until then.
CREATE TABLE alert_incidents (
  id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  schedule_id integer NOT NULL REFERENCES schedules ON DELETE CASCADE,
  watched_id  integer NOT NULL,
  text        text NOT NULL,
  started_at  timestamptz NOT NULL,
  ended_at    timestamptz,
  muted_at    timestamptz,
  muted_until timestamptz
);
CREATE UNIQUE INDEX alert_incidents_open ON alert_incidents (schedule_id, watched_id) WHERE ended_at IS NULL;
CREATE INDEX alert_incidents_history ON alert_incidents (schedule_id, started_at);
-- The start of alerts that already fire is unknown. Their last message is the earliest known time.
INSERT INTO alert_incidents (schedule_id, watched_id, text, started_at)
SELECT schedule_id, watched_id, coalesce(alert_reason, name), coalesce(reported_at, evaluated_at, now())
FROM alert_states JOIN schedules ON schedules.id = schedule_id
WHERE is_reached AND alert_state = 'firing' AND NOT paused AND user_id IS NOT NULL;

-- Recipients of single alerts and notifications become channels of their user.
DO $$
DECLARE
  alert record;
  channel integer;
BEGIN
  FOR alert IN SELECT id, user_id, name, webhook, delivery FROM schedules WHERE webhook IS NOT NULL AND user_id IS NOT NULL LOOP
    INSERT INTO channels (user_id, name, kind, webhook, webhook_template)
    VALUES (alert.user_id, left('Webhook of ' || alert.name, 100), coalesce(alert.delivery->>'webhookFormat', 'AUTO'), alert.webhook,
      alert.delivery->>'webhookTemplate')
    RETURNING id INTO channel;
    UPDATE schedules SET webhook = NULL, delivery = delivery || jsonb_build_object('webhookFormat', 'AUTO', 'webhookTemplate', NULL,
      'channelIds', coalesce(delivery->'channelIds', '[]') || to_jsonb(channel))
    WHERE id = alert.id;
  END LOOP;
  FOR alert IN SELECT user_id, delivery->'addresses' AS addresses, array_agg(id) AS ids FROM schedules
    WHERE user_id IS NOT NULL AND jsonb_array_length(delivery->'addresses') > 0 GROUP BY user_id, delivery->'addresses' LOOP
    INSERT INTO channels (user_id, name, kind, addresses)
    VALUES (alert.user_id, left((SELECT string_agg(address, ', ') FROM jsonb_array_elements_text(alert.addresses) AS address), 100), 'EMAIL',
      ARRAY(SELECT jsonb_array_elements_text(alert.addresses)))
    RETURNING id INTO channel;
    UPDATE schedules SET delivery = delivery || jsonb_build_object('addresses', '[]'::jsonb,
      'channelIds', coalesce(delivery->'channelIds', '[]') || to_jsonb(channel))
    WHERE id = ANY (alert.ids);
  END LOOP;
  FOR alert IN SELECT id, user_id, type, webhook, webhook_format, webhook_template FROM notifications WHERE webhook IS NOT NULL LOOP
    INSERT INTO channels (user_id, name, kind, webhook, webhook_template)
    VALUES (alert.user_id, 'Webhook of ' || lower(replace(alert.type, '_', ' ')), alert.webhook_format, alert.webhook, alert.webhook_template)
    RETURNING id INTO channel;
    UPDATE notifications SET webhook = NULL, webhook_format = 'AUTO', webhook_template = NULL, channel_ids = ARRAY[channel]
    WHERE id = alert.id;
  END LOOP;
END
$$;
