import { sql } from 'kysely'
import type { ProjectDraft, TrackedFolder } from '#events/projects/calls.ts'
import { streamNames } from '#events/streams.ts'
import { asStored } from '#server/content/entries/storedFolders.ts'
import { acceptAdded } from '#server/messages/notifications/index.ts'
import { checkUnique } from '#server/platform/crud/checkUnique.ts'
import { type Scope, showsFolder } from '#server/platform/callers/scope.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { Change } from '#server/platform/log/change.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Stores } from '#server/platform/platform.ts'
import { today } from '#server/platform/days.ts'
import { invalid, notFound } from '#server/platform/problem.ts'
import { snapshotOrEmpty } from '#server/content/snapshots/reading/snapshotAt.ts'
import { checkEditable, checkProject } from './checkProject.ts'
import { closeProject } from './statements/closeMonths.ts'
import { trackFolders } from './trackedFolders.ts'

/**
 * A draft with the stored paths of its added folders, see `asStored`. Those that the project `id` has stay, also if they are gone;
 * its earlier places may be folders of others now. Throws
 * 400 for an added folder that the scope doesn't show.
 */
export async function withStoredPaths(
  { db, clickhouse }: Stores,
  scope: Scope,
  draft: ProjectDraft,
  id = 0,
): Promise<ProjectDraft> {
  const tracked = await db
    .selectFrom('projectFolders')
    .select(['path', 'volumeId'])
    .where('projectId', '=', id)
    .where('currentId', 'is', null)
    .execute()
  const keyOf = ({ volumeId, path }: Pick<TrackedFolder, 'volumeId' | 'path'>) => `${volumeId}:${path}`
  const known = new Set(tracked.map(keyOf))
  const added = draft.paths.filter((folder) => !known.has(keyOf(folder)))
  if (added.length === 0) return draft
  const stored = await asStored(clickhouse, await snapshotOrEmpty(db, scope), added)
  const hidden = stored.find((folder) => !showsFolder(scope, folder))
  if (hidden) invalid('paths', `must be folders that you see; ${hidden.path} of storage ${hidden.volumeId} is not one`)
  const storedOf = new Map(added.map((folder, i) => [folder, stored[i] ?? folder]))
  const paths = draft.paths.map((folder) => storedOf.get(folder) ?? folder)
  return { ...draft, paths: [...new Map(paths.map((folder) => [keyOf(folder), folder])).values()] }
}

/**
 * Adds a project and returns its id. Throws 400 for a duplicate name, and for a folder of a storage that is not
 * configured.
 */
export async function createProject({ trx, record }: Change, draft: ProjectDraft): Promise<number> {
  await checkName(trx, draft.name)
  const { name, description, allocatedSize } = draft
  const row = trx.insertInto('projects').values({ name, description, allocatedSize, madeOn: today() }).returning('id')
  const { id } = await row.executeTakeFirstOrThrow()
  await trackFolders(trx, id, draft.paths)
  await record(streamNames.project(id), { after: audited(draft) })
  return id
}

/**
 * Changes a project. Throws as `createProject` and `checkEditable` do. Folders of a deleted storage may stay. Users with limits can't
 * change the name: that it must be unique would tell them the names of other projects.
 */
export async function updateProject(
  { trx, by, record }: Change<Caller>,
  id: number,
  draft: ProjectDraft,
): Promise<void> {
  await checkEditable(trx, by, id)
  const before = await lockProject(trx, id)
  if (by.scope === 'everything') await checkName(trx, draft.name, id)
  else if (draft.name !== before.name) invalid('name', 'can be changed only by users who see all projects')
  const { name, description, allocatedSize } = draft
  await trx.updateTable('projects').set({ name, description, allocatedSize }).where('id', '=', id).execute()
  await trackFolders(trx, id, draft.paths)
  await record(streamNames.project(id), { before: audited(before), after: audited(draft) })
}

/** Deletes a project; its statements stay, and so do its folders and files on their storages. */
export async function removeProject(change: Change<Caller>, id: number): Promise<void> {
  const { trx, by, record } = change
  await checkProject(trx, by.scope, id)
  const before = await lockProject(trx, id)
  await closeProject(change, id)
  await trx.deleteFrom('projects').where('id', '=', id).execute()
  await record(streamNames.project(id), { before: audited(before) })
}

/** Sets the recipients of a project's statements. Throws as `checkEditable` does. */
export async function updateRecipients(
  { trx, by, record }: Change<Caller>,
  id: number,
  addresses: string[],
): Promise<void> {
  await checkEditable(trx, by, id)
  const row = trx.selectFrom('projects').select('statementRecipients').where('id', '=', id).forUpdate()
  const { statementRecipients: before } = (await row.executeTakeFirst()) ?? notFound('project', id)
  await acceptAdded(trx, by, addresses, before)
  await trx.updateTable('projects').set({ statementRecipients: addresses }).where('id', '=', id).execute()
  const recipientsOf = (statementRecipients: string[]) => ({ statementRecipients })
  await record(streamNames.project(id), { before: recipientsOf(before), after: recipientsOf(addresses) })
}

/** Locks a project until the transaction ends, and returns it as drafted. */
export async function lockProject(trx: Trx, id: number): Promise<ProjectDraft> {
  const row = trx.selectFrom('projects').select(['name', 'description', 'allocatedSize']).where('id', '=', id)
  const project = (await row.forUpdate().executeTakeFirst()) ?? notFound('project', id)
  const folders = trx.selectFrom('projectFolders').select(['path', 'volumeId']).where('projectId', '=', id)
  return { ...project, paths: await folders.where('currentId', 'is', null).orderBy('id').execute() }
}

/** Names are assigned one at a time: of two concurrent requests the second one fails. */
async function checkName(trx: Trx, value: string, own?: number): Promise<void> {
  await sql`LOCK TABLE projects IN SHARE ROW EXCLUSIVE MODE`.execute(trx)
  await checkUnique(trx.selectFrom('projects'), { value, own, message: 'must be unique' })
}

/** The record for the event log: `paths` as `volumeId:path`. */
const audited = ({ name, description, allocatedSize, paths }: ProjectDraft) => ({
  name,
  description,
  allocatedSize,
  paths: paths.map(({ volumeId, path }) => `${volumeId}:${path}`),
})
