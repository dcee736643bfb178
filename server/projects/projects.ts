import { sql } from 'kysely'
import type { ProjectDraft, TrackedFolder } from '#events/projects/calls.ts'
import { streamNames } from '#events/streams.ts'
import { checkUnique } from '#server/platform/crud/checkUnique.ts'
import type { Change } from '#server/platform/log/change.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { today } from '#server/platform/days.ts'
import { invalid, notFound } from '#server/platform/problem.ts'

/**
 * Adds a project and returns its id. Throws 400 for a duplicate name, and for a folder of a storage that is not
 * configured.
 */
export async function createProject({ trx, record }: Change, draft: ProjectDraft): Promise<number> {
  await checkName(trx, draft.name)
  const { name, description, allocatedSize } = draft
  const row = trx.insertInto('projects').values({ name, description, allocatedSize, madeOn: today() }).returning('id')
  const { id } = await row.executeTakeFirstOrThrow()
  await trackFolders(trx, id, draft.paths, [])
  await record(streamNames.project(id), { after: audited(draft) })
  return id
}

/** Changes a project. Throws as `createProject` does, and 404. Folders of a deleted storage may stay. */
export async function updateProject({ trx, record }: Change, id: number, draft: ProjectDraft): Promise<void> {
  const before = await lockProject(trx, id)
  await checkName(trx, draft.name, id)
  const { name, description, allocatedSize } = draft
  await trx.updateTable('projects').set({ name, description, allocatedSize }).where('id', '=', id).execute()
  await trackFolders(trx, id, draft.paths, before.paths)
  await record(streamNames.project(id), { before: audited(before), after: audited(draft) })
}

/** Deletes a project; its folders and files stay. */
export async function removeProject({ trx, record }: Change, id: number): Promise<void> {
  const before = await lockProject(trx, id)
  await trx.deleteFrom('projects').where('id', '=', id).execute()
  await record(streamNames.project(id), { before: audited(before) })
}

/** Sets the recipients of a project's statements. Throws 404. */
export async function updateRecipients({ trx, record }: Change, id: number, addresses: string[]): Promise<void> {
  const row = trx.selectFrom('projects').select('statementRecipients').where('id', '=', id).forUpdate()
  const { statementRecipients: before } = (await row.executeTakeFirst()) ?? notFound('project', id)
  await trx.updateTable('projects').set({ statementRecipients: addresses }).where('id', '=', id).execute()
  const recipientsOf = (statementRecipients: string[]) => ({ statementRecipients })
  await record(streamNames.project(id), { before: recipientsOf(before), after: recipientsOf(addresses) })
}

type StoredFolder = TrackedFolder & { id: number; isNested: boolean }

/** Locks a project until the transaction ends, and returns it as drafted. */
async function lockProject(trx: Trx, id: number): Promise<Omit<ProjectDraft, 'paths'> & { paths: StoredFolder[] }> {
  const row = trx.selectFrom('projects').select(['name', 'description', 'allocatedSize']).where('id', '=', id)
  const project = (await row.forUpdate().executeTakeFirst()) ?? notFound('project', id)
  const folders = trx.selectFrom('projectFolders').select(['id', 'path', 'volumeId', 'isNested'])
  return { ...project, paths: await folders.where('projectId', '=', id).orderBy('id').execute() }
}

/** Names are assigned one at a time: of two concurrent requests the second one fails. */
async function checkName(trx: Trx, value: string, own?: number): Promise<void> {
  await sql`LOCK TABLE projects IN SHARE ROW EXCLUSIVE MODE`.execute(trx)
  await checkUnique(trx.selectFrom('projects'), { value, own, message: 'must be unique' })
}

/** Folders keep their numbers as long as they are tracked. */
async function trackFolders(
  trx: Trx,
  projectId: number,
  folders: TrackedFolder[],
  known: StoredFolder[],
): Promise<void> {
  const isKnown = (folder: TrackedFolder) => known.some((other) => isSame(other, folder))
  const added = folders.filter((folder) => !isKnown(folder))
  await checkVolumes(trx, added)
  const gone = known.filter((folder) => !folders.some((other) => isSame(other, folder)))
  if (gone.length > 0) await trx.deleteFrom('projectFolders').where('id', 'in', idsOf(gone)).execute()
  const turned = known.filter((folder) => !gone.includes(folder) && folder.isNested !== isNested(folder, folders))
  if (turned.length > 0)
    await trx
      .updateTable('projectFolders')
      .set({ isNested: sql<boolean>`NOT is_nested` })
      .where('id', 'in', idsOf(turned))
      .execute()
  const rows = added.map(({ volumeId, path }) => ({
    projectId,
    volumeId,
    path,
    isNested: isNested({ volumeId, path }, folders),
  }))
  if (rows.length > 0) await trx.insertInto('projectFolders').values(rows).execute()
}

const idsOf = (folders: StoredFolder[]): number[] => folders.map(({ id }) => id)
const isSame = (a: TrackedFolder, b: TrackedFolder): boolean => a.volumeId === b.volumeId && a.path === b.path

/** Returns whether a folder is inside another one of them, which includes it. */
const isNested = ({ path, volumeId }: TrackedFolder, folders: TrackedFolder[]): boolean =>
  folders.some(
    (other) =>
      other.volumeId === volumeId && other.path !== path && (other.path === '/' || path.startsWith(`${other.path}/`)),
  )

async function checkVolumes(trx: Trx, folders: TrackedFolder[]): Promise<void> {
  if (folders.length === 0) return
  const ids = folders.map(({ volumeId }) => volumeId)
  const living = trx.selectFrom('volumes').select('id').where('id', 'in', ids).where('deletedAt', 'is', null)
  const found = (await living.forKeyShare().execute()).map(({ id }) => id)
  const unknown = ids.findIndex((id) => !found.includes(id))
  if (unknown >= 0) invalid('paths', `must be folders of configured storages; storage ${ids[unknown]} is not one`)
}

/** The record for the event log: `paths` as `volumeId:path`. */
const audited = ({ name, description, allocatedSize, paths }: ProjectDraft) => ({
  name,
  description,
  allocatedSize,
  paths: paths.map(({ volumeId, path }) => `${volumeId}:${path}`),
})
