import { beforeAll, expect, test } from 'vitest'
import { actionOfType, jobOf } from '#events/actions/actions.ts'
import { SearchFilters } from '#events/search/filters.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { findJob } from '#server/workers/jobs/index.ts'
import { filesOf, storeOutcomes } from '../kit/files.ts'
import { countQuarantined, planAction, planOfJob, startPlan } from '../index.ts'

const platform = await testPlatform()
const { db, clickhouse } = platform
const policyId = 7
let volumeId = 0

const old = 1_700_000_000
const file = (path: string, inode: number, more: object = {}) => ({ path, inode, size: 10, modified: old, ...more })

beforeAll(async () => {
  volumeId = (
    await db
      .insertInto('volumes')
      .values({ name: 'Films', path: '/mnt/films', type: 'crawl.files' })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id
  await scanFolders(platform, { volumeId, indexingDate: new Date().toISOString().slice(0, 10) }, [
    { path: '', entries: [{ path: '/a', isDirectory: true, inode: 2 }, file('/one.mov', 3), file('/two.mov', 4)] },
    {
      path: '/a',
      entries: [file('/a/three.mov', 5), file('/a/new.mov', 6, { modified: Math.floor(Date.now() / 1000) })],
    },
  ])
})

const search = { filters: SearchFilters.parse({}), isDirectory: false }
const plan = (untouchedDays = 180) =>
  planAction(platform, jobOf('quarantine', {}, search), {
    by: system,
    ofPolicy: policyId,
    everything: true,
    untouchedDays,
    leaveOutKept: true,
  })

/** Starts a plan, and reports all its files as done. */
async function run(id: number, ...failed: string[]): Promise<number> {
  const jobId = await startPlan(platform, id, system, policyId)
  for (const { id: taskId, payload } of (await findJob(db, jobId))?.tasks ?? []) {
    const task = payload as { selection: number; part: number }
    const files = await filesOf(platform, task, { state: 'planned', after: 0 })
    const outcomes = files.map(({ position, path }) => ({
      position,
      state: failed.includes(path) ? ('failed' as const) : ('done' as const),
      reference: '',
      reason: '',
    }))
    await storeOutcomes(clickhouse, task, { taskId, attempt: 1, sequence: 1, outcomes })
  }
  return jobId
}

test('a plan of a policy has the files without use, and what its job moved is put back or deleted by plans of it', async () => {
  const planned = await plan()
  expect(planned).toMatchObject({ files: 3, bytes: 30, leftOut: [], missing: 0 })
  await expect(startPlan(platform, planned.id, { ...system, id: 1 })).rejects.toThrow()
  const jobId = await run(planned.id, '/mnt/films/two.mov')
  const counted = { jobId, volumeId, files: 2, bytes: 20 }
  expect(await countQuarantined(platform, [jobId, 999])).toEqual([counted])
  const one = await planOfJob(platform, 'putBack', jobId, system, ['/mnt/films/one.mov', '/mnt/films/none.mov'])
  expect(one).toMatchObject({ files: 1, missing: 1 })
  expect(await countQuarantined(platform, [jobId])).toEqual([counted])
  await run(one.id)
  expect(await countQuarantined(platform, [jobId])).toEqual([{ ...counted, files: 1, bytes: 10 }])
  const rest = await planOfJob(platform, 'deleteQuarantined', jobId, system)
  expect(rest).toMatchObject({ files: 1, missing: 0 })
  const [row] = await clickhouse.rows(
    sql`SELECT path, toString(inode) AS inode, links FROM selected_entries WHERE selection = ${rest.id}`,
  )
  expect(row).toMatchObject({ path: '/a/three.mov', inode: '5' })
  await run(rest.id)
  expect(await countQuarantined(platform, [jobId])).toEqual([])
  expect(await planOfJob(platform, 'putBack', jobId, system)).toMatchObject({ files: 0 })
  expect(actionOfType('PUT_BACK_FILES')).toBe('putBack')
})
