import { scanPaths, scanVolumes, unreadablePaths } from '#events/scans/calls.ts'
import { sourceScans } from '#events/scans/sourceScans.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/http/route.ts'
import { queueScans } from './launchScan.ts'
import type { PageQuery } from '#events/contract/page.ts'
import { listPage } from '#server/platform/crud/listPage.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { notFound } from '#server/platform/problem.ts'

const scannedKinds = Object.keys(sourceScans) as (keyof typeof sourceScans)[]

export const scanRoutes = ({ db }: Platform) => [
  route(scanVolumes, async ({ body, query }, by) => ({
    jobId: await queueScans(db, { ids: body, ...query, by }),
  })),
  route(scanPaths, async ({ body: { storageIdToPath: paths }, query }, by) => ({
    jobId: await queueScans(db, { ids: Object.keys(paths).map(Number), paths, ...query, by }),
  })),
  ...scannedKinds.map((kind) =>
    route(sourceScans[kind], async ({ body: ids, query }, by) => ({
      jobId: await queueScans(db, { kind, ids, ...query, by }),
    })),
  ),
  route(unreadablePaths, ({ params, query }) => listUnreadable(db, params.id, query)),
]

/** A page of the unreadable paths of a scan, in the order of the paths. Throws 404 if the scan doesn't exist. */
export async function listUnreadable(db: Db, scanId: number, query: PageQuery) {
  const scan = await db.selectFrom('scans').select('id').where('id', '=', scanId).executeTakeFirst()
  if (!scan) return notFound('scan', scanId)
  const ofScan = db.selectFrom('scanUnreadable').where('scanId', '=', scanId).select(['path', 'error'])
  return listPage(db, ofScan, query, { sortable: ['path', 'error'], sort: 'path', tie: 'path' })
}
