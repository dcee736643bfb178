import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTransfers } from '#agent/systems/transfers/simulator/index.ts'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'
import { actionJourney } from '#client/testing/actionJourney.ts'
import { scan } from '#client/testing/scan.ts'

const visit = await testVisit()
let person: ReturnType<typeof hands>
let journey: ReturnType<typeof actionJourney>
let transfers: Awaited<ReturnType<typeof startTransfers>>
let films = ''
afterAll(() => transfers.close())

beforeAll(async () => {
  person = hands(visit)
  journey = actionJourney(visit)
  films = join(visit.scratch, 'films')
  mkdirSync(join(films, 'raw'), { recursive: true })
  for (const name of ['a.mov', 'raw/b.mov']) writeFileSync(join(films, name), `content of ${name}`)
  const other = join(visit.scratch, 'other')
  mkdirSync(other)
  writeFileSync(join(other, 'c.mov'), 'elsewhere')
  // Its jobs take a fraction of a second.
  transfers = await startTransfers({ clock: { speed: 100 } })
  transfers.addStorage('st-1', { name: 'Films', folder: films })
  const cloud = join(visit.scratch, 'cloud')
  mkdirSync(join(cloud, 'in/2026'), { recursive: true })
  transfers.addStorage('st-2', { name: 'Cloud', type: 'Amazon S3', folder: cloud })
  const { product } = visit
  await product.addStorage({ name: 'Films', path: films })
  await product.addStorage({ name: 'Other', path: other })
  await product.addStorage({ name: 'Cloud', path: cloud })
  await product.call('PUT', '/configurations', [
    { name: 'sodaUrl', value: transfers.url },
    { name: 'sodaClientId', value: transfers.clientId },
    { name: 'sodaClientSecret', value: transfers.clientSecret },
  ])
  const map = (volumeId: number, dataintellPath: string, sodaStorageId: string) =>
    product.call('POST', '/v1/soda/volumeMappings', { volumeId, dataintellPath, sodaStorageId, sodaPath: '/' })
  await map(1, films, 'st-1')
  await map(3, cloud, 'st-2')
  await scan(visit, 1, 2, 3)
})

test('files are moved to a folder by mouse, and the next scans find them there and nowhere else', async () => {
  await signInAt(visit, '/search')
  await journey.search('mov', ['a.mov', 'b.mov', 'c.mov'])
  await journey.selectPage()
  await person.press('Transfer')
  await person.see('1 item (9 B) is ignored.')
  expect(await look(visit, 'transfer-action')).toEqual([])
  await person.pressAt('[role="dialog"] button ::-p-text(then deletes them from their storage)')
  await person.pressAt('[role="dialog"] input[placeholder="Choose a storage"]')
  await person.press('Cloud', 'option')
  await person.press('Select target folder')
  await person.press('in')
  expect(await look(visit, 'transfer-folder')).toEqual([])
  await person.press('Choose /in/2026')
  expect(await look(visit, 'transfer-target')).toEqual([])
  await person.press('Next')
  await person.see(/Files\s*2/)
  await person.see('The agent deletes each file from its storage after it has verified the copy.')
  expect(await look(visit, 'transfer-review')).toEqual([])
  await journey.pressLast('Start')
  await person.see('A job for the data transfer is now running.')
  await person.closed()
  await journey.succeeds('SODA_TRANSFER', 2)
  expect(transfers.paths('st-2')).toEqual(['/in/2026/a.mov', '/in/2026/raw/b.mov'])
  expect(['a.mov', 'raw/b.mov'].map((name) => existsSync(join(films, name)))).toEqual([false, false])
  await scan(visit, 1, 3)
  await journey.finds('SODA_TRANSFER', {
    target: { arrived: 2, changed: 0, missing: 0 },
    storages: [{ volumeId: 1, there: 0, changed: 0, gone: 2 }],
  })
})

test('a file is copied back by keyboard', async () => {
  await person.key('Escape')
  await visit.page.goto(`${visit.product.address}/search`)
  await journey.search('a.mov', ['a.mov'])
  await journey.focusFirst()
  await person.key('Space')
  await person.see('1 file selected')
  await person.enter('Transfer')
  await journey.isInDialog()
  await person.see('Copies the files and keeps them on their storage')
  await person.key('Enter')
  await visit.page.waitForSelector('[role="dialog"] input[placeholder="Choose a storage"]')
  await visit.page.focus('[role="dialog"] input[placeholder="Choose a storage"]')
  await person.type('Films')
  await visit.page.waitForSelector('aria/Films[role="option"]')
  await person.key('ArrowDown')
  await person.key('Enter')
  await person.enter('Next')
  await person.see(/Files\s*1/)
  await journey.enterLast('Start')
  await person.see('A job for the data transfer is now running.')
  await journey.succeeds('SODA_TRANSFER', 1)
  expect(readFileSync(join(films, 'in/2026/a.mov'), 'utf8')).toBe('content of a.mov')
  expect(transfers.paths('st-2')).toHaveLength(2)
})

test('logs no browser errors', () => expect(visit.complaints).toEqual([]))
