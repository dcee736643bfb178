import { type ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/sql.ts'
import { snapshotDates } from './calendar.ts'
import { pick } from './words.ts'

const tags = [
  'approved',
  'archive',
  'client review',
  'delete after delivery',
  'final',
  'legal hold',
  'legal hold',
  'restore',
]

/** One entry in five hundred has a tag, from the day on at which the volume was scanned first. */
export const fillTags = (clickhouse: ClickHouse): Promise<void> =>
  clickhouse.command(sql`
    INSERT INTO entry_tags (tag, volume, parent_path, name, is_directory, from_date, to_date, version)
    SELECT ${pick(tags, sql`intDiv(file_id, 500)`)}, volume, parent_path, name, is_directory, ${snapshotDates[0]},
      '2149-06-06', 1
    FROM entries WHERE file_id % 500 = 0 AND parent_path != ''`)
