import { scanPaths, scanVolumes, unreadablePaths } from '#events/scans/calls.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/http/route.ts'
import { queueScans } from './queueScans.ts'
import type { PageQuery } from '#events/contract/page.ts'
import { listPage } from '#server/platform/crud/listPage.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { notFound } from '#server/platform/problem.ts'

export const scanRoutes = ({ db }: Platform) => [
  route(scanVolumes, async ({ body, query }, by) => ({
    jobId: await queueScans(db, { volumeIds: body, cloneIndex: query.cloneIndex, by }),
  })),
  route(scanPaths, async ({ body: { storageIdToPath: paths }, query }, by) => ({
    jobId: await queueScans(db, { volumeIds: Object.keys(paths).map(Number), cloneIndex: query.cloneIndex, paths, by }),
  })),
  route(unreadablePaths, ({ params, query }) => listUnreadable(db, params.id, query)),
]

/** A page of what a scan could not read, in the order of the paths. Throws 404 when there is no such scan. */
export async function listUnreadable(db: Db, scanId: number, query: PageQuery) {
  const scan = await db.selectFrom('scans').select('id').where('id', '=', scanId).executeTakeFirst()
  if (!scan) return notFound('scan', scanId)
  const ofScan = db.selectFrom('scanUnreadable').where('scanId', '=', scanId).select(['path', 'error'])
  return listPage(db, ofScan, query, { sortable: ['path', 'error'], sort: 'path', tie: 'path' })
}
