import { Criteria } from '#events/search/criteria.ts'
import { TagPayload } from '#events/jobs/payloads.ts'
import { hasCondition, type SearchInput } from '#events/search/searched.ts'
import { searchesEverything } from '#events/tags.ts'
import { beginJob, nextNumber, queueTagging as queueTags } from '#server/workers/jobs/index.ts'
import { limitsKey } from '#server/platform/callers/scope.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { Actor, Trx } from '#server/platform/log/eventLog.ts'
import type { Platform, Stores } from '#server/platform/platform.ts'
import { invalid, validationErrors } from '#server/platform/problem.ts'
import { checkExpressions } from '#server/questions/search/index.ts'
import { assignSelection } from '#server/questions/selections/index.ts'
import { managedScopeOfTagger } from './managedScopeOfTagger.ts'
import { writableSnapshot } from './writableSnapshot.ts'
import type { SubError } from '#events/contract/problem.ts'
import { inTransaction } from '#server/platform/postgres/inTransaction.ts'

type TagJobRequest = {
  indexingDate?: string | undefined
  isDirectory: boolean
  deleteTag: boolean
  tagToApply: string[]
  everything: boolean
}

/**
 * Queues a job that adds or removes tags on all results of a search in the newest snapshot; returns its number. Throws
 * 409 for an older day; 400 for a search without a condition, unless `everything` is set; and 400 with the texts that a
 * job can't store and every invalid regular expression.
 */
export async function queueTagResults(
  { db, clickhouse }: Stores,
  searched: SearchInput,
  { indexingDate, isDirectory, deleteTag: remove, tagToApply: tags, everything }: TagJobRequest,
  by: Caller,
): Promise<number> {
  const managed = await managedScopeOfTagger(db, by)
  await writableSnapshot(db, by.scope, indexingDate, isDirectory ? 'folder' : 'file')
  if (!everything && !hasCondition(searched)) invalid('everything', searchesEverything)
  checkKept('filters' in searched ? searched.filters : searched.criteria)
  if ('criteria' in searched) await checkExpressions(clickhouse, Criteria.parse(searched.criteria))
  return queueTagging(
    { db },
    TagPayload.parse({
      tags,
      remove,
      isDirectory,
      ...searched,
      ...(by.scope !== 'everything' && { limitedTo: by.id }),
      ...(managed && { managedBy: by.id }),
    }),
    by,
    limitsKey(by.id, by.scope),
  )
}

/** Queues the job without checking the snapshot. */
export async function queueTagging(
  { db }: Pick<Platform, 'db'>,
  payload: TagPayload,
  by: Actor,
  limits: string | null = null,
): Promise<number> {
  return inTransaction(db, (trx) => queueTaggingIn(trx, payload, by, limits))
}

/** Same in the caller's transaction. A frozen list is kept as long as the job. */
export async function queueTaggingIn(
  trx: Trx,
  payload: TagPayload,
  by: Actor,
  limits: string | null = null,
): Promise<number> {
  const [jobId, taskId] = [await nextNumber(trx, 'job_ids'), await nextNumber(trx, 'task_ids')]
  if (payload.ofSelection !== undefined) await assignSelection(trx, payload.ofSelection, jobId)
  await beginJob(trx, jobId, by, queueTags(jobId, taskId, payload, new Date().toISOString()), limits)
  return jobId
}

/** Throws 400 with each text of a search that the job store can't hold: with NUL or half a surrogate pair. */
function checkKept(search: object): void {
  const wrong = fieldsIn(search).map((field): SubError => ({
    field,
    message: 'holds a character that cannot be stored',
  }))
  if (wrong.length > 0) throw validationErrors(wrong)
}

const fieldsIn = (value: object): string[] =>
  Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    if (!isStorable(name) || (typeof inner === 'string' && !isStorable(inner))) return [name]
    return typeof inner === 'object' && inner !== null ? fieldsIn(inner).map((field) => `${name}.${field}`) : []
  })

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
