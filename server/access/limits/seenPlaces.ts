import { sql } from 'kysely'
import type { GroupLimits } from '#events/users/limits.ts'
import type { SeenPlaces } from '#events/users/session.ts'
import { limitsHeldBy, type Scope } from '#server/platform/callers/scope.ts'
import { hash } from '#server/platform/callers/session.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { readLimits } from './limits.ts'

/** Names of the places in the scope of a user or wall display; undefined for everything. */
export async function readSeenPlaces(
  db: Db | Trx,
  of: { userId: number } | { wallId: number },
  scope: Scope,
): Promise<SeenPlaces | undefined> {
  if (scope === 'everything') return undefined
  const { rows } = await sql<{ storages: SeenPlaces['storages']; folders: number }>`
    WITH held AS (${limitsHeldBy(of)})
    SELECT
      (SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name) ORDER BY name), '[]') FROM volumes
        WHERE deleted_at IS NULL AND id IN (SELECT unnest(storages) FROM held)) AS storages,
      (SELECT count(DISTINCT folder)::integer FROM held, jsonb_array_elements(folders) AS folder) AS folders`.execute(
    db,
  )
  const version = hash(JSON.stringify(scope)).slice(0, 16)
  const projects = db
    .selectFrom('projects')
    .select(['id', 'name'])
    .where('id', 'in', [...scope.projects, 0])
  return { projects: await projects.orderBy('name').execute(), storages: [], folders: 0, ...rows[0], version }
}

/** Groups of single sign-on with what their users see: those with roles or limits, and those of users. */
export async function listGroups(db: Db, withRoles: readonly string[]): Promise<GroupLimits[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT group_name AS name FROM limits WHERE group_name IS NOT NULL
    UNION SELECT unnest(groups) FROM users`.execute(db)
  // Users have all names by which the product knows a group.
  const isShort = (name: string) => !name.startsWith('/') && !name.includes('=')
  const names = [...new Set([...withRoles, ...rows.map(({ name }) => name).filter(isShort)])].sort()
  return Promise.all(
    names.map(async (name, index) => ({ id: index + 1, name, limits: await readLimits(db, { groupName: name }) })),
  )
}
