import { beforeEach, expect } from 'vitest'
import type { Role } from '#events/contract/needs.ts'
import { createApp } from '#server/app.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import type { Platform } from '#server/platform/platform.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { reportRoutes, reportTasks } from '#server/work/reports/index.ts'
import { searchRoutes } from '#server/questions/search/index.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { startServerWorker } from '#server/workers/tasks/index.ts'
import { asUser, testSession } from '#server/testing.ts'

const path = '/api/v1/reports/templates'

/**
 * No reports, tags or found entries, and two scanned storages: `old.mov` is in both, `new.mov` only in the second one.
 * A test that scans them again leaves new ones to the next test. `at` has their numbers, their scan day, and the number
 * of the test.
 */
export async function testReports() {
  const platform = await testPlatform()
  const app = createApp(platform, [...reportRoutes(platform), ...searchRoutes(platform)])
  const userWith = async (roles: Role[]) => asUser(app, await testSession(platform.db, roles))
  const ask = await userWith(['ROLE_PROJECT_MANAGER'])
  const { at, scan } = twoStorages(platform)
  const source = (id: number) => ({ type: 'VOLUME', id, path: '/' })
  const parameters = () => ({ references: [source(at.first)], comparison: [source(at.second)] })
  const draft = (of: object = {}) => ({
    name: `Weekly ${at.made}`,
    type: 'DUPLICATED',
    parameters: parameters(),
    ...of,
  })
  const create = async (of: object = {}): Promise<number> => (await ask('POST', path, draft(of)).expect(200)).body.id
  return {
    platform,
    path,
    ask,
    reader: await userWith([]),
    userWith,
    at,
    scan,
    source,
    draft,
    create,
    ...callsOf(platform, ask),
  }
}

function twoStorages(platform: Platform) {
  const { db, clickhouse } = platform
  const at = { first: 0, second: 0, made: 0, day: '' }
  let isUnchanged = false
  const scan = (volumeId: number, names: string[]) => {
    isUnchanged = false
    return scanFolders(platform, { volumeId, indexingDate: at.day }, [
      { path: '', entries: names.map((name, i) => ({ path: `/${name}`, inode: 10 + i })) },
    ])
  }
  const makeStorages = async () => {
    at.day = `2026-01-${String(at.made).padStart(2, '0')}`
    await db.deleteFrom('snapshots').execute()
    at.first = await newVolume(platform, `made ${at.made}`)
    at.second = await newVolume(platform, `made too ${at.made}`)
    await scan(at.first, ['old.mov'])
    await scan(at.second, ['old.mov', 'new.mov'])
    isUnchanged = true
  }
  const rename = (id: number, name: string) =>
    db.updateTable('volumes').set({ name, deletedAt: null }).where('id', '=', id).execute()
  beforeEach(async () => {
    at.made++
    await db.deleteFrom('reportTemplates').execute()
    await db.deleteFrom('deliveries').execute()
    await clickhouse.change(sql`TRUNCATE TABLE entry_tags`)
    await clickhouse.change(sql`TRUNCATE TABLE report_entries`)
    if (!isUnchanged) await makeStorages()
    await rename(at.first, `first ${at.made}`)
    await rename(at.second, `second ${at.made}`)
  })
  return { at, scan }
}

function callsOf(platform: Platform, ask: ReturnType<typeof asUser>) {
  const find = async (id: number) => (await ask('GET', `${path}/${id}`).expect(200)).body
  const runs = async (id: number) => (await ask('GET', `/api/v1/reports/${id}/runs`).expect(200)).body.elements
  const launch = async (id: number): Promise<number> => (await ask('POST', `${path}/${id}/jobs`).expect(200)).body.jobId
  /** Lets the worker finish all queued tasks. */
  async function work(id: number): Promise<void> {
    const worker = startServerWorker(platform, 'RUN_REPORT', reportTasks(platform), 50)
    await expect.poll(async () => (await find(id)).jobs[0].status, { timeout: 30_000 }).toMatch(/SUCCESS|FAILURE/)
    await worker.stop()
  }
  return {
    find,
    runs,
    launch,
    work,
    /** Runs a report and returns the number of the run. */
    run: async (id: number): Promise<number> => {
      await launch(id)
      await work(id)
      return (await runs(id))[0].id
    },
    /** Volume and path of all entries with a report's tag. */
    tagged: async (name: string) => {
      const { body } = await ask('GET', `/api/files/search?report=${encodeURIComponent(name)}`).expect(200)
      return body.elements.map((entry: { path: string; volumeId: number }) => [entry.volumeId, entry.path])
    },
  }
}
