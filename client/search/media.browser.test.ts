import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, inject, test } from 'vitest'
import { hands, signInAt, testVisit } from '#client/testing.ts'
import { scan } from '#client/testing/scan.ts'
import { readMedia } from '#server/content/media/testing.ts'
import { openClickHouse } from '#server/platform/clickhouse/index.ts'
import { startBridge } from '#server/platform/clickhouse/testing.ts'
import { atEndOfFile } from '#server/platform/testing/testFile.ts'
import { testDb, testFolder } from '#server/platform/testing/stores.ts'

const engine = join(testFolder('engine'), 'engine')
cpSync(inject('stores').engine, engine, { recursive: true, verbatimSymlinks: true })
const { url } = await startBridge(engine)
const visit = await testVisit({ environment: { CLICKHOUSE_URL: url }, own: 'stores facts in its engine' })
let person: ReturnType<typeof hands>
const names = () =>
  visit.page.$$eval('tr[data-index] td:nth-child(2)', (cells) => cells.map((cell) => (cell.textContent ?? '').trim()))

const video = (codec: string, duration: number) => ({
  texts: { 'video.codec': codec },
  numbers: { 'media.duration': duration },
  details: { tracks: [{ kind: 'audio' as const, facts: { Language: 'German' } }], chapters: [] },
})

beforeAll(async () => {
  person = hands(visit)
  const films = join(visit.scratch, 'films')
  mkdirSync(films)
  const durations = { 'feature.mov': 5400, 'short.mov': 90, 'series.mov': 7200 }
  for (const [index, name] of [...Object.keys(durations), 'camera.mp4'].entries())
    writeFileSync(join(films, name), 'x'.repeat(index + 1))
  await visit.product.addStorage({ name: 'Films', path: films })
  await scan(visit, 1)
  const clickhouse = await openClickHouse(url)
  atEndOfFile(() => clickhouse.close())
  const stores = { db: await testDb(), clickhouse }
  for (const [name, duration] of Object.entries(durations)) await readMedia(stores, name, video('prores', duration))
  await readMedia(stores, 'camera.mp4', video('h264', 4000))
})

test('long videos of a codec are found, sorted by duration, opened and downloaded', async () => {
  const criteria = JSON.stringify([{ 'metadata.video.codec': { value: 'prores' } }])
  await signInAt(visit, '/search')
  await visit.page.goto(`${visit.product.address}/search?criteria=${encodeURIComponent(criteria)}`)
  await expect.poll(names).toHaveLength(3)
  await person.press('Longer than an hour')
  await expect.poll(names).toHaveLength(2)
  await person.see('4 hours')
  await person.press('Columns')
  await person.press('Media duration', 'checkbox')
  await person.key('Escape')
  await person.press('Media duration')
  await expect.poll(names).toEqual(['feature.mov', 'series.mov'])
  await person.see('1:30:00')
  await visit.page.focus('tr[data-index="0"]')
  await person.key('Enter')
  await person.see('Language')
  await person.key('Escape')
  await person.closed()
  await person.press('Download')
  await person.press('Files as CSV', 'menuitem')
  const downloaded = () => readdirSync(visit.downloads).filter((name) => name.endsWith('.csv'))
  await expect.poll(downloaded).toHaveLength(1)
  const [head = '', ...lines] = readFileSync(join(visit.downloads, downloaded()[0] ?? ''), 'utf8')
    .trim()
    .split('\r\n')
  expect(head).toContain('metadata.media.duration')
  expect(lines.map((line) => line.includes('prores'))).toEqual([true, true])
  expect(visit.complaints).toEqual([])
})
