import type { TagPayload } from '#events/jobs/payloads.ts'
import type { TagResult } from '#events/jobs/taskResults.ts'
import type { SearchSelection } from '#events/selections.ts'
import { currentScopeOf, managedScopeOf } from '#server/platform/callers/scope.ts'
import { system } from '#server/platform/log/eventLog.ts'
import type { Stores } from '#server/platform/platform.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { notFound } from '#server/platform/problem.ts'
import {
  dropSelection,
  type EntryRows,
  findSelection,
  freezeSelection,
  type FrozenSelection,
  rowsOfSelection,
  scansOf,
} from '#server/questions/selections/index.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import type { ServerTaskHandler } from '#server/workers/tasks/index.ts'
import { dropStaging, newStaging } from './staging.ts'
import { tagVolume } from './tagVolume.ts'

/**
 * Tags results of searches in the server. Tagging has no rows besides its job: after a pause it starts again, and skips
 * what is already tagged.
 */
export const tagTasks = (stores: Stores): ServerTaskHandler<'TAG_ENTRIES'> => ({
  consumer: 'tag-jobs',
  topics: ['tags'],
  async run(payload, progress) {
    const result = await tagResults(stores, payload, progress)
    return result.tagged === result.toTag ? result : undefined
  },
})

/**
 * Tags all results of a search, storage by storage; `reached` receives the progress and returns whether to continue. A
 * storage is tried at most `maxTries` times. The search is evaluated once, and again only for storages whose scans end
 * before they are tagged, and if what its user sees or manages changes.
 */
export async function tagResults(
  stores: Stores,
  payload: TagPayload,
  reached: (result: TagResult) => Promise<boolean>,
  maxTries?: number,
): Promise<TagResult> {
  const staging = await newStaging(stores)
  const { limitedTo, managedBy, ofSelection: selection } = payload
  const readLimits = async () => ({
    scope: limitedTo === undefined ? ('everything' as const) : await currentScopeOf(stores.db, limitedTo),
    within: managedBy === undefined ? undefined : await managedScopeOf(stores.db, managedBy),
  })
  let limits = await readLimits()
  const freeze = (id?: number) => freezeSelection(stores, { selection: searchOf(payload), by: system, ...limits, id })
  let frozen = selection === undefined ? await freeze() : await givenSelection(stores, selection)
  const found = await countByVolume(stores, frozen)
  const toTag = found.reduce((sum, { count }) => sum + count, 0)
  let tagged = 0
  for (const { volumeId, count } of found) {
    if (!(await reached({ tagged, toTag }))) break
    const select = async (snapshot: Snapshot) => {
      const now = await readLimits()
      const isSame = JSON.stringify(now) === JSON.stringify(limits)
      limits = now
      if (selection !== undefined) return { snapshot, ...kept(selection) }
      if (!isSame || frozen.scans[volumeId] !== scansOf(snapshot)[volumeId]) frozen = await freeze(frozen.id)
      return { snapshot, ...rowsOfSelection(frozen.id) }
    }
    await tagVolume(stores, { ...payload, select }, volumeId, staging, maxTries)
    tagged += count
  }
  await dropStaging(stores, staging)
  if (selection === undefined) await dropSelection(stores, frozen.id)
  return { tagged, toTag }
}

const searchOf = ({ isDirectory, ...searched }: TagPayload): SearchSelection =>
  'filters' in searched ? { filters: searched.filters, isDirectory } : { criteria: searched.criteria, isDirectory }

/** A list that a person may have approved. Scans since then don't change it. */
const givenSelection = async ({ db }: Stores, id: number): Promise<FrozenSelection> =>
  (await findSelection(db, id)) ?? notFound('selection', id)

/** The rows of a selection that are not left out. */
const kept = (id: number): EntryRows => {
  const { from, where } = rowsOfSelection(id)
  return { from, where: sql`${where} AND left_out = ''` }
}

const countByVolume = ({ clickhouse }: Stores, { id }: FrozenSelection) => {
  const { from, where } = kept(id)
  return clickhouse.rows<{ volumeId: number; count: number }>(
    sql`SELECT volume AS volumeId, count() AS count FROM ${from} WHERE ${where} GROUP BY volume ORDER BY volume`,
    { heavy: true },
  )
}
