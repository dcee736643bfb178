import { expect } from 'vitest'
import { jobOf } from '#events/actions/actions.ts'
import { SearchFilters } from '#events/search/filters.ts'
import { type File, scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { changeJob, endTask, findJob, startTask } from '#server/workers/jobs/index.ts'
import { filesOf, storeOutcomes } from '../kit/files.ts'
import { planAction, startPlan } from '../index.ts'

/** Storages that a policy may change, plans of it, and jobs that end at once. */
export async function testQuarantine() {
  const platform = await testPlatform()
  const { db, clickhouse } = platform
  const policyId = 7
  const today = new Date().toISOString().slice(0, 10)

  const file = (path: string, inode: number, facts: Partial<File> = {}): File => ({ path, inode, size: 10, ...facts })
  const [one, two, three] = [file('/one.mov', 3), file('/two.mov', 4), file('/a/three.mov', 5)]
  const paths = ['/mnt/films/one.mov', '/mnt/films/two.mov', '/mnt/films/a/three.mov']
  const folderA = { path: '/a', isDirectory: true, inode: 2 }

  /** A storage that policies may change. */
  const newVolume = async (name: string, policyActions = 'delete' as 'delete' | 'quarantine' | 'nothing', more = {}) =>
    (
      await db
        .insertInto('volumes')
        .values({ name, path: `/mnt/${name}`, type: 'crawl.files', policyActions, ...more })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id

  /** Scans a storage with these files in its root, and those in the folder /a. */
  async function scan(of: number, root: File[], inA: File[] = [], facts = {}, startedAt = new Date(Date.now() + 1)) {
    const folders = [
      { path: '', entries: inA.length > 0 ? [folderA, ...root] : root },
      ...(inA.length > 0 ? [{ path: '/a', entries: inA }] : []),
    ]
    const scanId = await scanFolders(platform, { volumeId: of, indexingDate: today }, folders)
    await db
      .updateTable('scans')
      .set({ startedAt, ...facts })
      .where('id', '=', scanId)
      .execute()
  }

  /** Deletes all storages, and scans a new one with three files for the policy and one that was changed today. Returns its id. */
  async function renew(): Promise<number> {
    await db.updateTable('volumes').set({ deletedAt: new Date() }).execute()
    const volumeId = await newVolume('films')
    await scan(volumeId, [one, two, file('/new.mov', 6, { modified: Math.floor(Date.now() / 1_000) })], [three])
    return volumeId
  }

  const search = { filters: SearchFilters.parse({}), isDirectory: false }
  const plan = () =>
    planAction(platform, jobOf('quarantine', {}, search), {
      by: system,
      ofPolicy: policyId,
      everything: true,
      untouchedDays: 180,
      leaveOutKept: true,
    })
  const reasonsOf = async () => {
    const { files, leftOut } = await plan()
    return { files, reasons: Object.fromEntries(leftOut.map(({ reason, files }) => [reason, files])) }
  }

  const found = async (jobId: number) => (await findJob(db, jobId)) ?? expect.unreachable()

  /** Starts a plan, and ends it with all its files done but these, which failed for their reasons. */
  async function run(id: number, failed: Record<string, string> = {}): Promise<number> {
    const jobId = await startPlan(platform, id, system, policyId)
    for (const { id: taskId, payload } of (await found(jobId)).tasks) {
      const task = payload as { selection: number; part: number }
      const files = await filesOf(platform, task, { state: 'planned', after: 0, byInode: true })
      expect(files.every(({ inode, links }) => Number(inode) > 2 && Number(links) > 0)).toBe(true)
      const outcomes = files.map(({ position, path }) => {
        const reason = failed[path]
        return {
          position,
          state: reason ? ('failed' as const) : ('done' as const),
          reference: '',
          reason: reason ?? '',
        }
      })
      await storeOutcomes(clickhouse, task, { taskId, attempt: 1, sequence: 1, outcomes })
      await db.transaction().execute(async (trx) => {
        const at = new Date().toISOString()
        await changeJob(trx, jobId, system, (job) => startTask(job, taskId, 1, at))
        await changeJob(trx, jobId, system, (job) => endTask(job, taskId, { done: files.length }, at))
      })
    }
    return jobId
  }

  return {
    platform,
    policyId,
    today,
    volumes: { file, one, two, three, paths, newVolume, scan, renew },
    search,
    plan,
    reasonsOf,
    found,
    run,
  }
}
