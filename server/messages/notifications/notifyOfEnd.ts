import { type JobStatus, endedStatuses, isOpen } from '#events/jobs/states.ts'
import { type Job, statusAfter } from '#events/jobs/events.ts'
import type { NotificationStatus } from '#events/notifications/calls.ts'
import { findJob, isSeen, sightOf } from '#server/workers/jobs/index.ts'
import { currentScopeOf } from '#server/platform/callers/scope.ts'
import type { AnyEvent, RecordedEvent, Trx } from '#server/platform/log/eventLog.ts'
import { channelDeliveries } from './channels/channels.ts'
import { addDeliveries } from './emails/addMails.ts'
import { endMessage } from './endMessage.ts'

type EndStatus = (typeof endedStatuses)[number]

/** Notification statuses that match each kind of end. */
const statusesByEnd: Record<EndStatus, NotificationStatus[]> = {
  SUCCESS: ['ALWAYS', 'ON_SUCCESS'],
  WARNING: ['ALWAYS', 'ON_WARNING'],
  FAILURE: ['ALWAYS', 'ON_ERROR'],
  SCANNER_ERROR: ['ALWAYS', 'ON_ERROR'],
  CANCELLED: ['ALWAYS'],
}
const isEnd = (status: JobStatus): status is EndStatus => endedStatuses.some((ended) => ended === status)
const endsOfTasks = Object.entries(statusAfter).flatMap(([type, status]) => (isEnd(status) ? [type] : []))

/** A scan found the files of an ended action elsewhere than they should be. */
const isMismatch = (event: AnyEvent): boolean =>
  event.type === 'TaskVerified' && 'isAsExpected' in event && event.isAsExpected === false

/** Adds notifications to the outbox if this event is the end of a job, or shows that an ended action went wrong. */
export async function notifyOfEnd(
  { position, stream, version, event }: RecordedEvent<AnyEvent>,
  trx: Trx,
): Promise<void> {
  if (!endsOfTasks.includes(event.type) && !isMismatch(event)) return
  const job = await endedJob(trx, stream, version)
  if (!job || !isEnd(job.status)) return
  const wanted = await trx
    .selectFrom('notifications')
    .select(['id as notificationId', 'userId', 'email', 'webhook', 'webhookFormat', 'webhookTemplate', 'channelIds'])
    .where('type', '=', job.type)
    .where('status', 'in', statusesByEnd[job.status])
    .where('since', '<', position)
    .execute()
  const seen = await withScopes(trx, job, wanted)
  if (seen.length === 0) return
  const { subject, text } = await endMessage(trx, job)
  const message = { about: stream, subject, text, data: JSON.stringify(job) }
  const rows = seen.flatMap(({ channelIds: _, email, webhook, webhookFormat, webhookTemplate, ...to }) => {
    const common = { ...to, position, subject, about: stream }
    const posted = { webhook, webhookFormat, webhookTemplate, webhookText: text, body: message.data }
    const key = keyOf(position, to)
    return [
      ...(email
        ? [{ ...common, key: `${key}-email`, senderId: to.userId, channel: 'email' as const, body: text }]
        : []),
      ...(webhook ? [{ ...common, key: `${key}-webhook`, channel: 'webhook' as const, ...posted }] : []),
    ]
  })
  const ofChannels = await Promise.all(
    seen.map(async ({ userId, channelIds, notificationId, shows }) => {
      const key = keyOf(position, { notificationId })
      const deliveries = await channelDeliveries(trx, userId, channelIds, { ...message, key })
      return deliveries.map((row) => ({ ...row, position, notificationId, shows }))
    }),
  )
  await addDeliveries(trx, [...rows, ...ofChannels.flat()])
}

/** Users with limits are notified only of jobs that they see, with what they see of them. */
async function withScopes<N extends { userId: number }>(trx: Trx, { id }: Job, wanted: readonly N[]) {
  const seen: (N & { shows: string | null })[] = []
  for (const one of wanted) {
    const scope = await currentScopeOf(trx, one.userId)
    if (scope === 'everything') seen.push({ ...one, shows: null })
    else if (await isSeen(trx, id, sightOf({ id: one.userId, roles: [], scope })))
      seen.push({ ...one, shows: JSON.stringify(scope) })
  }
  return seen
}

const keyOf = (position: number, { notificationId }: { notificationId: number }): string =>
  `job-end-${position}-${notificationId}`

/** The job, if it is over and this event ended the last of its tasks; an ended job never changes. */
async function endedJob(trx: Trx, stream: string, version: number): Promise<Job | undefined> {
  const [, id] = /^job-(\d+)$/.exec(stream) ?? []
  if (!id) return undefined
  const later = await trx
    .selectFrom('events')
    .select('version')
    .where('stream', '=', stream)
    .where('version', '>', version)
    .where('type', 'in', endsOfTasks)
    .limit(1)
    .executeTakeFirst()
  const job = later ? undefined : await findJob(trx, Number(id))
  return job && !isOpen(job) ? job : undefined
}
