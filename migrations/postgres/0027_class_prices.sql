-- Prices of single storage classes, from the day of the change on: [{"storageClass": "GLACIER", "price": 0.04}]. Bytes of classes
-- that are not named cost the price itself.
ALTER TABLE storage_price_changes ADD COLUMN class_prices jsonb NOT NULL DEFAULT '[]';
-- Bytes of a scan by storage class, such as {"STANDARD": 1024}; what has no class stands under ''. Empty for scans before this.
ALTER TABLE scans ADD COLUMN class_bytes jsonb NOT NULL DEFAULT '{}';
