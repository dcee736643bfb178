import { scanPaths, scanVolumes, unreadablePaths } from '#events/scans.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/route.ts'
import { listUnreadable } from './listUnreadable.ts'
import { queueScans } from './queueScans.ts'

export const scanRoutes = ({ db }: Platform) => [
  route(scanVolumes, async ({ body, query }, by) => ({
    jobId: await queueScans(db, { volumeIds: body, cloneIndex: query.cloneIndex, by }),
  })),
  route(scanPaths, async ({ body: { storageIdToPath: paths }, query }, by) => ({
    jobId: await queueScans(db, { volumeIds: Object.keys(paths).map(Number), cloneIndex: query.cloneIndex, paths, by }),
  })),
  route(unreadablePaths, ({ params, query }) => listUnreadable(db, params.id, query)),
]
