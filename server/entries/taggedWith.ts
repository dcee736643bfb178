import { type Sql, sql } from '#server/platform/sql.ts'

/** Whether an entry has any of the tags on a day. */
export const taggedWith = (tags: readonly string[], day: string): Sql => sql`
  file_id IN (SELECT file_id FROM entry_tags FINAL WHERE tag IN ${tags} AND ${validOn(day)})`

/** Which rows of `entry_tags` count on a day. */
export const validOn = (day: string): Sql => sql`(from_date <= ${day} AND to_date > ${day})`
