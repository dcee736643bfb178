import { optionsOf } from '#events/actions/actions.ts'
import { isOpen, type Job } from '#events/jobs/events.ts'
import { jobIdOfStream } from '#events/streams.ts'
import { findJob } from '#server/workers/jobs/index.ts'
import { system, type Trx } from '#server/platform/log/eventLog.ts'
import { follow } from '#server/platform/log/follow.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Running } from '#server/platform/runEvery.ts'
import { launchScan } from '#server/scanning/scans/index.ts'

const ends: readonly string[] = ['TaskSucceeded', 'TaskWarned']

/** Queues a delta scan of the archive indexes of a P5 server after files were archived there, if the job says so. */
export const startScansAfterArchiving = (platform: Pick<Platform, 'db' | 'log'>): Running =>
  follow(
    platform.db,
    'scans-after-archiving',
    async ({ stream, event: { type } }, trx) => {
      const jobId = ends.includes(type) ? jobIdOfStream(stream) : undefined
      const job = jobId === undefined ? undefined : await findJob(trx, jobId)
      if (job && !isOpen(job)) await scanIndexes(trx, job)
    },
    (error) => platform.log.error({ error }, 'could not queue a scan after archiving, will retry'),
  )

async function scanIndexes(trx: Trx, job: Job): Promise<void> {
  const options = optionsOf(job, 'archive')
  if (!options?.deltaScanAfter) return
  const indexes = await trx
    .selectFrom('archiwares')
    .innerJoin('volumes', 'volumes.id', 'archiwares.volumeId')
    .select('archiwares.id')
    .where('credentialId', '=', options.credentialsId)
    .where('volumes.deletedAt', 'is', null)
    .orderBy('archiwares.id')
    .execute()
  const ids = indexes.map(({ id }) => id)
  if (ids.length > 0) await launchScan(trx, { kind: 'archiware', ids, isDeltaScan: true, cloneIndex: true, by: system })
}
