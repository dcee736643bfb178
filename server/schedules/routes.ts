import { schedules } from '#events/schedules/calls.ts'
import { checkCron } from '#server/platform/cron.ts'
import { change } from '#server/platform/log/change.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/http/route.ts'
import { createSchedule, removeSchedule, updateSchedule } from './changeSchedule.ts'
import { listSchedules, previewTimes } from './listSchedules.ts'

const topics = ['schedules'] as const

export const scheduleRoutes = (platform: Pick<Platform, 'db' | 'live'>, now = () => new Date()) => [
  route(schedules.list, ({ query }, by) => listSchedules(platform.db, query, by, now())),
  route(schedules.create, async ({ body }, by) => ({
    id: await change(platform, by, topics, (change) => createSchedule(change, body, now())),
  })),
  route(schedules.update, ({ params, body }, by) =>
    change(platform, by, topics, (change) => updateSchedule(change, params.id, body, now())),
  ),
  route(schedules.remove, ({ params }, by) =>
    change(platform, by, topics, (change) => removeSchedule(change, params.id)),
  ),
  route(schedules.preview, ({ query: { cron } }) => {
    checkCron(cron, now())
    return previewTimes(cron, now())
  }),
]
