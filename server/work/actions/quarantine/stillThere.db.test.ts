import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { notInQuarantine } from '#events/actions/orders.ts'
import { createApp } from '#server/app.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { selectionsOfJob } from '#server/questions/selections/index.ts'
import { dropUnused } from '#server/questions/selections/retention.ts'
import { fileStorageRoutes } from '#server/scanning/sources/index.ts'
import { asUser, testSession } from '#server/testing.ts'
import { storeOutcomes } from '../kit/files.ts'
import { countQuarantined, mayHaveQuarantined, neededForQuarantine, planOfJob, startPlan } from '../index.ts'
import { testQuarantine } from './testing.ts'

const { platform, policyId, volumes, plan, reasonsOf, found, run } = await testQuarantine()
const { paths, renew } = volumes
const { db, clickhouse } = platform
const ask = asUser(createApp(platform, fileStorageRoutes(platform)), await testSession(db, ['ROLE_ADMIN']))
let volumeId = 0
beforeEach(async () => {
  volumeId = await renew()
})

test('files of a job that ended in the middle are put back, but not counted or deleted', async () => {
  const { id } = await plan()
  const jobId = await startPlan(platform, id, system, policyId)
  const [task] = (await found(jobId)).tasks
  const sent = { position: 1, state: 'sent' as const, reference: '', reason: '' }
  await storeOutcomes(clickhouse, task?.payload as never, { taskId: 1, attempt: 1, sequence: 1, outcomes: [sent] })
  expect(await planOfJob(platform, 'deleteQuarantined', jobId, system)).toMatchObject({ files: 0 })
  expect([await countQuarantined(platform, [jobId]), await mayHaveQuarantined(platform, jobId)]).toEqual([[], true])
  const back = await planOfJob(platform, 'putBack', jobId, system)
  expect(back).toMatchObject({ files: 3 })
  await run(back.id)
  expect(await mayHaveQuarantined(platform, jobId)).toBe(false)
})

test('files that others took out of quarantine are over once the agent found that', async () => {
  const jobId = await run((await plan()).id)
  const reasons = Object.fromEntries(paths.map((path, index) => [path, notInQuarantine[index] ?? 'It was modified']))
  await run((await planOfJob(platform, 'deleteQuarantined', jobId, system)).id, reasons)
  expect(await countQuarantined(platform, [jobId])).toEqual([{ jobId, volumeId, files: 1, bytes: 10 }])
  await run((await planOfJob(platform, 'deleteQuarantined', jobId, system)).id)
  expect(await mayHaveQuarantined(platform, jobId)).toBe(false)
})

test('the files of a pruned job are known as long as some are in quarantine, and those put back as long as its run is', async () => {
  const jobId = await run((await plan()).id)
  const [{ id: selectionId } = expect.unreachable()] = await selectionsOfJob(db, jobId)
  await sql`
    INSERT INTO policies (id, name, search, untouched_days, action, limits, needs_second_person, paused, created_by, author_id)
    OVERRIDING SYSTEM VALUE VALUES (${policyId}, 'Old files', '{}', 180, '{}', '{}', false, false, 'ana', 1)`.execute(
    db,
  )
  const policyRun = { policyId, kind: 'act' as const, state: 'started' as const, at: new Date(), startedBy: 'schedule' }
  await db
    .insertInto('policyRuns')
    .values({ ...policyRun, jobId, selectionId, inQuarantine: true })
    .execute()
  const back = await run((await planOfJob(platform, 'putBack', jobId, system, ['/mnt/films/one.mov'])).id)
  const left = [{ jobId, volumeId, files: 2, bytes: 20 }]
  const prune = async (...ids: number[]) => {
    await db
      .deleteFrom('jobs')
      .where('id', 'in', [0, ...ids])
      .execute()
    await dropUnused(platform, await neededForQuarantine(platform))
    const ofJobs = db
      .selectFrom('selections')
      .select('usedBy')
      .where('usedBy', 'in', [jobId, back, ...ids])
    return (await ofJobs.orderBy('usedBy').execute()).map(({ usedBy }) => usedBy)
  }
  expect(await prune(back)).toEqual([jobId, back])
  const { body } = await ask('DELETE', `/api/volumeSettings/${volumeId}`).expect(409)
  expect(body.message).toMatch(/^Run \d+ of policy Old files has files of films in quarantine. Put them back/)
  expect(await countQuarantined(platform, [jobId])).toEqual(left)
  await prune(jobId)
  expect(await countQuarantined(platform, [jobId])).toEqual(left)
  const gone = await run((await planOfJob(platform, 'deleteQuarantined', jobId, system)).id)
  await db
    .updateTable('policyRuns')
    .set({ inQuarantine: await mayHaveQuarantined(platform, jobId) })
    .execute()
  expect(await prune(gone)).toEqual([back])
  expect(await reasonsOf()).toMatchObject({ reasons: { 'Was put back from quarantine': 1 } })
  await db.deleteFrom('policyRuns').execute()
  expect(await prune()).toEqual([])
  await ask('DELETE', `/api/volumeSettings/${volumeId}`).expect(204)
})
