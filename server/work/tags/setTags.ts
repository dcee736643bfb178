import type { Entry } from '#events/entries.ts'
import { findEntry, hasId } from '#server/content/entries/listEntries.ts'
import type { Scope } from '#server/platform/callers/scope.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { Platform } from '#server/platform/platform.ts'
import { notFound } from '#server/platform/problem.ts'
import { deletedAt } from '#server/content/snapshots/reading/deletedAt.ts'
import { changeTagsOf } from './changeTagsOf.ts'
import { managedScopeOfTagger } from './managedScopeOfTagger.ts'
import { kindOf, readOnly, writableSnapshot } from './writableSnapshot.ts'

type Stores = Pick<Platform, 'db' | 'clickhouse' | 'live'>
type SetTagsRequest = {
  /** The day the caller is viewing. */
  indexingDate?: string | undefined
  /** The record as the caller wants it; its own day is that of the scan the caller has seen. */
  record: { customTag: string[]; isDirectory: boolean; indexingDate?: string | undefined }
  by: Caller
}

/** Sets an entry's tags to exactly those of the record, keeping hidden ones, and returns the updated entry. */
export async function setTags(
  platform: Stores,
  fileId: string,
  { indexingDate, record, by }: SetTagsRequest,
): Promise<Entry> {
  const kind = kindOf(record)
  const managed = await managedScopeOfTagger(platform.db, by)
  await writableSnapshot(platform.db, by.scope, indexingDate, kind)
  const entry = await findById(platform, by.scope, fileId, kind)
  if (record.indexingDate !== undefined && record.indexingDate < entry.indexingDate) readOnly(kindOf(entry))
  const wanted = record.customTag
  const decide = (tags: string[]) => ({ add: wanted, remove: tags.filter((tag) => !wanted.includes(tag)) })
  await changeTagsOf(platform, [entry], { indexingDate, decide, by, scope: by.scope, managed })
  return findById(platform, by.scope, fileId, kind)
}

async function findById(
  { db, clickhouse }: Stores,
  scope: Scope,
  fileId: string,
  kind: 'file' | 'folder',
): Promise<Entry> {
  const snapshot = await writableSnapshot(db, scope, undefined, kind)
  const where = hasId(fileId)
  const deleted = async () =>
    findEntry(clickhouse, snapshot, { from: await deletedAt(db, snapshot), where, deleted: true })
  return (await findEntry(clickhouse, snapshot, { where })) ?? (await deleted()) ?? notFound(kind, fileId)
}
