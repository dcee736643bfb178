import { createHash } from 'node:crypto'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'

/**
 * A folder that a limited user sees with all below it, in the scans of its storage from `fromScan` up to `beforeScan` (exclusive). '/' is
 * the whole storage. Places of projects end and begin when their folders move.
 */
type SeenPlace = { volumeId: number; path: string; fromScan: number; beforeScan: number }

/** Part of the data that a caller sees: everything, or the folders of some projects, storages and single folders. */
export type Scope = 'everything' | LimitedScope
/** `userId` is the user who sees it; a wall display has none. */
export type LimitedScope = { places: readonly SeenPlace[]; projects: readonly number[]; userId?: number }

/** Condition on rows of `limits` and `users`: the limits are those of the user, or of a group of theirs. */
export const areLimitsOf: RawBuilder<boolean> = sql<boolean>`(limits.user_id = users.id OR limits.group_name = any(users.groups))`

/**
 * Condition on rows of `users`: something limits what the user sees. Administrators are never limited. Once a group of single sign-on is
 * limited, its users see nothing unless they or a group of theirs may: one who leaves the group must not see everything.
 */
export const isLimited: RawBuilder<boolean> = sql<boolean>`(NOT 'ROLE_ADMIN' = any(users.roles) AND NOT coalesce(
  (SELECT bool_or(everything) FROM limits WHERE ${areLimitsOf}),
  users.issuer IS NULL OR NOT EXISTS (SELECT FROM limits WHERE group_name IS NOT NULL AND NOT everything)))`

/** Selects the limits that count for a user, or for a wall display. */
export const limitsHeldBy = (of: { userId: number } | { wallId: number }): RawBuilder<unknown> =>
  'wallId' in of
    ? sql`SELECT projects, storages, folders FROM limits WHERE wall_id = ${of.wallId}`
    : sql`SELECT projects, storages, folders FROM limits JOIN users ON users.id = ${of.userId} WHERE ${areLimitsOf}`

/** Undefined for an unknown user. */
const readIsLimited = async (db: Db | Trx, userId: number): Promise<boolean | undefined> =>
  (await db.selectFrom('users').select(isLimited.as('isLimited')).where('id', '=', userId).executeTakeFirst())
    ?.isLimited

/** Returns whether something limits what a user sees. */
export const isUserLimited = async (db: Db | Trx, userId: number): Promise<boolean> =>
  (await readIsLimited(db, userId)) ?? false

/** Key of a limited user's scope, stored with figures that were counted within it; null for everything. */
export const limitsKey = (userId: number, scope: Scope): string | null =>
  scope === 'everything'
    ? null
    : createHash('sha256')
        .update(JSON.stringify([userId, scope]))
        .digest('base64url')

/** Returns whether one scope shows all that another one shows, in the same scans. */
export const showsAll = (scope: Scope, shown: LimitedScope | null): boolean =>
  scope === 'everything' ||
  (shown !== null &&
    shown.projects.every((id) => scope.projects.includes(id)) &&
    shown.places.every((place) =>
      scope.places.some(
        (outer) =>
          outer.volumeId === place.volumeId &&
          outer.fromScan <= place.fromScan &&
          place.beforeScan <= outer.beforeScan &&
          (outer.path === '/' || place.path === outer.path || place.path.startsWith(`${outer.path}/`)),
      ),
    ))

/** The email addresses without those of users with limits, unless their scope shows the data that is sent. */
export async function addressesSeeing(
  trx: Db | Trx,
  addresses: readonly string[],
  isShownIn: (scope: LimitedScope) => boolean = () => false,
): Promise<string[]> {
  const { rows } = await sql<{ id: number; email: string }>`
    SELECT id, lower(address) AS email FROM users, unnest(ARRAY[email, confirmed_email]) AS address
    WHERE ${isLimited} AND lower(address) = any(${addresses.map((address) => address.toLowerCase())}::text[])`.execute(
    trx,
  )
  const hidden = new Set<string>()
  for (const { id, email } of rows) if (!isShownIn(await scopeOf(trx, id))) hidden.add(email)
  return addresses.filter((address) => !hidden.has(address.toLowerCase()))
}

type Row = { volumeId: number | null; path: string; fromScan: number; beforeScan: number; projects: number[] }

/** Reads what a user sees now, for work that is done later than the call that started it. An unknown user sees nothing. */
export const currentScopeOf = async (db: Db | Trx, userId: number): Promise<Scope> =>
  (await readIsLimited(db, userId)) === false ? 'everything' : scopeOf(db, userId)

/** Reads what a limited user sees. Projects count with their current folders: a project that changes, changes it. */
export const scopeOf = async (db: Db | Trx, userId: number): Promise<LimitedScope> => ({
  ...(await readScope(db, limitsHeldBy({ userId }), userId)),
  userId,
})

/** Reads the projects that a user manages, and their folders. */
export const managedScopeOf = (db: Db | Trx, userId: number): Promise<LimitedScope> =>
  readScope(db, noLimitsHeld, userId)
const noLimitsHeld = sql`SELECT projects, storages, folders FROM limits WHERE false`

/** Reads what a wall display sees, by the ID of its token; nothing once that is revoked. */
export const scopeOfWall = async (db: Db | Trx, wallId: number): Promise<Scope> => {
  const wall = db
    .selectFrom('wallTokens')
    .leftJoin('limits', 'wallId', 'wallTokens.id')
    .where('wallTokens.id', '=', wallId)
  const found = await wall.select('everything').executeTakeFirst()
  return found && found.everything !== false ? 'everything' : readScope(db, limitsHeldBy({ wallId }))
}

