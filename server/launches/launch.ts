import type { PayloadOf } from '#events/jobs/payloads.ts'
import { type JobType, jobTypeLabels } from '#events/jobs/types.ts'
import type { Actor } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import { notFound, Problem } from '#server/platform/problem.ts'
import { launchReport } from '#server/reports/index.ts'
import { queueScans } from '#server/scans/index.ts'
import { volumesOfBuckets } from '#server/sources/index.ts'
import { queueTagging } from '#server/tags/index.ts'

/** Queues a job and returns its number. */
type Launcher<T extends JobType> = (platform: Pick<Platform, 'db'>, payload: PayloadOf<T>, by: Actor) => Promise<number>

/** Refuses a job whose work nobody here can do yet; none is made. */
const notAvailable = (type: JobType) => (): Promise<number> => {
  throw new Problem(501, `${jobTypeLabels[type]} is not available in this version.`, { code: 'not-available' })
}

const launchers: { [T in JobType]: Launcher<T> } = {
  SCAN_ON_PREMISES: ({ db }, { volumes, storageIdToPath: paths = {}, cloneIndex }, by) =>
    queueScans(db, { volumeIds: volumes, cloneIndex, paths, by }),
  SCAN_CLOUD: queueBuckets,
  SCAN_ARCHIWARE: notAvailable('SCAN_ARCHIWARE'),
  SCAN_DELL_POWER_SCALE: notAvailable('SCAN_DELL_POWER_SCALE'),
  TAG_SEARCH_RESULT: queueTagging,
  ARCHIVE_ARCHIWARE_FILES: notAvailable('ARCHIVE_ARCHIWARE_FILES'),
  ARCHIVE_ARCHIWARE_SEARCH_RESULT: notAvailable('ARCHIVE_ARCHIWARE_SEARCH_RESULT'),
  RESTORE_ARCHIWARE_FILES: notAvailable('RESTORE_ARCHIWARE_FILES'),
  RESTORE_ARCHIWARE_SEARCH_RESULT: notAvailable('RESTORE_ARCHIWARE_SEARCH_RESULT'),
  SODA_TRANSFER: notAvailable('SODA_TRANSFER'),
  SODA_TRANSFER_SEARCH_RESULT: notAvailable('SODA_TRANSFER_SEARCH_RESULT'),
  ARCHIVE_STORAGE_MANAGER_FILES: notAvailable('ARCHIVE_STORAGE_MANAGER_FILES'),
  ARCHIVE_STORAGE_MANAGER_SEARCH_RESULT: notAvailable('ARCHIVE_STORAGE_MANAGER_SEARCH_RESULT'),
  RESTORE_STORAGE_MANAGER_FILES: notAvailable('RESTORE_STORAGE_MANAGER_FILES'),
  RESTORE_STORAGE_MANAGER_SEARCH_RESULT: notAvailable('RESTORE_STORAGE_MANAGER_SEARCH_RESULT'),
  ICONIK_UPLOAD: notAvailable('ICONIK_UPLOAD'),
  ICONIK_UPLOAD_SEARCH_RESULT: notAvailable('ICONIK_UPLOAD_SEARCH_RESULT'),
  GENERATE_REPORT: ({ db }, { templateId }, by) => launchReport(db, templateId, by),
}

/**
 * Queues a job of any type and returns its number. Throws 501 with the code `not-available` where nobody can do it yet,
 * and 409 while too many jobs wait or something it needs is in use.
 */
export const launch = async <T extends JobType>(
  platform: Pick<Platform, 'db'>,
  type: T,
  payload: PayloadOf<T>,
  by: Actor,
): Promise<number> => launchers[type](platform, payload, by)

/** Throws 404 for a bucket that is not set up. */
async function queueBuckets(
  { db }: Pick<Platform, 'db'>,
  payload: PayloadOf<'SCAN_CLOUD'>,
  by: Actor,
): Promise<number> {
  const { bucketsId, cloneIndex } = payload
  const found = await volumesOfBuckets(db, bucketsId)
  const missing = bucketsId.find((id) => !found.some((bucket) => bucket.id === id))
  if (missing !== undefined) notFound('object storage', missing)
  const volumeIds = found.map(({ volumeId }) => volumeId)
  return queueScans(db, { volumeIds, cloneIndex, by, job: { jobType: 'SCAN_CLOUD', payload } })
}
