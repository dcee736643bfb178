-- Price books. A deleted one stays, since older dates still show what storages cost by it.
CREATE TABLE storage_prices (
  id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  description text NOT NULL,
  deleted_at  timestamptz
);
CREATE UNIQUE INDEX storage_prices_description ON storage_prices (lower(description)) WHERE deleted_at IS NULL;

-- What a GB (2^30 bytes) costs for a year, from a day of the server's time zone on. The first price also applies before its
-- day: nobody had said another one.
CREATE TABLE storage_price_changes (
  storage_price_id integer NOT NULL REFERENCES storage_prices,
  since            date NOT NULL,
  currency_symbol  text NOT NULL,
  price            double precision NOT NULL CHECK (price >= 0),
  PRIMARY KEY (storage_price_id, since)
);

-- The price book of a volume is a setting like its others. What it was on older dates stands beside it: a row for each day
-- on which it changed, and none for a volume that never had one. As with prices, the first one also applies before its day.
ALTER TABLE volumes ADD COLUMN storage_price_id integer REFERENCES storage_prices;
CREATE TABLE volume_price_changes (
  volume_id        integer NOT NULL REFERENCES volumes,
  since            date NOT NULL,
  storage_price_id integer REFERENCES storage_prices,
  PRIMARY KEY (volume_id, since)
);
