import { expect, test } from 'vitest'
import { ask, now, simulator, withMedia } from './testing.ts'

test('the handle of a path is found by headers, with the slash that the path needs', async () => {
  const { p5, index } = await withMedia()
  index.add('mnt/with', { leadingSlash: 'required' })
  index.add('mnt/without', { leadingSlash: 'refused' })
  const find = (path: string, headers = {}) =>
    ask(p5, 'GET archive/entries', { headers: { client: 'localhost', path, ...headers } })
  const statuses = await Promise.all(['/mnt/with', 'mnt/with', '/mnt/without', 'mnt/without'].map((path) => find(path)))
  expect(statuses.map(({ status }) => status)).toEqual([200, 500, 500, 200])
  expect((await find('/mnt/gone')).body).toBe('Cannot resolve handle for "/mnt/gone": unknown entry')
  expect((await find('/mnt/with', { client: 'nobody' })).status).toBe(500)
  expect((await ask(p5, 'GET archive/entries?client=localhost&path=/mnt/with')).status).toBe(500)
  const { ID } = (await find('/mnt/with')).body
  expect(ID).toMatch(/^Default-Archive#/)
  p5.behavior.entryAnswer = 'list'
  expect((await find('/mnt/with')).body.entries[0].ID).toBe(ID)
  index.change('mnt/with', { size: 9, btime: now + 5 })
  const details = (await ask(p5, `GET archive/entries/${encodeURIComponent(ID)}`)).body
  expect(details).toMatchObject({ status: 'indexed', btime: [now, now + 5], size: [0, 9] })
})

test('paths in headers are plain or percent-encoded, as the switch says', async () => {
  const { p5, index } = await withMedia()
  index.add('mnt/Réel 1')
  const raw = Buffer.from('/mnt/Réel 1').toString('latin1')
  const statusOf = async (path: string) =>
    (await ask(p5, 'GET archive/entries', { headers: { client: 'localhost', path } })).status
  expect([await statusOf(raw), await statusOf('/mnt/R%C3%A9el%201')]).toEqual([200, 500])
  p5.behavior.headerEncoding = 'percent'
  expect(await statusOf('/mnt/R%C3%A9el%201')).toBe(200)
})

test('an entry of an imported index has a path without the volume label', async () => {
  const p5 = await simulator()
  p5.addIndex('Imported', { isImported: true }).add('Import.0001/Volumes/Disk/a.mov')
  const statusOf = async (path: string, database = {}) =>
    (await ask(p5, 'GET archive/entries', { headers: { client: 'localhost', path, ...database } })).status
  expect(await statusOf('/Volumes/Disk/a.mov', { database: 'Imported' })).toBe(200)
  expect(await statusOf('/Volumes/Disk/a.mov')).toBe(500)
  expect(await statusOf('Volumes/Disk/a.mov', { database: 'Imported' })).toBe(500)
  expect(await statusOf('/Import.0001/Volumes/Disk/a.mov', { database: 'Imported' })).toBe(500)
})
