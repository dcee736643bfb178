-- The user who causes an email. Null for those that the product sends, and for older ones.
ALTER TABLE deliveries ADD COLUMN sender_id bigint REFERENCES users ON DELETE SET NULL;
CREATE INDEX deliveries_sender ON deliveries (sender_id, created_at) WHERE channel = 'email';
