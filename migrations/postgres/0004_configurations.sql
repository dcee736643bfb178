-- What an administrator set; what is not here has its usual value. Secrets are encrypted.
CREATE TABLE configurations (
  name  text PRIMARY KEY,
  value text NOT NULL
);
