import { beforeEach, expect, test } from 'vitest'
import { jobOf } from '#events/actions/actions.ts'
import type { ActResult } from '#events/jobs/taskResults.ts'
import { scanFolders, type File } from '#server/content/snapshots/oracle/scanFolders.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { renewProductId } from '#server/platform/postgres/product.ts'
import { countQuarantined, mayHaveQuarantined, planAction, planOfJob, startPlan } from '../index.ts'
import { orderOf } from '../run/actionTasks.ts'
import { verifyAfter } from '../verify/startVerifying.ts'
import { testQuarantine } from './testing.ts'

const { platform, policyId, volumes, search, plan, reasonsOf, found, run } = await testQuarantine()
const { file, one, two, three, newVolume, scan, renew } = volumes
const { db, clickhouse } = platform
const hour = 3_600_000
const now = Math.floor(Date.now() / 1_000)
let volumeId = 0
beforeEach(async () => {
  volumeId = await renew()
})

test('a plan of a policy has the files without use, and its runs alone start it', async () => {
  const planned = await plan()
  expect(planned).toMatchObject({ files: 3, bytes: 30, leftOut: [], missing: 0 })
  await expect(startPlan(platform, planned.id, { ...system, id: 1 })).rejects.toThrow('There is no plan')
  await expect(startPlan(platform, planned.id, system, policyId + 1)).rejects.toThrow('There is no plan')
  await startPlan(platform, planned.id, system, policyId)
})

test('a new file with an old date is left alone if its creation is not recorded', async () => {
  const old = { modified: 1_000_000_000, created: 0 }
  await db.updateTable('volumes').set({ deletedAt: new Date() }).execute()
  const archive = await newVolume('archive')
  await scanFolders(platform, { volumeId: archive, indexingDate: '2026-01-01' }, [
    { path: '', entries: [file('/there.mov', 7, old)] },
  ])
  await scan(archive, [file('/there.mov', 7, old), file('/copied.mov', 8, old)])
  expect(await plan()).toMatchObject({ files: 1 })
})

test('files that a job moved are put back or deleted by plans of it, and each once', async () => {
  const jobId = await run((await plan()).id, { '/mnt/films/two.mov': 'It was modified' })
  const counted = { jobId, volumeId, files: 2, bytes: 20 }
  expect(await countQuarantined(platform, [jobId, 999])).toEqual([counted])
  const back = await planOfJob(platform, 'putBack', jobId, system, ['/mnt/films/one.mov', '/mnt/films/none.mov'])
  expect(back).toMatchObject({ files: 1, missing: 1 })
  expect(await countQuarantined(platform, [jobId])).toEqual([counted])
  await run(back.id)
  expect(await countQuarantined(platform, [jobId])).toEqual([{ ...counted, files: 1, bytes: 10 }])
  const rest = await planOfJob(platform, 'deleteQuarantined', jobId, system)
  expect(rest).toMatchObject({ files: 1, missing: 0, leftOut: [] })
  const rows = await clickhouse.rows(sql`SELECT path, position FROM selected_entries WHERE selection = ${rest.id}`)
  expect(rows).toEqual([{ path: '/a/three.mov', position: 1 }])
  await run(rest.id)
  expect(await countQuarantined(platform, [jobId])).toEqual([])
  expect(await mayHaveQuarantined(platform, jobId)).toBe(false)
  // A file that failed may still be there: a program may have taken its name before it could return.
  expect(await planOfJob(platform, 'putBack', jobId, system)).toMatchObject({ files: 1 })
  await expect(planOfJob(platform, 'putBack', 999, system)).rejects.toThrow('Job 999 has no files in quarantine')
})

test('a file that was put back is not moved again by the next run', async () => {
  const jobId = await run((await plan()).id)
  await run((await planOfJob(platform, 'putBack', jobId, system, ['/mnt/films/one.mov'])).id)
  await scan(volumeId, [one], [three])
  expect(
    await planAction(platform, jobOf('quarantine', {}, search), { by: system, ofPolicy: 8, everything: true }),
  ).toMatchObject({ files: 1 })
  expect(await reasonsOf()).toEqual({ files: 1, reasons: { 'Was put back from quarantine': 1 } })
})

