import type { FolderDetails, OneFolder } from '#events/folders.ts'
import { childrenOf, findEntry, inStorages, isFolder, listEntries } from '#server/entries/index.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/sql.ts'
import { type Snapshot, sourceAt } from '#server/snapshots/index.ts'

/** A folder and the largest of what lies directly in it; nothing when the snapshot does not have it. */
export async function findFolder(
  clickhouse: ClickHouse,
  snapshot: Snapshot,
  { path, storageId, size }: OneFolder & { size: number },
): Promise<FolderDetails | undefined> {
  const { from, where: isShown } = sourceAt(inStorages(snapshot, [storageId]))
  const children = {
    snapshot,
    from,
    where: sql`${isShown} AND parent_path = ${childrenOf(path)}`,
    deleted: false,
    heavy: false,
    quick: true,
  }
  const [folder, largest] = await Promise.all([
    findEntry(clickhouse, snapshot, {
      from,
      where: sql`${isShown} AND ${isFolder(path)}`,
    }),
    size === 0 ? undefined : listEntries(clickhouse, children, { page: 1, size }, { sort: 'size', direction: 'desc' }),
  ])
  return folder && { ...folder, largest: largest?.elements ?? [] }
}
