import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'

/**
 * Expression: the key of a file's content in `media_facts`, from columns of an entry. A local file that moves keeps its inode, size and time of
 * change; an object has a tag that depends on its content.
 */
export const contentKey: Sql = sql`if(etag != '', sipHash64(1, etag, size), sipHash64(2, device, inode, size, modified))`
