import type { Policy } from '#events/policies/policies.ts'
import type { PolicyRun } from '#events/policies/runs.ts'
import { createApp } from '#server/app.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { insertInto } from '#server/platform/clickhouse/statements.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { inTransaction } from '#server/platform/postgres/inTransaction.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { asUser, testUser } from '#server/testing.ts'
import { changeJob, endTask, failTask, findJob, startTask } from '#server/workers/jobs/index.ts'
import type { TaskHandlers } from '#server/workers/tasks/index.ts'
import { policyRoutes } from './index.ts'
import { tendRuns } from './tendRuns.ts'

const mib = 2 ** 20

/** Policies of two administrators on a storage with four files of 1 MiB, one of them changed three days ago, and a large one of that day. Times are in UTC. */
export async function testPolicies() {
  process.env['TZ'] = 'UTC'
  const platform = { ...(await testPlatform()), live: () => {} }
  const { db, clickhouse } = platform
  const app = createApp(platform, policyRoutes(platform))
  const person = async () => {
    const user = await testUser(db, ['ROLE_ADMIN'])
    await db
      .updateTable('users')
      .set({ email: `${user.name}@example.com` })
      .where('id', '=', user.id)
      .execute()
    return { ...user, ask: asUser(app, await openSession(db, user.id, '127.0.0.1')) }
  }
  const [ana, ben] = [await person(), await person()]
  const row = { name: 'Films', path: '/mnt/films', type: 'crawl.files' as const }
  const { id: films } = await db.insertInto('volumes').values(row).returning('id').executeTakeFirstOrThrow()
  const file = (path: string, inode: number, modified = 1_600_000_000, size = mib) => ({ path, inode, modified, size })
  const seconds = Math.floor(Date.now() / 1000) - 3 * 86_400
  await scanFolders(platform, { volumeId: films, indexingDate: new Date().toISOString().slice(0, 10) }, [
    { path: '', entries: [{ path: '/old', isDirectory: true, inode: 2 }, file('/big.mov', 3, seconds, 100 * mib)] },
    {
      path: '/old',
      entries: [file('/old/a.mov', 4), file('/old/b.mov', 5), file('/old/c.mov', 6), file('/old/new.mov', 7, seconds)],
    },
  ])

  await db.updateTable('volumes').set({ policyActions: 'delete' }).execute()
  await db.updateTable('scans').set({ startedAt: new Date() }).execute()
  const base = {
    search: { filters: { extension: ['mov'] } },
    untouchedDays: 180,
    action: { kind: 'quarantine', deleteAfterDays: 30 },
    cron: '0 0 * * * ?',
  }
  let made = 0
  const ask = ana.ask
  const create = async (draft: object = {}): Promise<number> =>
    (await ask('POST', '/api/v1/policies', { ...base, name: `Policy ${(made += 1)}`, ...draft }).expect(200)).body.id
  const runsOf = async (id: number): Promise<PolicyRun[]> =>
    (await ask('GET', `/api/v1/policies/${id}/runs`).expect(200)).body.elements
  const shown = async (id: number): Promise<Policy> =>
    (await ask('GET', '/api/v1/policies?size=1000').expect(200)).body.elements.find((one: Policy) => one.id === id)
  const start = async (id: number): Promise<PolicyRun> =>
    (await ask('POST', `/api/v1/policies/${id}/runs`).expect(200)).body
  const approve = ({ id, hash }: PolicyRun, by = ana) => by.ask('PUT', `/api/v1/policies/runs/${id}/approve`, { hash })
  const handlers = Object.fromEntries(
    ['SCAN_VOLUMES', 'ACT_ON_FILES', 'TAG_ENTRIES', 'RUN_REPORT'].map((type) => [type, {}]),
  ) as unknown as TaskHandlers
  const tend = (now = new Date()) => tendRuns(platform, handlers, now)

  /** Ends a job: all its files are done, or it failed. */
  async function end(jobId: number | null, reason?: string, now = new Date()): Promise<void> {
    const at = now.toISOString()
    const job = await findJob(db, jobId ?? 0)
    for (const { id, payload } of job?.tasks ?? []) {
      const { selection } = payload as { selection: number }
      const rows = sql`SELECT selection, position, 'done', '', '', 1 FROM selected_entries WHERE selection = ${selection} AND left_out = ''`
      if (!reason)
        await clickhouse.change(
          insertInto('acted_files', rows, 'selection, position, state, reference, reason, version'),
        )
      await inTransaction(db, async (trx) => {
        await changeJob(trx, jobId ?? 0, system, (now) => startTask(now, id, 1, at))
        await changeJob(trx, jobId ?? 0, system, (now) =>
          reason ? failTask(now, id, reason, at) : endTask(now, id, {}, at),
        )
      })
    }
  }
  return { platform, db, ana, ben, films, create, runsOf, shown, start, approve, tend, end, person, app }
}
