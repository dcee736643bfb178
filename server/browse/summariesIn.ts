import type { EntrySummary } from '#events/entries.ts'
import { asSummaries, childrenOf, inStorages, type SummaryRecord, tagsIn } from '#server/entries/index.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import type { Snapshot } from '#server/snapshots/index.ts'

/** A folder of some storages, of all where none is named. */
type Folder = { path: string; storages: number[] }

/** What is being read of a folder, as rows show it: the tags of the folder are asked for beside it. */
export async function summariesIn<Read extends { rows: SummaryRecord[] }>(
  clickhouse: ClickHouse,
  snapshot: Snapshot,
  { path, storages }: Folder,
  reading: Promise<Read>,
): Promise<Read & { elements: EntrySummary[] }> {
  const volumes = inStorages(snapshot, storages).volumes.map(({ volumeId }) => volumeId)
  const [read, tags] = await Promise.all([reading, tagsIn(clickhouse, { volumes, parentPath: childrenOf(path) })])
  return { ...read, elements: await asSummaries(clickhouse, read.rows, snapshot, tags) }
}
