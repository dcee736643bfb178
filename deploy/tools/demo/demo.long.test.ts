import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ActionPlan } from '#events/actions/plans.ts'
import type { JobDetails } from '#events/jobs/calls.ts'
import type { ActResult } from '#events/jobs/taskResults.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { startProduct } from '#deploy/local/testing.ts'
import { type Must, mustOf } from '#deploy/local/testing/calls.ts'
import { demoPassword } from '#deploy/local/demo/demoFolder.ts'
import { storageIds } from './settings.ts'

/** Lists of the product, each of which has rows in a demo. */
const lists = [
  '/v1/storages',
  '/v1/volumes',
  '/volumeSettings',
  '/v1/buckets',
  '/v1/bucket-credentials',
  '/v1/networkVolumes',
  '/v1/networkVolumes/credentials',
  '/v1/storage-prices',
  '/v1/projects',
  '/v1/projects/mostActiveProjects',
  '/v1/volumes/mostActiveVolumes',
  '/v1/reports/templates',
  '/v1/reports/1/runs',
  '/v1/reports/checks',
  '/v1/savedSearches',
  '/v1/policies',
  '/v1/policies/1/runs',
  '/v1/schedules',
  '/v1/jobs',
  '/v1/events',
  '/v1/users',
  '/v1/apiTokens',
  '/v1/wall/tokens',
  '/v1/files/tags',
  '/files/search?onlyDuplicates=true',
  '/files/search?showOnlyDeletedFiles=true',
  '/administration/dates',
]

async function startDemo(data: string): Promise<{ call: Must; printed(): string; stop(): Promise<void> }> {
  const product = await startProduct(data, { folder: '--demo', password: demoPassword })
  onTestFinished(product.stop)
  return { call: mustOf(product.call), printed: product.printed, stop: product.stop }
}

type Job = { type: string; status: string }
type Schedule = { lastRun: { dueAt: string; jobId: number } }
type Page<T> = { elements: T[] }

const rowsOf = (answer: unknown): unknown[] =>
  Array.isArray(answer) ? answer : ((answer as { elements?: unknown[] }).elements ?? [])

test('a demo has rows in every list, acts on its files up to the scan that verifies it, and has the same data at its next start', async () => {
  const data = join(testFolder('demo'), 'data')
  const first = await startDemo(data)
  expect(first.printed()).toContain('Making up a studio')
  // Figures of projects are counted in the background.
  for (const path of lists)
    await expect.poll(async () => rowsOf(await first.call('GET', path)).length, { message: path }).toBeGreaterThan(0)
  for (const { lastRun } of await first.call<Schedule[]>('GET', '/v1/schedules?jobGroup=SCANNER')) {
    const job = await first.call<JobDetails>('GET', `/v1/jobs/${lastRun.jobId}`)
    expect(Date.parse(job.createdAt) - Date.parse(lastRun.dueAt)).toBeLessThan(60_000)
  }
  await actsOnFiles(first.call, join(data, 'disks/edit-bay'))
  const { elements: jobs } = await first.call<{ elements: Job[] }>('GET', '/v1/jobs?size=100')
  for (const field of ['type', 'status'] as const)
    expect(new Set(jobs.map((job) => job[field])).size).toBeGreaterThanOrEqual(3)
  const dates = await first.call('GET', '/administration/dates')
  await first.stop()
  expect(simulated(data)).toEqual([])

  const second = await startDemo(data)
  expect(second.printed()).not.toContain('Making up a studio')
  await expect.poll(second.printed).toContain('Sign in as admin with the password northlight-demo')
  expect(await second.call('GET', '/administration/dates')).toEqual(dates)
  // The archive still has what the last start put there.
  expect(await find(second.call, 'Simulated P5 archive', 'harbor_lights_still')).toHaveLength(14)
  await scanned(second.call, 'Simulated P5 archive')
  expect(await find(second.call, 'Simulated P5 archive', 'harbor_lights_still')).toHaveLength(14)
  const restored = { clientId: 'edit-bay', credentialsId: 1, relocate: join(data, 'disks/nearline') }
  const [still] = await find(second.call, 'Simulated P5 archive', 'harbor_lights_still_003')
  await act(second.call, 'RESTORE_ARCHIWARE_FILES', { ...restored, dataIntellPaths: [still] })
})

/** Process IDs of the simulated systems of a demo. */
const simulated = (data: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    const [, program = '', folder] = commandOf(pid)
    return program.endsWith('systems/main.ts') && folder === data
  })

function commandOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}