async function readScope(db: Db | Trx, held: RawBuilder<unknown>, managerId = 0): Promise<LimitedScope> {
  const { rows } = await sql<Row>`
    WITH held AS (${held}), seen AS (
      SELECT unnest(projects) AS id FROM held
      UNION SELECT project_id FROM project_managers WHERE user_id = ${managerId}
    ), places AS (
      SELECT volume_id, path, from_scan, before_scan FROM project_folders WHERE project_id IN (SELECT id FROM seen)
      UNION SELECT unnest(storages), '/', 0, ${sql.lit(Number.MAX_SAFE_INTEGER)} FROM held
      UNION SELECT (folder->>'storageId')::integer, folder->>'path', 0, ${sql.lit(Number.MAX_SAFE_INTEGER)}
        FROM held, jsonb_array_elements(folders) AS folder
    )
    SELECT places.*, (SELECT coalesce(array_agg(id ORDER BY id), '{}') FROM projects WHERE id IN (SELECT id FROM seen)) AS projects
    FROM (SELECT) AS always LEFT JOIN places ON true
    ORDER BY volume_id, path, from_scan`.execute(db)
  return {
    places: rows.flatMap(({ volumeId, path, fromScan, beforeScan }) =>
      volumeId === null ? [] : [{ volumeId, path, fromScan, beforeScan }],
    ),
    projects: rows[0]?.projects ?? [],
  }
}

/**
 * The folders of a storage that a scope shows in one of its scans, or in any from `sinceScan` on, in the form of `parent_path` and none within
 * another: `/a/b/`, or `/` for all of it. Empty if it shows none. Which of its paths a folder that moved had on the day of an import is not known, so that
 * an import shows none of them.
 */
export function foldersIn(
  { places }: LimitedScope,
  {
    volumeId,
    scanId,
    sinceScan = scanId,
    imported,
  }: { volumeId: number; scanId: number; sinceScan?: number; imported?: object | null | undefined },
): string[] {
  const isShown = (place: SeenPlace) =>
    imported ? place.fromScan === 0 && newest(place) : place.fromScan <= scanId && sinceScan < place.beforeScan
  const folders = places
    .filter((place) => place.volumeId === volumeId && isShown(place))
    .map(({ path }) => (path === '/' ? path : `${path}/`))
    .sort()
  const outer: string[] = []
  for (const folder of folders) {
    const last = outer.at(-1)
    if (last === undefined || !folder.startsWith(last)) outer.push(folder)
  }
  return outer
}

const newest = ({ beforeScan }: SeenPlace): boolean => beforeScan === Number.MAX_SAFE_INTEGER

/** IDs of the storages that a scope shows now, all or part of them. */
export const shownStorages = ({ places }: LimitedScope): number[] => [
  ...new Set(places.filter(newest).map(({ volumeId }) => volumeId)),
]

/** IDs of the storages that a scope shows as a whole, in all scans. */
export const wholeStorages = ({ places }: LimitedScope): number[] => [
  ...new Set(
    places
      .filter((place) => newest(place) && place.path === '/' && place.fromScan === 0)
      .map(({ volumeId }) => volumeId),
  ),
]

/** Condition on the ID of a storage: the scope shows all of it. */
export const showsStorage = (scope: Scope, id: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  scope === 'everything' ? sql`true` : sql`${id} = any(${wholeStorages(scope)}::integer[])`

/** Condition on the ID of a storage: the scope shows all or part of it now. */
export const showsPart = (scope: Scope, id: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  scope === 'everything' ? sql`true` : sql`${id} = any(${shownStorages(scope)}::integer[])`

/** Condition on a storage and a scan of it: the scope shows some of that scan. */
export const showsScan = (scope: Scope, volume: RawBuilder<unknown>, scan: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  scope === 'everything'
    ? sql`true`
    : sql`EXISTS (SELECT FROM jsonb_to_recordset(${JSON.stringify(scope.places)}::jsonb) AS place("volumeId" integer, "fromScan" bigint, "beforeScan" bigint)
        WHERE "volumeId" = ${volume} AND "fromScan" <= ${scan} AND ${scan} < "beforeScan")`

/** Condition on the ID of a project: the scope shows it. */
export const showsProject = (scope: Scope, id: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  scope === 'everything' ? sql`true` : sql`${id} = any(${scope.projects}::integer[])`

/** Condition on the ID of a storage and a path in it: the scope shows the folder now. */
export function showsFolderAt(
  scope: Scope,
  volume: RawBuilder<unknown>,
  path: RawBuilder<unknown>,
): RawBuilder<SqlBool> {
  if (scope === 'everything') return sql`true`
  // Names that no other table has: `path` may be a column without a table.
  const places = scope.places.filter(newest).map((place) => ({ seen_in: place.volumeId, seen_path: place.path }))
  return sql`EXISTS (SELECT FROM jsonb_to_recordset(${JSON.stringify(places)}::jsonb) AS seen(seen_in integer, seen_path text)
    WHERE seen_in = ${volume} AND (seen_path = '/' OR ${path} = seen_path OR starts_with(${path}, seen_path || '/')))`
}

/** Returns whether a scope shows a folder now, or did in some scan. */
export const showsFolder = (
  scope: Scope,
  folder: { volumeId: number; path: string },
  when: 'now' | 'ever' = 'now',
): boolean =>
  scope === 'everything' ||
  scope.places.some(
    (place) =>
      place.volumeId === folder.volumeId &&
      (when === 'ever' || newest(place)) &&
      (place.path === '/' || folder.path === place.path || folder.path.startsWith(`${place.path}/`)),
  )
