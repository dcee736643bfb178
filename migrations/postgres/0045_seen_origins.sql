-- Origins at which signed-in browsers arrived although the product has another one, for a health problem.
CREATE TABLE seen_origins (
  origin text PRIMARY KEY,
  expected text NOT NULL,
  is_refused boolean NOT NULL,
  seen_at timestamptz NOT NULL
);

-- Origins of pages that may show a wall display in a frame, separated by spaces or commas.
ALTER TABLE wall_tokens ADD COLUMN frame_ancestors text NOT NULL DEFAULT '';
