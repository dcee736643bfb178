import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startArchiware } from '#agent/systems/archiware/simulator/index.ts'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'
import { scan } from '#client/testing/scan.ts'

const visit = await testVisit()
let p5: Awaited<ReturnType<typeof startArchiware>>
afterAll(() => p5.close())

const mtime = 1_700_000_000
const archivedOn = 1_750_000_000

/** Three films on disk: one as in the index, one changed since, and one that is not there. */
beforeAll(async () => {
  p5 = await startArchiware()
  const index = p5.addIndex('Media')
  index.add('Volumes/Films/kept.mov', { size: 1_024, mtime, btime: archivedOn })
  index.add('Volumes/Films/cut.mov', { size: 512, mtime, btime: archivedOn })
  const films = join(visit.scratch, 'films')
  mkdirSync(films)
  for (const name of ['kept.mov', 'cut.mov', 'new.mov']) {
    writeFileSync(join(films, name), '\0'.repeat(1_024))
    utimesSync(join(films, name), mtime, mtime)
  }
  const { product } = visit
  const book = await product.call('POST', '/v1/storage-prices', { description: 'Tape', currencySymbol: '$', price: 1 })
  const storagePrice = { id: (book.answer as { id: number }).id }
  await product.call('POST', '/volumeSettings', { name: 'Films', path: films, storagePrice })
  const connection = { url: p5.url, username: p5.user, password: p5.password }
  await product.call('POST', '/v1/archiwares/credentials', { name: 'Tapes', ...connection })
  await product.call('POST', '/v1/archiwares', {
    indexId: 'Media',
    path: '/',
    name: 'Media',
    archiwareP5Credential: { id: 1 },
    storagePrice,
    serverId: 1,
  })
  const mapping = { volumeId: 1, dataintellPath: films, archiwarePath: '/Volumes/Films' }
  await product.call('POST', '/v1/archiwares/volumeMapping', mapping)
  await scan(visit, 1)
  await product.call('POST', '/v1/scans/archiwares/ids', [1])
  const scanned = async () => ((await product.call('GET', '/v1/volumes')).answer as { total: number }).total
  await vi.waitUntil(async () => (await scanned()) === 2, { timeout: 60_000, interval: 200 })
})

test('the storage, the search and the details say which files are archived, and since when', async () => {
  const { press, see } = hands(visit)
  await signInAt(visit, '/volumes/1')
  await see(/1\.00\sKiB of 3\.00\sKiB archived, 1\.00\sKiB changed since, 1\.00\sKiB not archived/)
  expect(await look(visit, 'archived-storage')).toEqual([])
  await visit.page.goto(`${visit.product.address}/search?archived=archived`)
  await see('Archive state: Archived')
  await visit.page.waitForSelector('tr[data-index]')
  const names = await visit.page.$$eval('tr[data-index] bdi', (cells) => cells.map(({ textContent }) => textContent))
  expect(names).toContain('kept.mov')
  expect(names).not.toContain('cut.mov')
  await press('More')
  await visit.page.waitForSelector('input:focus')
  expect(await look(visit, 'archived-search')).toEqual([])
  await visit.page.focus('tr[data-index]')
  await visit.page.keyboard.press('Enter')
  await see(/Archived since 2025-06-15 in Media/)
  await see('Contents are not compared.')
  expect(await look(visit, 'archived-details')).toEqual([])
})
