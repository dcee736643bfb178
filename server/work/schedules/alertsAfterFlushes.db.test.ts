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

/** Inserts the changes of a flush, as when it is shown. */
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
const alerts = () => db.selectFrom('schedules').select(['name', 'jobClass', 'userId', 'payload']).execute()

test.each(harmless)('$name causes no alert', async ({ name: _, ...recording }) => {
  expect(await replay(recording)).toEqual([])
})

test.each(harmful)('$name is reported once, at the flush that crosses the limit', async ({ alert, ...recording }) => {
  const messages = await replay(recording)
  expect(messages.map(([seconds, text]) => [seconds, text.split('.\n')[0]])).toEqual([alert])
})

const deletion = (seconds: number, files: number): Recording['flushes'][number] => [
  seconds,
  '/projects/arrival',
  'ana',
  { deleted: files },
]
const arrival = { '/projects/arrival': 20_000 }

test('an incident has its own numbers, is reported again at ten times the limit, and ends after ten quiet minutes', async () => {
  await db.insertInto('configurations').values({ name: 'app.url', value: 'https://data.example.com' }).execute()
  onTestFinished(() => void db.deleteFrom('configurations').execute())
  const flushes = [5_000, 3_000, 3_000, 5_000].map((files, i) => deletion(20 * i, files))
  const messages = await replay({ known: arrival, flushes })
  const place = `volumeId=${films}&path=%2Fprojects%2Farrival`
  expect(messages).toEqual([
    [
      0,
      `5,000 files were deleted in 1 second in Films › /projects/arrival. Most of them belong to ana.
If no one meant to delete them, stop the program or user that does, and restore the files from a backup or snapshot.
History of the folder: https://data.example.com/folders?${place}

https://data.example.com/filemanagement?${place}&date=now
`,
    ],
    [40, expect.stringMatching(/^11,000 files were deleted in 40 seconds in Films/)],
  ])
  const text = '16,000 files were deleted in 1 minute in Films › /projects/arrival. Most of them belong to ana'
  expect(await incidents()).toEqual([{ text, path: '/projects/arrival', endedAt: null }])
  await setLive(false)
  await alertAfterFlush(platform, at(659))
  expect(await incidents()).toMatchObject([{ endedAt: null }])
  await alertAfterFlush(platform, at(660))
  expect(await incidents()).toEqual([{ text, path: '/projects/arrival', endedAt: at(660) }])
  expect(await bodies()).toHaveLength(2)
})

test('a muted incident sends no second message, and the next incident is sent', async () => {
  await replay({ known: arrival, flushes: [deletion(0, 5_000)] })
  await db
    .updateTable('alertIncidents')
    .set({ mutedAt: at(1) })
    .execute()
  await flushed(...deletion(30, 9_000))
  await alertAfterFlush(platform, at(30))
  expect(await bodies()).toHaveLength(1)
  await alertAfterFlush(platform, at(700))
  await flushed(...deletion(800, 5_000))
  await alertAfterFlush(platform, at(800))
  expect(await bodies()).toHaveLength(2)
})

test('each administrator gets an alert of all storages once, also if it is deleted', async () => {
  await testUser(db, [])
  await alertAfterFlush(platform, at(0))
  const payload = { userId: ana.id, all: true, resourceIds: [], files: 1_000 }
  expect(await alerts()).toEqual([{ name: 'Mass changes', jobClass: 'MASS_CHANGE_ALERT', userId: ana.id, payload }])
  await db.deleteFrom('schedules').execute()
  await alertAfterFlush(platform, at(10))
  expect(await alerts()).toEqual([])
})

test('an alert has a limit and storages of its own', async () => {
  await alertAfterFlush(platform, at(0))
  const change = (payload: object) =>
    db
      .updateTable('schedules')
      .set({ payload: JSON.stringify(payload) as never })
      .execute()
  await scanned(arrival)
  await flushed(...deletion(10, 5_000))
  await change({ userId: ana.id, resourceIds: [films + 1], files: 1_000 })
  await alertAfterFlush(platform, at(10))
  await change({ userId: ana.id, resourceIds: [films], files: 5_001 })
  await alertAfterFlush(platform, at(11))
  expect(await bodies()).toEqual([])
  await change({ userId: ana.id, resourceIds: [films], files: 5_000 })
  await alertAfterFlush(platform, at(12))
  expect(await bodies()).toHaveLength(1)
})

test('while no storage is live, nothing is read, and no one gets an alert', async () => {
  await setLive(false)
  await alertAfterFlush({ ...platform, clickhouse: undefined as never }, at(0))
  expect(await alerts()).toEqual([])
})

test('a change is reported within ten seconds after its flush, by any replica', async () => {
  const running = [1, 2].map(() => startAlertsAfterFlushes(platform))
  onTestFinished(() => Promise.all(running.map((one) => one.stop())).then(() => {}))
  await scanned(arrival)
  await flushed(...deletion((Date.now() - start) / 1_000, 5_000))
  platform.live({ type: 'changed', topics: ['live'] })
  await vi.waitFor(async () => expect(await bodies()).toHaveLength(1), { timeout: 10_000 })
  await Promise.all(running.map((one) => one.stop()))
  expect(await bodies()).toHaveLength(1)
})
