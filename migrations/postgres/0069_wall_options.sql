-- What a wall display shows: boards in their order, seconds per board, and the colors; NULL: those of its browser.
-- Options in the address of a display still win, so displays of earlier versions keep theirs.
ALTER TABLE wall_tokens
  ADD COLUMN boards text[] NOT NULL DEFAULT '{capacity,jobs,growth,map,agents}',
  ADD COLUMN every integer NOT NULL DEFAULT 30,
  ADD COLUMN scheme text;
