-- What a delivery is about, such as job-7: deliveries about the same to one recipient are sent in order.
ALTER TABLE deliveries ADD COLUMN about text;
CREATE INDEX deliveries_about ON deliveries (about, id) WHERE state = 'waiting';
