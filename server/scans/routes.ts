import { scanVolumes } from '#events/scans.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/route.ts'
import { queueScans } from './queueScans.ts'

export const scanRoutes = ({ db }: Platform) => [
  route(scanVolumes, async ({ body, query }, by) => ({
    jobId: await queueScans(db, { volumeIds: body, cloneIndex: query.cloneIndex, by }),
  })),
]
