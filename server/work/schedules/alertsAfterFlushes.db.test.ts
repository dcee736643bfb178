import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { sql as statement } from '#server/platform/clickhouse/sql.ts'
import { insertInto } from '#server/platform/clickhouse/statements.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { testUser } from '#server/testing.ts'
import { alertAfterFlush, startAlertsAfterFlushes } from './alertsAfterFlushes.ts'
import { type Changes, harmful, harmless, type Recording } from './testing/recordings.ts'

const platform = await testPlatform()
const { db, clickhouse } = platform
const ana = await testUser(db, ['ROLE_ADMIN'])
await db.updateTable('users').set({ email: 'ana@example.com' }).execute()
const start = Math.floor(Date.now() / 1_000) * 1_000
const at = (seconds: number) => new Date(start + seconds * 1_000)
let [films, inserts, tasks] = [0, 0, 0]

beforeEach(async () => {
  await sql`TRUNCATE volumes, scans, snapshots, deliveries, schedules CASCADE`.execute(db)
  await db.updateTable('users').set({ hasMassChangeAlert: false }).execute()
  films = await newVolume(platform, 'Films')
  await setLive(true)
})

const setLive = (isLive: boolean) =>
  isLive
    ? sql`INSERT INTO live_volumes (volume_id, session, base_scan, generation, state)
        VALUES (${films}, gen_random_uuid(), 1, 2, 'LIVE')`.execute(db)
    : sql`DELETE FROM live_volumes`.execute(db)

/** The folders of `/a/{1-20}`. */
function foldersOf(pattern: string): string[] {
  const [range, first, last] = /\{(\d+)-(\d+)\}/.exec(pattern) ?? []
  if (range === undefined) return [pattern]
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, i) =>
    pattern.replace(range, String(Number(first) + i)),
  )
}
const parentPath = (folder: string) => (folder === '/' ? '/' : `${folder}/`)

/** Commits a scan half a day ago that found files in folders. */
async function scanned(known: Recording['known']): Promise<void> {
  const moment = at(-43_200)
  const scan = { volumeId: films, jobId: 1, taskId: ++tasks, agentId: 1, state: 'done' as const, startedAt: moment }
  const row = db.insertInto('scans').values({ ...scan, indexingDate: '2026-05-01', finishedAt: moment })
  const { id: scanId } = await row.returning('id').executeTakeFirstOrThrow()
  await db.updateTable('volumes').set({ committedScan: scanId, generation: 1 }).where('id', '=', films).execute()
  await db.insertInto('snapshots').values({ indexingDate: '2026-05-01', volumeId: films, scanId }).execute()
  for (const [pattern, files] of Object.entries(known))
    await clickhouse.command(
      insertInto(
        'entries',
        statement`SELECT ${films}, 1, ${scanId}, arrayJoin(${foldersOf(pattern).map(parentPath)}), toString(number), false
          FROM numbers(${files})`,
        'volume, generation, from_scan, parent_path, name, is_directory',
      ),
    )
}

const counts = ['created', 'deleted', 'moved', 'renamed', 'rewritten'] as const

/** Inserts what changed by a flush, as it is done when it is shown. */
async function flushed(seconds: number, pattern: string, owner: string, changes: Changes): Promise<void> {
  const time = at(seconds).toISOString().replace('T', ' ').replace('Z', '')
  const numbers = counts.map((key) => changes[key] ?? 0)
  const rows = foldersOf(pattern).map((folder) => [films, time, parentPath(folder), owner, ...numbers].join('\t'))
  const columns = ['volume', 'at', 'parent_path', 'owner', ...counts]
  await clickhouse.insert('live_changes', columns, Buffer.from(`${rows.join('\n')}\n`), `flush-${++inserts}`)
}

/** Replays a recording, with an evaluation after each flush. Returns the messages with their seconds. */
async function replay({ known, flushes }: Pick<Recording, 'known' | 'flushes'>): Promise<[number, string][]> {
  await scanned(known)
  const messages: [number, string][] = []
  for (const [seconds, ...flush] of flushes) {
    await flushed(seconds, ...flush)
    const isLastOfMoment = flushes.filter(([other]) => other === seconds).at(-1)?.[1] === flush[0]
    if (seconds < 0 || !isLastOfMoment) continue
    await alertAfterFlush(platform, at(seconds))
    for (const text of (await bodies()).slice(messages.length)) messages.push([seconds, text])
  }
  return messages
}

const bodies = async () =>
  (await db.selectFrom('deliveries').select('body').orderBy('id').execute()).map(({ body }) => body ?? '')
const incidents = () => db.selectFrom('alertIncidents').select(['text', 'path', 'endedAt']).orderBy('id').execute()

test.each(harmless)('$name causes no alert', async ({ name: _, ...recording }) => {
  expect(await replay(recording)).toEqual([])
})

test.each(harmful)('$name is reported once, at the flush that crosses the limit', async ({ alert, ...recording }) => {
  const [[seconds, text] = [-1, ''], ...others] = await replay(recording)
  expect([seconds, text.split('.\n')[0]]).toEqual(alert)
  expect(others.length).toBeLessThanOrEqual(1)
})