async function scanned(call: Must, ...names: string[]): Promise<void> {
  const ids = await storageIds(call)
  const storageIdToPath = Object.fromEntries(names.map((name) => [ids.get(name), '']))
  const { jobId } = await call<{ jobId: number }>('POST', '/v1/scans/storages', { storageIdToPath })
  await expect.poll(() => statusOf(call, jobId), { timeout: 60_000 }).toBe('SUCCESS')
}

const statusOf = async (call: Must, id: number) => (await call<JobDetails>('GET', `/v1/jobs/${id}`)).status

/** Full paths of files of a storage. */
async function find(call: Must, storage: string, search: string): Promise<string[]> {
  const query = new URLSearchParams({ search, volumeId: String((await storageIds(call)).get(storage)), size: '100' })
  return (await call<Page<{ fullPath: string }>>('GET', `/files/search?${query}`)).elements.map((file) => file.fullPath)
}

/** Runs an action to its end. Returns what scans found since. */
async function act(call: Must, jobType: string, payload: object) {
  const { id } = await call<ActionPlan>('POST', '/v1/actions/plans', { jobType, payload })
  const { jobId } = await call<{ jobId: number }>('POST', `/v1/actions/plans/${id}/start`)
  await expect.poll(() => statusOf(call, jobId), { timeout: 60_000, message: jobType }).toBe('SUCCESS')
  return async () => ((await call<JobDetails>('GET', `/v1/jobs/${jobId}`)).result as ActResult).found
}

/** One action of each system, up to the scan that verifies it. */
async function actsOnFiles(call: Must, editBay: string): Promise<void> {
  const disks = ['Edit bay', 'Simulated P5 archive', 'Simulated PowerScale']
  for (const name of disks) await expect.poll(() => find(call, name, 'e'), { timeout: 60_000 }).not.toEqual([])
  const { elements: credentials } = await call<Page<{ id: number }>>('GET', '/v1/archiwares/credentials')
  const credentialsId = credentials[0]?.id
  const onP5 = { clientId: 'edit-bay', credentialsId }
  const plan = { planId: '10001', serverId: 1, meta: [], indexroot: '', deltaScanAfter: true }
  const archived = { ...onP5, ...plan, dataIntellPaths: [`${editBay}/harbor_lights/stills`] }
  const inArchive = await act(call, 'ARCHIVE_ARCHIWARE_FILES', archived)
  const [lost = ''] = await find(call, 'Simulated P5 archive', 'long_road_still_001')
  const restored = await act(call, 'RESTORE_ARCHIWARE_FILES', { ...onP5, relocate: null, dataIntellPaths: [lost] })
  const target = { name: 'Nearline', path: '/', storageId: 'Nearline', isDirectory: true }
  const lists = { name: 'lists', path: `${editBay}/red_mesa/lists`, isDirectory: true }
  const sources = [{ ...lists, storageId: String((await storageIds(call)).get('Edit bay')) }]
  const transfer = { name: '', transferType: 'MOVE', conflictHandling: 'SKIP', target, sources }
  const moved = await act(call, 'SODA_TRANSFER', transfer)
  const stored = await act(call, 'ARCHIVE_STORAGE_MANAGER_FILES', { dataIntellPaths: [`${editBay}/red_mesa/stills`] })
  const onTape = { relocate: null, dataIntellPaths: [`${editBay}/copper_canyon/stills`] }
  const recalled = await act(call, 'RESTORE_STORAGE_MANAGER_FILES', onTape)
  const [storage] = await call<{ id: string; method: string }[]>('GET', '/v1/iconik/storages')
  const bucket = { collectionId: null, storageId: storage?.id, storageType: storage?.method }
  const uploaded = await act(call, 'ICONIK_UPLOAD', { ...bucket, dataIntellPaths: [`${editBay}/snow_line/lists`] })
  await scanned(call, 'Edit bay', 'Nearline')
  const there = (count: number) => ({ storages: [{ there: count, changed: 0, gone: 0 }] })
  for (const [found, end] of [
    [inArchive, { target: { arrived: 14, changed: 0, missing: 0 } }],
    [restored, { target: { arrived: 1, changed: 0, missing: 0 } }],
    [moved, { target: { arrived: 12, changed: 0, missing: 0 }, storages: [{ there: 0, changed: 0, gone: 12 }] }],
    [stored, there(14)],
    [recalled, there(14)],
    [uploaded, there(12)],
  ] as const)
    await expect.poll(found, { timeout: 60_000 }).toMatchObject(end)
  const madeUp = { ...archived, dataIntellPaths: ['/mnt/office'] }
  const refused = await call<ActionPlan>('POST', '/v1/actions/plans', {
    jobType: 'ARCHIVE_ARCHIWARE_FILES',
    payload: madeUp,
  })
  expect(refused).toMatchObject({ files: 0, leftOut: [{ reason: expect.stringContaining('Made up for this demo') }] })
}
