import { beforeEach } from 'vitest'
import type { LiveEvent } from '#events/live.ts'
import { ScheduleDraft } from '#events/schedules/calls.ts'
import { readConfig } from '#server/platform/config.ts'
import { openLog } from '#server/platform/logger.ts'
import { change } from '#server/platform/log/change.ts'
import { testDb, testFolder } from '#server/platform/testing/stores.ts'
import { createFileStorage } from '#server/scanning/sources/index.ts'
import { testUser } from '#server/testing.ts'
import { createSchedule } from '../changeSchedule.ts'
import { runDue } from '../index.ts'

/** Three storages, one of them of another agent, and no schedules before each test. Times are of one day, in UTC. */
export async function testSchedules() {
  process.env['TZ'] = 'UTC'
  const db = await testDb()
  const heard: LiveEvent[] = []
  const config = readConfig({ DATAINTELL_DATA: testFolder('data') })
  const platform = { db, config, log: await openLog(undefined), live: (event: LiveEvent) => void heard.push(event) }
  const admin = { ...(await testUser(db, ['ROLE_ADMIN'])), roles: ['ROLE_ADMIN' as const], address: '127.0.0.1' }
  const at = (time: string) => new Date(`2026-05-01T${time}Z`)
  const films = await createFileStorage(db, { name: 'Films', path: '/films' })
  const music = await createFileStorage(db, { name: 'Music', path: '/music' })
  const row = db.insertInto('agents').values({ name: 'Other' }).returning('id')
  const { id: otherAgent } = await row.executeTakeFirstOrThrow()
  const far = await createFileStorage(db, { name: 'Far', path: '/far', server: { id: otherAgent } })
  const endScans = () => db.updateTable('scans').set({ state: 'done' }).execute()
  const draft = (jobClass: string, payload: object, cron = '0 0 * * * ?') =>
    ScheduleDraft.parse({ name: jobClass, cron, jobGroup: 'SCANNER', jobClass, payload })
  /** A schedule for every full hour, created at half past nine. */
  const scheduled = (jobClass: string, payload: object, cron?: string) =>
    change(platform, admin, [], (change) => createSchedule(change, draft(jobClass, payload, cron), at('09:30:00')))
  const run = (time: string) => runDue(platform, at(time))
  const runsOf = async (id: number) => {
    const runs = db.selectFrom('scheduleRuns').selectAll().where('scheduleId', '=', id).orderBy('dueAt')
    return (await runs.execute()).map(({ dueAt, ...run }) => ({ ...run, dueAt: dueAt.toISOString().slice(11, 19) }))
  }
  beforeEach(async () => {
    await db.deleteFrom('schedules').execute()
    await endScans()
  })
  const storages = { films, music, far, otherAgent }
  return { db, platform, heard, admin, at, ...storages, endScans, draft, scheduled, run, runsOf }
}
