import { type ListSort, listSorts } from '#events/entries.ts'
import { checkSort } from '#server/platform/crud/checkSort.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { perVolume } from '#server/snapshots/reading/perVolume.ts'
import type { Snapshot } from '#server/snapshots/reading/snapshotAt.ts'

/** Sort key of a list; texts sort by their lower case. */
export type Sort<By = ListSort> = { by: By; kind: 'text' | 'number'; key: Sql }

const text = (column: Sql) => ({ kind: 'text' as const, key: sql`lowerUTF8(${column})` })
/**
 * Not the column itself: the engine would first use it to find the rows of the page, which takes longer than the
 * conditions.
 */
const number = (column: Sql) => ({ kind: 'number' as const, key: sql`toInt64(${column})` })
const moment = (column: Sql) => ({ kind: 'number' as const, key: sql`toUnixTimestamp(${column})` })

/** The sort of a list by its name in a request; throws 400 if it is unknown. */
export function sortBy(by: string, snapshot: Snapshot): Sort {
  checkSort(by, listSorts)
  return { by, ...keyOf(by, snapshot) }
}

function keyOf(by: ListSort, { volumes }: Snapshot): Omit<Sort, 'by'> {
  const keys = {
    name: text(sql`name`),
    path: text(sql`concat(parent_path, name)`),
    volumeName: text(perVolume(volumes, ({ name }) => name, '')),
    indexingDate: text(perVolume(volumes, ({ scannedOn }) => scannedOn, '')),
    extension: text(sql`extension`),
    owner: text(sql`owner`),
    group: text(sql`\`group\``),
    size: number(sql`size`),
    allocatedSize: number(sql`allocated_size`),
    numberOfFiles: number(sql`files`),
    numberOfFolders: number(sql`folders`),
    creationDate: moment(sql`created`),
    lastAccess: moment(sql`last_access`),
    lastModified: moment(sql`last_modified`),
    lastAccessFolder: moment(sql`accessed`),
    lastModifiedFolder: moment(sql`modified`),
    backupDate: moment(sql`backup_date`),
    duplicateSet: text(sql`concat(leftPad(toString(greatest(size, 0)), 20, '0'), hex(identification_hash))`),
  } satisfies Record<ListSort, Omit<Sort, 'by'>>
  return keys[by]
}
