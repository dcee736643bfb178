import { z } from 'zod'
import {
  AlertDelivery,
  AlertStatus,
  DeliveryState,
  MassChangePayload,
  OverduePayload,
  SpacePayload,
  WatchPayload,
} from './alerts.ts'
import { CronText } from './quartz.ts'
import { Id, IdNumber, endpoint } from '#events/contract/endpoint.ts'
import { jobStatuses } from '#events/jobs/states.ts'
import { channelIds, TestedDelivery } from '#events/notifications/channels.ts'
import { StorageIdToPath } from '#events/scans/calls.ts'

/** Actions that a schedule of the group SCANNER can start, with their labels. */
export const scannerClassLabels = {
  SCAN_ALL_VOLUMES: 'Scan all file storages',
  SCAN_SERVER: 'Scan storages of an agent',
  SCAN_VOLUMES: 'Scan file storages',
  SCAN_ALL_BUCKETS: 'Scan all object storages',
  SCAN_BUCKETS: 'Scan object storages',
  SCAN_ALL_DELL_POWER_SCALES: 'Scan all Dell PowerScale storages',
  SCAN_DELL_POWER_SCALES: 'Scan Dell PowerScale storages',
  SCAN_ALL_ARCHIWARES: 'Scan all Archiware indexes',
  SCAN_ARCHIWARES: 'Scan Archiware indexes',
  SCAN_STORAGES: 'Scan storages or folders',
  SCAN_ALL_STORAGES: 'Scan all storages',
} as const
export type ScannerClass = keyof typeof scannerClassLabels

export const alertClassLabels = {
  VOLUME_SPACE_ALERT: 'Storage space',
  PROJECT_SPACE_ALERT: 'Project space',
  SCAN_FAILED_ALERT: 'Failed scan',
  SCAN_OVERDUE_ALERT: 'Storage not scanned',
  REPORT_CHECK_ALERT: 'Report check',
  MASS_CHANGE_ALERT: 'Mass deletion, renaming or rewriting',
} as const
export type AlertClass = keyof typeof alertClassLabels

const cloneIndex = z.boolean().default(true)
const isDeltaScan = z.boolean().default(true)
const someOf = (what: string) => z.array(z.int().min(1)).min(1, `must name at least one ${what}`).max(10_000)
const name = z.string().trim().min(1, 'must not be blank').max(255)
const common = { name, cron: CronText, paused: z.boolean().default(false) }

const scanner = <C extends ScannerClass, P extends z.ZodType>(jobClass: C, payload: P) =>
  z.object({ ...common, jobGroup: z.literal('SCANNER'), jobClass: z.literal(jobClass), payload })
const alert = <C extends AlertClass, P extends z.ZodType>(jobClass: C, payload: P) =>
  z.object({
    ...common,
    jobGroup: z.literal('ALERT'),
    jobClass: z.literal(jobClass),
    payload,
    /** Recipients; by default the user's email address. */
    delivery: AlertDelivery.optional(),
  })

const jobClasses = [...Object.keys(scannerClassLabels), ...Object.keys(alertClassLabels)]
const drafts = [
  scanner('SCAN_ALL_VOLUMES', z.object({ cloneIndex })),
  scanner('SCAN_SERVER', z.object({ serverId: z.int().min(1, 'must name an agent'), cloneIndex })),
  scanner('SCAN_VOLUMES', z.object({ volumes: someOf('file storage'), cloneIndex })),
  scanner('SCAN_ALL_BUCKETS', z.object({ cloneIndex })),
  scanner('SCAN_BUCKETS', z.object({ bucketsId: someOf('object storage'), cloneIndex })),
  scanner('SCAN_ALL_DELL_POWER_SCALES', z.object({ cloneIndex })),
  scanner(
    'SCAN_DELL_POWER_SCALES',
    z.object({ dellPowerScaleIds: someOf('Dell PowerScale storage'), cloneIndex, isDeltaScan }),
  ),
  scanner('SCAN_ALL_ARCHIWARES', z.object({ cloneIndex })),
  scanner('SCAN_ARCHIWARES', z.object({ archiwareIds: someOf('Archiware index'), cloneIndex, isDeltaScan })),
  scanner('SCAN_STORAGES', z.object({ storageIdToPath: StorageIdToPath })),
  scanner(
    'SCAN_ALL_STORAGES',
    z.preprocess((payload) => payload ?? {}, z.object({})),
  ),
  alert('PROJECT_SPACE_ALERT', SpacePayload),
  alert('VOLUME_SPACE_ALERT', SpacePayload),
  alert('SCAN_FAILED_ALERT', WatchPayload),
  alert('SCAN_OVERDUE_ALERT', OverduePayload),
  /** Reports with a failed check of any kind. */
  alert('REPORT_CHECK_ALERT', WatchPayload),
  /** Evaluated within seconds of a change in a live storage; its times don't matter. */
  alert('MASS_CHANGE_ALERT', MassChangePayload),
] as const
export const ScheduleDraft = z.discriminatedUnion('jobClass', drafts, {
  error: ({ code }) => (code === 'invalid_union' ? `must be one of ${jobClasses.join(', ')}` : undefined),
})
export type ScheduleDraft = z.infer<typeof ScheduleDraft>

