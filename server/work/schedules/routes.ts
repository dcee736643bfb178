import { lockedMessages } from '#events/contract/needs.ts'
import { type ScannerClass, type ScheduleDraft, schedules } from '#events/schedules/calls.ts'
import { ownEmail } from '#events/schedules/alerts.ts'
import { incidents } from '#events/schedules/incidents.ts'
import { sourceScheduledBy } from '#events/sources/kinds.ts'
import { wallFiring } from '#events/wall.ts'
import { sealWebhook } from '#server/messages/notifications/index.ts'
import { countFiring, firingIncidents, incidentsOf, muteIncident } from '#server/work/alerts/index.ts'
import { checkCron } from '#server/platform/cron.ts'
import { change } from '#server/platform/log/change.ts'
import type { Platform } from '#server/platform/platform.ts'
import { Problem } from '#server/platform/problem.ts'
import { route } from '#server/platform/http/route.ts'
import { createSchedule, removeSchedule, updateSchedule } from './changeSchedule.ts'
import { listSchedules, previewTimes } from './listSchedules.ts'
import { runNow } from './runNow.ts'
import { testAlert, testDelivery } from './testAlert.ts'

const topics = ['schedules'] as const

export const scheduleRoutes = (platform: Pick<Platform, 'db' | 'live' | 'config'>, now = () => new Date()) => [
  route(schedules.list, ({ query }, by) => listSchedules(platform, query, by)),
  route(schedules.create, async ({ body }, by) => {
    checkLicence(platform.config, body)
    const webhook = await sealedWebhook(platform.config, body, by.id)
    return { id: await change(platform, by, topics, (change) => createSchedule(change, body, now(), webhook)) }
  }),
  route(schedules.update, async ({ params, body }, by) => {
    checkLicence(platform.config, body)
    const webhook = await sealedWebhook(platform.config, body, by.id)
    return change(platform, by, topics, (change) => updateSchedule(change, params.id, body, now(), webhook))
  }),
  route(schedules.remove, ({ params }, by) =>
    change(platform, by, topics, (change) => removeSchedule(change, params.id)),
  ),
  route(schedules.run, async ({ params }, by) => ({
    jobId: await change(platform, by, topics, (change) => runNow(change, params.id, now())),
  })),
  route(schedules.test, ({ params }, by) => testAlert(platform, params.id, by)),
  route(schedules.testDraft, ({ body }, by) => testDelivery(platform, { ...ownEmail, ...body }, by)),
  route(incidents.firing, (_, by) => firingIncidents(platform.db, by, now())),
  route(incidents.history, ({ params }, by) => incidentsOf(platform.db, params.id, by, now())),
  route(incidents.mute, ({ params, body }, by) =>
    change(platform, by, topics, (change) => muteIncident(change, params.id, body.time, now())),
  ),
  route(incidents.unmute, ({ params }, by) =>
    change(platform, by, topics, (change) => muteIncident(change, params.id, undefined, now())),
  ),
  route(wallFiring, async () => ({ firing: await countFiring(platform.db, now()) })),
  route(schedules.preview, ({ query: { cron } }) => {
    checkCron(cron, now())
    return previewTimes(cron, now())
  }),
]

/** Throws 403 for scans of a kind whose bundle is not licensed. */
function checkLicence({ bundles }: Platform['config'], { jobClass }: ScheduleDraft): void {
  const bundle = sourceScheduledBy(jobClass as ScannerClass)?.bundle
  if (bundle && !bundles.includes(bundle)) throw new Problem(403, lockedMessages[bundle], { code: 'bundle' })
}

const sealedWebhook = (config: Platform['config'], draft: ScheduleDraft, userId: number): Promise<string | null> =>
  sealWebhook(config, userId, (draft.jobGroup === 'ALERT' && draft.delivery?.webhook) || null)
