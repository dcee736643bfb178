import { sql } from 'kysely'
import { evolveMoves, type FolderMove, type ProjectEvent } from '#events/projects/moves.ts'
import { type Limits, noLimits } from '#events/users/limits.ts'
import { currentScopeOf } from '#server/platform/callers/scope.ts'
import { type AnyEvent, readLog, type Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { trackFolders } from '#server/work/projects/trackedFolders.ts'

/** Users whom the log knows. */
const isLogged = sql<boolean>`EXISTS (SELECT FROM events WHERE stream = 'user-' || users.id)`

/** Reads what users may see from the tables, without numbers that only count rows. */
export async function readState(db: Db) {
  const users = await db.selectFrom('users').select(['id', 'name', 'groups']).where(isLogged)
  const limits = db
    .selectFrom('limits')
    .select(['userId', 'groupName', 'everything', 'projects', 'storages', 'folders'])
  const folders = db
    .selectFrom('projectFolders')
    .select(['projectId', 'volumeId', 'path', 'isNested', 'fromScan', 'beforeScan'])
  return {
    users: await Promise.all(
      (await users.orderBy('id').execute()).map(async (user) => ({
        ...user,
        scope: await currentScopeOf(db, user.id),
      })),
    ),
    limits: await limits.orderBy('userId').orderBy('groupName').execute(),
    managers: await db.selectFrom('projectManagers').selectAll().orderBy('projectId').orderBy('userId').execute(),
    folders: await folders.orderBy('projectId').orderBy('volumeId').orderBy('path').orderBy('fromScan').execute(),
  }
}

type Profile = { name?: string; roles?: string[]; isDisabled?: boolean }
type Members = { managers?: string[] }
type ProjectFact = { paths?: string[]; description?: string; allocatedSize?: number } & Profile & Members
type Event = AnyEvent & { before?: unknown; after?: unknown; groups?: string[] }

/** Empties the tables of users, limits and projects, and fills them from the event log, event by event. */
export async function replayLog(db: Db): Promise<void> {
  const all = await readLog<Event>(db, 0, 100_000)
  await sql`DELETE FROM users WHERE ${isLogged}`.execute(db)
  await sql`TRUNCATE limits, projects CASCADE`.execute(db)
  const moves = new Map<number, FolderMove[]>()
  for (const { stream, event } of all) {
    const [, kind = '', key = ''] = /^(user|limits|group-limits|project)-(.+)$/.exec(stream) ?? []
    await db.transaction().execute(async (trx) => {
      if (kind === 'user') await replayUser(trx, Number(key), event)
      if (kind === 'limits') await replayLimits(trx, { userId: Number(key), groupName: null }, event)
      if (kind === 'group-limits') await replayLimits(trx, { userId: null, groupName: key }, event)
      if (kind === 'project') await replayProject(trx, Number(key), event, moves)
    })
  }
}

async function replayUser(trx: Trx, id: number, { type, after, groups }: Event): Promise<void> {
  const isRow = sql<boolean>`id = ${id}`
  if (type === 'Removed') await trx.deleteFrom('users').where(isRow).execute()
  if (type === 'GroupsChanged')
    await trx
      .updateTable('users')
      .set({ groups: groups ?? [], issuer: 'of the log', subject: `${id}` })
      .where(isRow)
      .execute()
  if (!after) return
  const { name = '', roles = [], isDisabled } = after as Profile
  await sql`INSERT INTO users (id, name, roles, disabled_at) OVERRIDING SYSTEM VALUE
    VALUES (${id}, ${name}, ${roles}::text[], ${isDisabled ? new Date() : null})
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, roles = excluded.roles, disabled_at = excluded.disabled_at`.execute(
    trx,
  )
}

async function replayLimits(trx: Trx, of: { userId: number | null; groupName: string | null }, { after }: Event) {
  const limits = after as Limits
  const isOf = of.userId === null ? sql<boolean>`group_name = ${of.groupName}` : sql<boolean>`user_id = ${of.userId}`
  await trx.deleteFrom('limits').where(isOf).execute()
  const { projects, storages, folders } = { ...noLimits, ...limits }
  await trx
    .insertInto('limits')
    .values({ ...of, everything: limits.everything, projects, storages, folders: JSON.stringify(folders) })
    .execute()
}

async function replayProject(trx: Trx, id: number, event: Event, known: Map<number, FolderMove[]>): Promise<void> {
  const [before, after] = [event.before as ProjectFact | undefined, event.after as ProjectFact | undefined]
  if (event.type === 'Removed') await trx.deleteFrom('projects').where('id', '=', id).execute()
  if (after?.name !== undefined) {
    const { name, description = '', allocatedSize = 0, paths = [] } = after
    await sql`INSERT INTO projects (id, name, description, allocated_size) OVERRIDING SYSTEM VALUE
      VALUES (${id}, ${name}, ${description}, ${allocatedSize})
      ON CONFLICT (id) DO UPDATE SET name = excluded.name`.execute(trx)
    const folders = paths.map((text) => ({
      volumeId: Number(text.slice(0, text.indexOf(':'))),
      path: text.slice(text.indexOf(':') + 1),
    }))
    await trackFolders(trx, id, folders)
  }
  if (after?.managers) {
    const [was, is] = [before?.managers ?? [], after.managers]
    const removed = was.filter((name) => !is.includes(name))
    const added = is.filter((name) => !was.includes(name))
    await sql`DELETE FROM project_managers WHERE project_id = ${id}
      AND user_id IN (SELECT id FROM users WHERE name = any(${removed}::text[]))`.execute(trx)
    await sql`INSERT INTO project_managers (project_id, user_id)
      SELECT ${id}::integer, id FROM users WHERE name = any(${added}::text[])`.execute(trx)
  }
  const moves = evolveMoves(known.get(id) ?? [], event as unknown as ProjectEvent)
  known.set(id, moves)
  await sql`DELETE FROM project_moves WHERE folder_id IN (SELECT id FROM project_folders WHERE project_id = ${id})`.execute(
    trx,
  )
  for (const { volumeId, path, movedTo, places, isRejected } of moves)
    await sql`INSERT INTO project_moves (folder_id, moved_to, places, is_rejected)
      SELECT id, ${movedTo}, ${JSON.stringify(places)}::jsonb, ${isRejected} FROM project_folders
      WHERE project_id = ${id} AND volume_id = ${volumeId} AND path = ${path} AND current_id IS NULL`.execute(trx)
}
