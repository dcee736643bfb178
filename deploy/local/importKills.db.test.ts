import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commandLinePath } from '#events/users/apiTokens.ts'
import type { ImportRecord } from '#events/imports/imports.ts'
import { copyMigratedEngine, testDatabaseUrl, testDb, testFolder } from '#server/platform/testing/stores.ts'
import { type Product, startProduct } from './testing.ts'
import { postFile } from './testing/calls.ts'

const scratch = testFolder('import-kills')
const [films, data, program] = ['films', 'data', 'dataintell'].map((name) => join(scratch, name)) as [
  string,
  string,
  string,
]
const environment = { DATABASE_URL: await testDatabaseUrl() }
const db = await testDb()
const waiting = { timeout: 30_000 }
const count = 50_000
let product: Product
let token = ''

/** Paths and sizes as `du` prints them. */
const lines = Array.from({ length: count }, (_, n) => `${n}\t/films/d${n % 100}/${n}.mov\n`)

beforeAll(async () => {
  mkdirSync(films)
  writeFileSync(join(films, 'film.mov'), 'content')
  await copyMigratedEngine(join(data, 'clickhouse'))
  product = await startProduct(data, { environment })
  await product.addStorage({ name: 'films', path: films })
  const { answer } = await product.call('POST', '/v1/apiTokens', { name: 'Imports', roles: ['ROLE_ADMIN'], days: 1 })
  ;({ token } = answer as { token: string })
}, 120_000)
afterAll(() => product.stop())

async function killAndStart(): Promise<void> {
  await product.kill()
  product = await startProduct(data, { environment })
}

const answerOf = async <T>(path: string): Promise<T> => (await product.call('GET', path)).answer as T
const importOf = (id: number) => answerOf<ImportRecord>(`/v1/imports/${id}`)
const stateOf = async (id: number) => (await importOf(id)).state
/** Days with a snapshot, with their files and bytes. */
async function daysOf(): Promise<[string, number, number][]> {
  const days = await answerOf<{ indexingDate: string }[]>('/administration/dates')
  const totals = days.map(async ({ indexingDate }): Promise<[string, number, number]> => {
    type Totals = { elements: { numberOfFiles: number; sizeOfFiles: number }[] }
    const { elements } = await answerOf<Totals>(`/v1/volumes?indexingDate=${indexingDate}`)
    const [one] = elements
    return [indexingDate, one?.numberOfFiles ?? 0, one?.sizeOfFiles ?? 0]
  })
  return Promise.all(totals)
}

const upload = (date: string, body: Readable) =>
  postFile(product.address, `/v1/imports?storageId=1&date=${date}&format=du&unit=1`, token, body)
/** Uploads the whole file; returns the number of its import. */
async function uploaded(date: string): Promise<number> {
  const { id } = (await (await upload(date, Readable.from(lines))).json()) as { id: number }
  await expect.poll(() => stateOf(id), waiting).toBe('READY')
  return id
}

test('after a kill one import waits for its commit, and another, half of which was read, says so and left nothing', async () => {
  await product.call('POST', '/v1/scans/volumes/ids', [1])
  await expect.poll(daysOf, waiting).toHaveLength(1)
  const before = await daysOf()
  const ready = await uploaded('2025-03-01')
  async function* half() {
    yield* lines.slice(0, count / 2)
    await pause(60_000, undefined, { ref: false })
  }
  void upload('2025-01-01', Readable.from(half())).catch(() => undefined)
  const halfRead = async () =>
    (await answerOf<ImportRecord[]>('/v1/imports?storageId=1')).find(({ date }) => date === '2025-01-01')
  await expect.poll(halfRead, waiting).toMatchObject({ state: 'READING' })
  await killAndStart()
  await sql`UPDATE imports SET seen_at = now() - interval '2 minutes'`.execute(db)
  const reason = 'The server stopped while it read the file. Import it again.'
  await expect.poll(halfRead, waiting).toMatchObject({ state: 'FAILED', reason })
  expect([await stateOf(ready), await daysOf()]).toEqual(['READY', before])
}, 60_000)

test('a commit that is killed is completed once', async () => {
  const before = await daysOf()
  const { id } = (await answerOf<ImportRecord[]>('/v1/imports?storageId=1')).find(({ state }) => state === 'READY')!
  await product.call('PUT', `/v1/imports/${id}/commit`)
  await pause(300 * Math.random())
  await killAndStart()
  await expect.poll(() => stateOf(id), waiting).toBe('COMMITTED')
  const made: [string, number, number] = ['2025-03-01', count, (count * (count - 1)) / 2]
  expect((await daysOf()).toSorted()).toEqual([...before, made].toSorted())
}, 60_000)

test('the command line imports several files, packed or not, and one of them is undone', async () => {
  const before = await daysOf()
  writeFileSync(program, await (await fetch(product.address + commandLinePath)).text(), { mode: 0o755 })
  writeFileSync(join(scratch, 'may.txt'), '10\t/films/a/b.mov\n10\t/films/a\n10\t/films\n')
  writeFileSync(join(scratch, 'june.txt.gz'), gzipSync('30\t/films/a/b.mov\n30\t/films/a\n30\t/films\n'))
  const args = [
    'import',
    'films',
    '2025-05-01',
    'may.txt',
    '2025-06-01',
    'june.txt.gz',
    '--format',
    'du',
    '--unit',
    '1',
  ]
  const env = { ...process.env, DATAINTELL_TOKEN: token, DATAINTELL_SERVER: product.address, HOME: scratch }
  execFileSync(program, args, { cwd: scratch, env })
  const ofMay = ['2025-05-01', 1, 10]
  expect((await daysOf()).toSorted()).toEqual([...before, ofMay, ['2025-06-01', 1, 30]].toSorted())
  const june = (await answerOf<ImportRecord[]>('/v1/imports?storageId=1')).find(({ date }) => date === '2025-06-01')
  await product.call('DELETE', `/v1/imports/${june?.id}`)
  expect((await daysOf()).toSorted()).toEqual([...before, ofMay].toSorted())
})