/** Result of a time that a schedule was due: a job, mails of an alert, or the reason why nothing was done. */
export const ScheduleRun = z.object({
  dueAt: z.iso.datetime(),
  /** `unknown`: what an alert watches could not be evaluated. */
  outcome: z.enum(['started', 'notified', 'nothing', 'unknown', 'skipped', 'failed']),
  jobId: z.int().nullable(),
  /** Current status of the job; null without a job, and once the job is deleted. */
  jobStatus: z.enum(jobStatuses).nullable().default(null),
  /** Actual start of the job, which may be later than it was due. */
  startedAt: z.iso.datetime().nullable().optional(),
  reason: z.string().nullable(),
  /** State of the messages of an alert, the worst of them; null without any, and after 30 days. */
  mail: DeliveryState.nullable(),
})
export type ScheduleRun = z.infer<typeof ScheduleRun>

const told = {
  id: z.int(),
  nextRuns: z.array(z.iso.datetime()),
  lastRun: ScheduleRun.nullable(),
  /** Only alerts have it. */
  alert: AlertStatus.optional(),
}
/** A schedule with its next three times and the result of the last one. */
export const Schedule = z.intersection(ScheduleDraft, z.object(told))
export type Schedule = z.infer<typeof Schedule>

/** Schedules of scans are an administrator's; alerts are each user's own. */
const needs = 'snapshots.see'

export const schedules = {
  list: endpoint({
    method: 'GET',
    path: '/v1/schedules',
    needs,
    limitedBy: 'refused',
    failure: 'Unable to fetch the schedules',
    query: z.object({
      jobGroup: z.enum(['SCANNER', 'ALERT']).default('SCANNER'),
      userId: IdNumber.optional(),
    }),
    answer: z.array(Schedule),
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/schedules',
    needs,
    limitedBy: 'refused',
    failure: 'Unable to create schedule',
    body: ScheduleDraft,
    record: Schedule,
    answer: Id,
  }),
  /** The job class of a schedule stays what it is. */
  update: endpoint({
    method: 'PUT',
    path: '/v1/schedules/:id',
    needs,
    limitedBy: 'refused',
    failure: 'Unable to update schedule',
    params: Id,
    body: ScheduleDraft,
    record: Schedule,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/v1/schedules/:id',
    needs,
    limitedBy: 'refused',
    failure: 'Unable to delete schedule',
    params: Id,
  }),
  /**
   * Starts the job of a schedule of scans now, also if it is paused; its due times stay. 409 while the job of its last run
   * is open, and if there is nothing to scan.
   */
  run: endpoint({
    method: 'POST',
    path: '/v1/schedules/:id/run',
    needs: 'settings.edit',
    failure: 'Unable to run the schedule',
    params: Id,
    answer: z.object({ jobId: z.int() }),
  }),
  /** Sends a test message to every recipient of the caller's alert immediately, with the result for each. */
  test: endpoint({
    method: 'POST',
    path: '/v1/schedules/:id/tests',
    needs,
    limitedBy: 'refused',
    failure: 'Unable to test the alert',
    params: Id,
    answer: z.array(TestedDelivery),
  }),
  /** Same for the recipients of an alert that is not saved yet. */
  testDraft: endpoint({
    method: 'POST',
    path: '/v1/schedules/tests',
    needs,
    limitedBy: 'refused',
    failure: 'Unable to test the alert',
    body: z.object({ email: z.boolean(), channelIds }),
    answer: z.array(TestedDelivery),
  }),
  /** The next five times of an expression, in the server's time zone; 400 on `cron` says what is wrong with it. */
  preview: endpoint({
    method: 'GET',
    path: '/v1/schedules/preview',
    needs,
    limitedBy: { nothing: 'computed from the input' },
    failure: 'Unable to read the cron expression',
    query: z.object({ cron: CronText }),
    answer: z.object({ times: z.array(z.iso.datetime()), timeZone: z.string() }),
  }),
}
