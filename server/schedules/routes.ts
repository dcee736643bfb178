import { schedules } from '#events/schedules.ts'
import { checkCron } from '#server/platform/cron.ts'
import { wakeFollowers } from '#server/platform/follow.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/route.ts'
import { createSchedule, removeSchedule, updateSchedule } from './changeSchedule.ts'
import { listSchedules, previewTimes } from './listSchedules.ts'

export const scheduleRoutes = ({ db, live }: Pick<Platform, 'db' | 'live'>, now = () => new Date()) => {
  const tell = <Result>(result: Result): Result => {
    wakeFollowers()
    live({ type: 'changed', topics: ['schedules'] })
    return result
  }
  return [
    route(schedules.list, ({ query }, by) => listSchedules(db, query, by, now())),
    route(schedules.create, async ({ body }, by) => ({ id: tell(await createSchedule(db, body, by, now())) })),
    route(schedules.update, ({ params, body }, by) => updateSchedule(db, params.id, body, by, now()).then(tell)),
    route(schedules.remove, ({ params }, by) => removeSchedule(db, params.id, by).then(tell)),
    route(schedules.preview, ({ query: { cron } }) => {
      checkCron(cron, now())
      return previewTimes(cron, now())
    }),
  ]
}