test("files that can't be moved are left out, each with its reason", async () => {
  const links = { linkCount: 2 }
  await scan(
    volumeId,
    [one, file('/link.mov', 7, { linkTarget: 'one.mov' }), file('/unknown.mov', 8, { size: -1 })],
    [file('/a/all.mov', 9, links), file('/a/all2.mov', 9, links), file('/a/some.mov', 10, links)],
    { state: 'done' },
  )
  await scan(await newVolume('closed', 'nothing'), [one])
  await scan(await newVolume('partial'), [one], [], { state: 'partial' })
  await scan(await newVolume('folder'), [one], [], { scannedPath: '/a' })
  await scan(await newVolume('old'), [one], [], {}, new Date(Date.now() - 49 * hour))
  await scan(await newVolume('share', 'delete', { type: 'NetworkVolume' }), [one])
  await scan(await newVolume('bucket', 'delete', { type: 'AWS-S3', path: 'S3://b' }), [one])
  expect(await reasonsOf()).toEqual({
    files: 3,
    reasons: {
      'This is a link': 1,
      'No longer there': 1,
      'Has hard links outside of the selection': 1,
      "Storage doesn't allow quarantine": 1,
      'Its last scan is not complete': 2,
      'Its last scan is older than two days': 1,
      'Not on a local file storage': 1,
      'In a bucket, which has no quarantine': 1,
    },
  })
})

test.each([
  ['none', { modified: 0 }],
  ['the future', { modified: 4_000_000_000 }],
  ['a moment ago, although it was changed long before', { modified: 1_000_000_000, created: now }],
  ['FAT without a clock, although it appeared now', { modified: 315_532_800, created: now }],
])('a file is left alone with a time of %s', async (_, facts) => {
  await scan(volumeId, [one, file('/odd.mov', 20, facts)])
  expect(await plan()).toMatchObject({ files: 1 })
})

test('hard links free their bytes once', async () => {
  const links = { linkCount: 3, size: 100 }
  await scan(volumeId, [one, file('/x.mov', 9, links), file('/y.mov', 9, links), file('/z.mov', 9, links)])
  const planned = await plan()
  expect(planned).toMatchObject({ files: 4, bytes: 110 })
  const jobId = await run(planned.id)
  expect(await countQuarantined(platform, [jobId])).toEqual([{ jobId, volumeId, files: 4, bytes: 110 }])
})

test('files that their owner keeps stay, with their other hard links', async () => {
  const links = { linkCount: 2 }
  await scan(volumeId, [one, file('/x.mov', 9, links), file('/y.mov', 9, links)])
  await clickhouse.change(sql`
    INSERT INTO entry_tags (tag, volume, parent_path, name, is_directory, from_date, to_date, version)
    VALUES ('Kept by owner', ${volumeId}, '/', 'x.mov', false, '2020-01-01', '2149-06-06', 1)`)
  expect(await reasonsOf()).toEqual({
    files: 1,
    reasons: { 'Kept by its owner': 1, 'Has hard links outside of the selection': 1 },
  })
})

test('a file that two storages have is acted on once, by the inner one', async () => {
  const placesOf = (root: string) => ({
    announced: JSON.stringify({ places: [{ path: '', fileSystem: '/dev/sda', root }] }) as never,
  })
  await scan(volumeId, [one], [three], placesOf('/films'))
  const inner = await newVolume('films/a')
  await scan(inner, [file('/three.mov', 5)], [], placesOf('/films/a'))
  expect(await reasonsOf()).toEqual({ files: 2, reasons: { 'Another storage has it, too': 1 } })
})

