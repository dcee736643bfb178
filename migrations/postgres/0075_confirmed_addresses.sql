-- Emails only go to addresses that were confirmed, entered by an administrator, or of an allowed domain. Existing addresses stay in use.
ALTER TABLE users ADD COLUMN confirmed_email text;
UPDATE users SET confirmed_email = email;

-- Addresses of recipients, in lower case.
CREATE TABLE confirmed_addresses (
  address      text PRIMARY KEY,
  confirmed_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO confirmed_addresses (address)
SELECT lower(jsonb_array_elements_text(delivery -> 'addresses')) FROM report_templates WHERE jsonb_typeof(delivery -> 'addresses') = 'array'
UNION SELECT lower(jsonb_array_elements_text(delivery -> 'addresses')) FROM schedules WHERE jsonb_typeof(delivery -> 'addresses') = 'array'
UNION SELECT lower(unnest(statement_recipients)) FROM projects
UNION SELECT lower(address) FROM deliveries WHERE address IS NOT NULL AND state = 'waiting';

-- Codes sent to addresses, hashed. The newest one of a user and an address is valid; older ones are kept to limit their number.
CREATE TABLE address_codes (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id   bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  address   text NOT NULL,
  code_hash text NOT NULL,
  failures  integer NOT NULL DEFAULT 0,
  sent_at   timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX address_codes_sent_at ON address_codes (sent_at);
