import { sql } from 'kysely'
import { type GrowthPoint, wallCookie, wallGrowth, wallSignIn, wallTokens } from '#events/wall.ts'
import { change } from '#server/platform/log/change.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { route } from '#server/platform/http/route.ts'
import { periodStart } from '#server/snapshots/reading/periodStart.ts'
import { createToken, endToken, signInWall } from './wallTokens.ts'
import { listTokens } from './wallTokens.ts'

const topics = ['wallTokens'] as const

export const wallRoutes = (platform: Pick<Platform, 'db' | 'live'>) => [
  route(wallTokens.list, ({ query }) => listTokens(platform.db, query)),
  route(wallTokens.create, ({ body }, by) => change(platform, by, topics, (change) => createToken(change, body))),
  route(wallTokens.remove, ({ params }, by) => change(platform, by, topics, (change) => endToken(change, params.id))),
  route(wallSignIn, async ({ body: { token } }, by, cookies) => {
    const display = { token, address: by.address, old: cookies.get(wallCookie) }
    const { sessionId, name } = await change(platform, by, topics, (change) => signInWall(change, display))
    cookies.set(wallCookie, sessionId)
    return { name }
  }),
  route(wallGrowth, ({ query }) => readGrowth(platform.db, query.days)),
]

const newestDate = sql<string>`(SELECT max(indexing_date) FROM snapshots)`

/** Totals of the snapshots of a period up to the newest one; oldest first. */
function readGrowth(db: Db, days: number): Promise<GrowthPoint[]> {
  return db
    .selectFrom('snapshots')
    .innerJoin('scans', 'scans.id', 'snapshots.scanId')
    .select('snapshots.indexingDate')
    .select(sql<number>`sum(scans.bytes)::float8`.as('sizeOfFiles'))
    .select(sql<boolean>`bool_or(scans.state = 'partial')`.as('isPartial'))
    .where('snapshots.indexingDate', '>=', periodStart(newestDate, days))
    .groupBy('snapshots.indexingDate')
    .orderBy('snapshots.indexingDate')
    .execute()
}
