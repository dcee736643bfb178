-- Who entered a price, and when. A rename is no new price.
ALTER TABLE storage_price_changes ADD COLUMN changed_by text, ADD COLUMN changed_at timestamptz;
UPDATE storage_price_changes AS price SET changed_by = entered.actor, changed_at = entered.at
FROM (
  SELECT DISTINCT ON (stream, at::date) stream, at::date AS day, actor, at FROM events
  WHERE stream LIKE 'storage-price-%' AND data #> '{after,price}' IS DISTINCT FROM data #> '{before,price}'
  ORDER BY stream, at::date, at DESC) AS entered
WHERE entered.stream = 'storage-price-' || price.storage_price_id AND entered.day = price.since;
