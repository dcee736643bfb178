import { isDeepStrictEqual } from 'node:util'
import { type RawBuilder, sql } from 'kysely'
import { type Limits, type LimitsOf, noLimits } from '#events/users/limits.ts'
import { streamNames } from '#events/streams.ts'
import type { Change } from '#server/platform/log/change.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { invalid, notFound } from '#server/platform/problem.ts'

/** A user by ID, a group of single sign-on by name, or a wall display by the ID of its token, with its name. */
type Limited = { userId: number } | { groupName: string } | { wallId: number; name: string }

const columns = ['everything', 'projects', 'storages', 'folders'] as const
const isOf = (of: Limited) =>
  'userId' in of
    ? sql<boolean>`user_id = ${of.userId}`
    : 'wallId' in of
      ? sql<boolean>`wall_id = ${of.wallId}`
      : sql<boolean>`group_name = ${of.groupName}`

/** Selects limits in a query, null without any. */
export const limitsOf = (which: RawBuilder<unknown>) => sql<Limits | null>`(SELECT jsonb_build_object(
  'everything', everything, 'projects', projects, 'storages', storages, 'folders', folders) FROM limits WHERE ${which})`

const findLimits = (db: Db | Trx, of: Limited): Promise<Limits | undefined> =>
  db.selectFrom('limits').select(columns).where(isOf(of)).executeTakeFirst()

/** Reads limits; without any, everything is seen. */
export const readLimits = async (db: Db | Trx, of: Limited): Promise<Limits> => (await findLimits(db, of)) ?? noLimits

/** Limits of a user by ID. Throws 404. */
export async function limitsOfUser(db: Db, userId: number): Promise<Limits> {
  await nameOfUser(db, userId)
  return readLimits(db, { userId })
}

async function nameOfUser(db: Db | Trx, id: number): Promise<string> {
  const user = await db.selectFrom('users').select('name').where('id', '=', id).executeTakeFirst()
  return user?.name ?? notFound('user', id)
}

/**
 * Sets what a user, group or wall display sees. Throws 404 for an unknown user, and 400 for added projects and storages that are unknown, by the field within `at`.
 */
export async function setLimits(
  { trx, recordFact }: Change,
  of: Limited,
  draft: Limits,
  at: readonly (string | number)[] = [],
): Promise<void> {
  const name = 'userId' in of ? await nameOfUser(trx, of.userId) : 'wallId' in of ? of.name : of.groupName
  const after = ordered(draft)
  const own = await findLimits(trx, of)
  const before = own ?? noLimits
  await checkKnown(trx, addedTo(before, after), at)
  if (isDeepStrictEqual(own, after)) return
  await trx.deleteFrom('limits').where(isOf(of)).execute()
  // "Everything" is stored too: without limits of their own, users of single sign-on see what their groups see.
  await trx
    .insertInto('limits')
    .values({
      userId: 'userId' in of ? of.userId : null,
      groupName: 'groupName' in of ? of.groupName : null,
      wallId: 'wallId' in of ? of.wallId : null,
      ...after,
      folders: JSON.stringify(after.folders),
    })
    .execute()
  const fact = { type: 'Changed', name, before, after }
  await recordFact(streamOf(of), fact)
}

const streamOf = (of: Limited) =>
  'userId' in of
    ? streamNames.limits(of.userId)
    : 'wallId' in of
      ? streamNames.wallLimits(of.wallId)
      : streamNames.groupLimits(of.groupName)

/** Sets the limits of many users, by name, and of groups. Throws 400 for an unknown user. */
export async function setManyLimits(change: Change, all: readonly LimitsOf[]): Promise<void> {
  for (const [index, { everything, projects, storages, folders, ...of }] of all.entries()) {
    const limits = { everything, projects, storages, folders }
    const at = ['limits', index]
    await setLimits(
      change,
      'group' in of ? { groupName: of.group } : await userNamed(change.trx, of.user, at),
      limits,
      at,
    )
  }
}

async function userNamed(trx: Trx, name: string, at: readonly (string | number)[]): Promise<Limited> {
  const user = await trx.selectFrom('users').select('id').where('name', '=', name).executeTakeFirst()
  return user ? { userId: user.id } : invalid([...at, 'user'].join('.'), `is unknown: ${name}`)
}

/** Everything is alone; lists are sorted, each once. */
function ordered({ everything, projects, storages, folders }: Limits): Limits {
  if (everything) return noLimits
  const byKey = new Map(folders.map((folder) => [`${folder.storageId}:${folder.path}`, folder]))
  const numbers = (list: readonly number[]) => [...new Set(list)].sort((a, b) => a - b)
  return {
    everything,
    projects: numbers(projects),
    storages: numbers(storages),
    folders: [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, folder]) => folder),
  }
}

/** Those projects, storages and folders that the limits didn't have. Deleted ones may stay. */
const addedTo = (before: Limits, { projects, storages, folders, ...after }: Limits): Limits => ({
  ...after,
  projects: projects.filter((id) => !before.projects.includes(id)),
  storages: storages.filter((id) => !before.storages.includes(id)),
  folders: folders.filter((folder) => !before.folders.some((known) => isDeepStrictEqual(known, folder))),
})

async function checkKnown(trx: Trx, { projects, storages, folders }: Limits, at: readonly (string | number)[]) {
  const ids = [...storages, ...folders.map(({ storageId }) => storageId)]
  const [known, volumes] = await Promise.all([
    projects.length > 0 ? trx.selectFrom('projects').select('id').where('id', 'in', projects).execute() : [],
    ids.length > 0
      ? trx.selectFrom('volumes').select('id').where('id', 'in', ids).where('deletedAt', 'is', null).execute()
      : [],
  ])
  const missing = (given: readonly number[], rows: { id: number }[]) =>
    given.find((id) => !rows.some((row) => row.id === id))
  const project = missing(projects, known)
  if (project !== undefined) invalid([...at, 'projects'].join('.'), `has an unknown project: ${project}`)
  const storage = missing(storages, volumes)
  if (storage !== undefined) invalid([...at, 'storages'].join('.'), `has an unknown storage: ${storage}`)
  const ofFolder = missing(ids, volumes)
  if (ofFolder !== undefined) invalid([...at, 'folders'].join('.'), `has a folder of an unknown storage: ${ofFolder}`)
}
