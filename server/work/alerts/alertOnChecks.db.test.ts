import { beforeEach, expect, test } from 'vitest'
import { sql } from 'kysely'
import type { CheckState } from '#events/reports/templates.ts'
import { change } from '#server/platform/log/change.ts'
import { testDb } from '#server/platform/testing/stores.ts'
import { ScheduleDraft } from '#events/schedules/calls.ts'
import { createSchedule } from '#server/work/schedules/changeSchedule.ts'
import { runSchedule } from '#server/work/schedules/runSchedule.ts'
import { addReportRun, testUser } from '#server/testing.ts'

const db = await testDb()
const user = { ...(await testUser(db, [])), roles: [], address: '127.0.0.1' }
const stores = { db, live: () => undefined }
/** The alert is due at each full hour of this day. */
const at = (time: string) => new Date(`2026-05-01T${time}`)
let [report, alert] = [0, 0]

beforeEach(async () => {
  await sql`TRUNCATE report_templates, schedules, deliveries RESTART IDENTITY CASCADE`.execute(db)
  await db.updateTable('users').set({ email: 'ana@example.com' }).execute()
  report = await newReport('No ransomware')
  alert = await newAlert([report])
})

async function newReport(name: string): Promise<number> {
  const row = db.insertInto('reportTemplates').values({
    name,
    type: 'SEARCH_QUERY',
    tags: [],
    retention: 30,
    parameters: '{}',
    daysAsOf: '2026-05-01',
    delivery: '{}',
    checks: '[]',
    createdBy: 'ana',
  })
  return (await row.returning('id').executeTakeFirstOrThrow()).id
}

const newAlert = (resourceIds: number[]) =>
  change(stores, user, [], (made) =>
    createSchedule(
      made,
      ScheduleDraft.parse({
        name: 'Checks',
        cron: '0 0 * * * ?',
        jobGroup: 'ALERT',
        jobClass: 'REPORT_CHECK_ALERT',
        payload: { resourceIds, repeatHours: 2 },
      }),
      at('09:30:00'),
    ),
  )

/** A run that ended with this state, or failed. */
async function ran(checkState: CheckState | null, templateId = report, indexingDate: string | null = '2026-05-01') {
  const checked = { checkState, checkReason: checkState && '3 files match; the limit is 0', indexingDate }
  await addReportRun(db, { templateId, ...checked })
}

async function due(time: string) {
  expect(await runSchedule(db, alert, at(time))).toBe(true)
  const runs = db.selectFrom('scheduleRuns').select(['outcome', 'reason']).where('scheduleId', '=', alert)
  return runs.orderBy('dueAt', 'desc').executeTakeFirstOrThrow()
}
const deliveries = () => db.selectFrom('deliveries').select(['userId', 'subject', 'body']).orderBy('id').execute()
const notified = { outcome: 'notified', reason: 'The check of No ransomware failed' }
const nothing = { outcome: 'nothing', reason: null }

test('a user is notified once when a check starts to fail, not again while it fails, and again after it passed', async () => {
  expect(await due('10:00:00')).toEqual(nothing)
  await ran('PASSED')
  await ran('WARNING')
  expect(await due('11:00:00')).toEqual(nothing)
  await ran('FAILED')
  expect(await due('12:00:00')).toEqual(notified)
  expect(await deliveries()).toEqual([
    {
      userId: user.id,
      subject: 'Checks: the check of No ransomware has failed',
      body: 'The check of 1 report has failed:\n\n- No ransomware: 3 files match; the limit is 0, indexed on 2026-05-01\n',
    },
  ])
  expect(await due('13:00:00')).toEqual(nothing)
  await ran('FAILED')
  // An interrupted run has no result.
  await ran(null, report, null)
  await ran('FAILED')
  expect(await due('14:00:00')).toEqual(nothing)
  await ran('PASSED')
  expect(await due('15:00:00')).toEqual(nothing)
  await ran('FAILED')
  expect(await due('16:00:00')).toEqual(notified)
  expect(await deliveries()).toHaveLength(2)
})

test('a check that failed and passed between two due times is not reported, and a removed check no longer', async () => {
  await ran('FAILED')
  await ran('PASSED')
  expect(await due('10:00:00')).toEqual(nothing)
  await ran('FAILED')
  await ran(null)
  expect(await due('11:00:00')).toEqual(nothing)
})

test('each alert tells for itself; several reports are one mail, and those that are gone are named', async () => {
  const other = await newReport('No copies')
  const gone = await newReport('Gone')
  await ran('FAILED')
  await ran('FAILED', other)
  expect(await due('10:00:00')).toEqual(notified)
  alert = await newAlert([report, other, gone])
  await db.deleteFrom('reportTemplates').where('id', '=', gone).execute()
  const reason = `The check of No copies, No ransomware failed; deleted: ${gone}`
  expect(await due('10:00:00')).toEqual({ outcome: 'notified', reason })
  const [, second] = await deliveries()
  expect(second?.subject).toBe('Checks: the check of No copies, No ransomware has failed')
  expect(second?.body).toContain(`\n\nDeleted: ${gone}.\n`)
})

test('without an address no one is notified, and an alert is sent once there is one', async () => {
  await ran('FAILED')
  await db.updateTable('users').set({ email: null }).execute()
  const reason = 'The user has no email address; the check of No ransomware failed'
  expect(await due('10:00:00')).toEqual({ outcome: 'failed', reason })
  await db.updateTable('users').set({ email: 'ana@example.com' }).execute()
  expect(await due('11:00:00')).toEqual(notified)
})

test('an alert needs reports that exist', async () => {
  await expect(newAlert([report, 777])).rejects.toMatchObject({
    status: 400,
    subErrors: [{ field: 'payload.resourceIds', message: 'must be reports that exist; 777 is none' }],
  })
})

test('a check that cannot be evaluated is a state of its own, mailed once', async () => {
  await ran('PASSED')
  expect(await due('10:00:00')).toEqual(nothing)
  await ran('UNKNOWN')
  const reason = 'The check of No ransomware could not be evaluated'
  expect(await due('11:00:00')).toEqual({ outcome: 'notified', reason })
  expect((await deliveries())[0]).toMatchObject({
    subject: 'Checks: the check of No ransomware has not passed',
    body: expect.stringContaining('- No ransomware: could not be evaluated, 3 files match'),
  })
  await ran('UNKNOWN')
  expect(await due('14:00:00')).toEqual({ outcome: 'unknown', reason })
})

test('a report whose run fails cannot be evaluated, if it has checks', async () => {
  await db
    .updateTable('reportTemplates')
    .set({ checks: JSON.stringify([{ rule: 'MORE_FILES_THAN', value: 0, level: 'FAIL' }]) })
    .execute()
  await ran('PASSED')
  await ran(null, report, null)
  await db
    .updateTable('reportRuns')
    .set({ status: 'FAILURE', reason: 'Storage 7 of the report no longer exists' })
    .where('indexingDate', 'is', null)
    .execute()
  expect(await due('10:00:00')).toMatchObject({ outcome: 'notified' })
  expect((await deliveries())[0]?.body).toContain('Storage 7 of the report no longer exists\n')
})

test('a check that fails and passes again and again is mailed at most once per interval', async () => {
  for (const [hour, state] of (['FAILED', 'PASSED', 'FAILED', 'FAILED'] as const).entries()) {
    await ran(state)
    await due(`1${hour}:00:00`)
  }
  const runs = db.selectFrom('scheduleRuns').select('outcome').orderBy('dueAt')
  expect((await runs.execute()).map(({ outcome }) => outcome)).toEqual(['notified', 'nothing', 'notified', 'nothing'])
})
