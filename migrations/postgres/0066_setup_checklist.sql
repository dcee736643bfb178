-- Time at which a user hid the checklist of the first day; null while it may be shown.
ALTER TABLE users ADD COLUMN setup_hidden_at timestamptz;
