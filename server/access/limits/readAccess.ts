import { sql } from 'kysely'
import type { Access } from '#events/users/limits.ts'
import { areLimitsOf, isLimited } from '#server/platform/callers/scope.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { notFound } from '#server/platform/problem.ts'

type Question = { storageId: number; path: string }
type Source = {
  group: string | null
  everything: boolean
  projects: number[]
  storages: number[]
  folders: { storageId: number; path: string }[]
  since: Date
}
type Reason = Access['because'][number]

/** Tells whether a user sees a path of a storage now, and why. Throws 404 for an unknown user. */
export async function readAccess(db: Db, userId: number, asked: Question): Promise<Access> {
  const user = await db
    .selectFrom('users')
    .select(['roles', isLimited.as('isLimited')])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!user) return notFound('user', userId)
  const [sources, projects] = await Promise.all([readSources(db, userId), projectsAround(db, userId, asked)])
  const since = sources.reduce<string | null>((last, source) => laterOf(last, source.since.toISOString()), null)
  const because: Reason[] = user.roles.includes('ROLE_ADMIN')
    ? [{ because: 'administrator', group: null, name: null }]
    : sources.length === 0 && !user.isLimited
      ? [{ because: 'everything', group: null, name: null }]
      : [...sources.flatMap((source) => reasonsOf(source, projects, asked)), ...managed(projects)]
  return { allowed: because.length > 0, because, since }
}

const laterOf = (one: string | null, other: string): string => (one !== null && one > other ? one : other)

const readSources = (db: Db, userId: number): Promise<Source[]> =>
  db
    .selectFrom('limits')
    .innerJoin('users', (join) => join.onTrue())
    .select(['groupName as group', 'everything', 'projects', 'storages', 'folders', 'since'])
    .where('users.id', '=', userId)
    .where(areLimitsOf)
    .orderBy('groupName', (order) => order.asc().nullsFirst())
    .execute()

type Project = { id: number; name: string; isManager: boolean }

/** The projects that contain a path. */
async function projectsAround(db: Db, userId: number, { storageId, path }: Question): Promise<Project[]> {
  const { rows } = await sql<Project>`
    SELECT DISTINCT projects.id, projects.name,
      EXISTS (SELECT FROM project_managers WHERE project_id = projects.id AND user_id = ${userId}) AS is_manager
    FROM project_folders JOIN projects ON projects.id = project_id
    WHERE volume_id = ${storageId} AND current_id IS NULL
      AND (path = '/' OR path = ${path} OR starts_with(${path}, path || '/'))
    ORDER BY projects.name`.execute(db)
  return rows
}

const managed = (projects: readonly Project[]): Reason[] =>
  projects.filter(({ isManager }) => isManager).map(({ name }) => ({ because: 'manager', group: null, name }))

function reasonsOf({ group, ...source }: Source, around: readonly Project[], { storageId, path }: Question): Reason[] {
  const isAround = (folder: string) => folder === '/' || folder === path || path.startsWith(`${folder}/`)
  const projects = around.filter(({ id }) => source.projects.includes(id))
  const folders = source.folders.filter((folder) => folder.storageId === storageId && isAround(folder.path))
  return [
    ...(source.everything ? [{ because: 'everything' as const, group, name: null }] : []),
    ...projects.map(({ name }) => ({ because: 'project' as const, group, name })),
    ...(source.storages.includes(storageId) ? [{ because: 'storage' as const, group, name: null }] : []),
    ...folders.map((folder) => ({ because: 'folder' as const, group, name: folder.path })),
  ]
}
