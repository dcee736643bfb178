import type { Platform } from '#server/platform/platform.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { createFileStorage } from '#server/scanning/sources/index.ts'
import { queueScans } from '../launchScan.ts'

/** Queues scans of new storages, and waits for the end of one. For tests only. */
export function queueing({ db }: Pick<Platform, 'db'>) {
  let made = 0
  return {
    queue: async () => {
      const volumeId = await createFileStorage(db, { name: `volume ${++made}`, path: '/somewhere' })
      const jobId = await queueScans(db, { ids: [volumeId], cloneIndex: true, by: system })
      return { volumeId, jobId }
    },
    ended: async (scanId: number) => {
      for (;;) {
        const scan = await db.selectFrom('scans').selectAll().where('id', '=', scanId).executeTakeFirstOrThrow()
        if (scan.finishedAt) return scan
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
  }
}
