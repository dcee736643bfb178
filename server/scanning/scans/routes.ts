import { scanPaths, scanVolumes, unreadablePaths } from '#events/scans/calls.ts'
import { sourceScans } from '#events/scans/sourceScans.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/http/route.ts'
import { queueScans } from './launchScan.ts'
import type { PageQuery } from '#events/contract/page.ts'
import { listPage } from '#server/platform/crud/listPage.ts'
import { sql } from 'kysely'
import { foldersIn, type Scope } from '#server/platform/callers/scope.ts'
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
  route(unreadablePaths, ({ params, query }, { scope }) => listUnreadable(db, scope, params.id, query)),
]

/** A page of the unreadable paths of a scan, in the order of the paths. Throws 404 if the scan doesn't exist, or the scope shows nothing of it. */
export async function listUnreadable(db: Db, scope: Scope, scanId: number, query: PageQuery) {
  const scan = await db.selectFrom('scans').select('volumeId').where('id', '=', scanId).executeTakeFirst()
  const folders = scan && scope !== 'everything' ? foldersIn(scope, { ...scan, scanId }) : ['/']
  if (!scan || folders.length === 0) return notFound('scan', scanId)
  const ofScan = db
    .selectFrom('scanUnreadable')
    .where('scanId', '=', scanId)
    .where(sql<boolean>`EXISTS (SELECT FROM unnest(${folders}::text[]) AS shown WHERE starts_with(path || '/', shown))`)
    .select(['path', 'error'])
  return listPage(db, ofScan, query, { sortable: ['path', 'error'], sort: 'path', tie: 'path' })
}