test('an order is refused once the storage no longer allows it, its scan is too old, or the clock is wrong', async () => {
  const order = async (jobId: number) => {
    const job = await found(jobId)
    const [task] = job.tasks
    return task && orderOf(platform, job, task, 1)
  }
  const moved = await run((await plan()).id)
  const folder = { run: expect.stringMatching(new RegExp(`^[\\da-f]{8}-${moved}$`)) }
  const first = await order(moved)
  expect(first?.system).toMatchObject({ kind: 'quarantine', verb: 'move', ...folder })
  const start = async (action: 'putBack' | 'deleteQuarantined') =>
    startPlan(platform, (await planOfJob(platform, action, moved, system)).id, system, policyId)
  const [back, gone] = [await start('putBack'), await start('deleteQuarantined')]
  expect((await order(back))?.system).toMatchObject({ verb: 'putBack', ...folder })
  expect((await order(gone))?.system).toMatchObject({ verb: 'delete', ...folder })

  await db.transaction().execute(renewProductId)
  const { run: folderOfFirst } = { run: '', ...first?.system }
  for (const jobId of [moved, back, gone]) expect((await order(jobId))?.system).toMatchObject({ run: folderOfFirst })

  await db.updateTable('volumes').set({ policyActions: 'quarantine' }).where('id', '=', volumeId).execute()
  await expect(order(gone)).rejects.toThrow("Storage doesn't allow deletion now. Edit the storage")
  expect(await planOfJob(platform, 'deleteQuarantined', moved, system)).toMatchObject({
    files: 0,
    leftOut: [{ reason: "Storage doesn't allow deletion", files: 3 }],
  })
  await db.updateTable('volumes').set({ policyActions: 'nothing' }).where('id', '=', volumeId).execute()
  await expect(order(moved)).rejects.toThrow("Storage doesn't allow quarantine now. Edit the storage")
  await order(back)

  await db.updateTable('volumes').set({ policyActions: 'delete' }).where('id', '=', volumeId).execute()
  const old = new Date(Date.now() - 49 * hour)
  await db.updateTable('scans').set({ startedAt: old }).where('volumeId', '=', volumeId).execute()
  await expect(order(moved)).rejects.toThrow('Its last scan is older than two days. Scan the storage')
  await Promise.all([order(back), order(gone)])
  await db.updateTable('trustedClock').set({ trustedAt: old }).execute()
  for (const jobId of [moved, back, gone]) await expect(order(jobId)).rejects.toThrow('The clock of the server jumped')
  await db.updateTable('trustedClock').set({ trustedAt: new Date() }).execute()
})

test('the next scan verifies moves, returns and deletions, and later ones change nothing about it', async () => {
  const checked = async (jobId: number) => {
    const { status, result } = await found(jobId)
    const [storage] = (result as ActResult).found?.storages ?? []
    return { status, ...(storage && { there: storage.there, gone: storage.gone }) }
  }
  const scanned = async (root: File[], inA: File[]) => {
    await scan(volumeId, root, inA)
    await verifyAfter(platform, [volumeId])
  }
  const moved = await run((await plan()).id)
  expect(await checked(moved)).toEqual({ status: 'SUCCESS' })
  const undone = await run((await planOfJob(platform, 'putBack', moved, system, ['/mnt/films/one.mov'])).id)
  await scanned([one], [])
  expect(await checked(moved)).toEqual({ status: 'SUCCESS', there: 0, gone: 2 })
  expect(await checked(undone)).toEqual({ status: 'SUCCESS', there: 1, gone: 0 })
  await scanned([two], [three])
  expect(await checked(moved)).toEqual({ status: 'SUCCESS', there: 0, gone: 2 })
  expect(await checked(undone)).toEqual({ status: 'SUCCESS', there: 1, gone: 0 })

  const again = await run((await plan()).id)
  await scanned([two], [])
  expect(await checked(again)).toEqual({ status: 'WARNING', there: 1, gone: 1 })
  const lost = await run((await planOfJob(platform, 'putBack', again, system, ['/mnt/films/a/three.mov'])).id)
  await scanned([two], [])
  expect(await checked(lost)).toEqual({ status: 'WARNING', there: 0, gone: 1 })
})
