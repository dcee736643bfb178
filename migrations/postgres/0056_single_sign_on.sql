-- Claims that the provider did not send at the last sign-in, as a list for people; null if it sent all.
ALTER TABLE users ADD COLUMN missing_claims text;
-- The last failure of single sign-on that an administrator has to resolve. The next sign-in removes it.
CREATE TABLE single_sign_on_failures (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  problem text NOT NULL,
  reason text NOT NULL,
  failed_at timestamptz NOT NULL
);
