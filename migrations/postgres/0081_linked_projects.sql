-- States of the projects whose hard links of a date were found, see `linkStates`. Dates without them are searched again.
DELETE FROM linked_dates;
ALTER TABLE linked_dates ADD COLUMN projects text[] NOT NULL;
