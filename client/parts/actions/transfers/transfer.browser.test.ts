import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JobDetails } from '#events/jobs/calls.ts'
import { startTransfers } from '#agent/actions/transfers/simulator/index.ts'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'
import { scan } from '#client/testing/scan.ts'

const visit = await testVisit()
let person: ReturnType<typeof hands>
let transfers: Awaited<ReturnType<typeof startTransfers>>
let films = ''
afterAll(() => transfers.close())

beforeAll(async () => {
  person = hands(visit)
  films = join(visit.scratch, 'films')
  mkdirSync(join(films, 'raw'), { recursive: true })
  for (const name of ['a.mov', 'raw/b.mov']) writeFileSync(join(films, name), `content of ${name}`)
  const other = join(visit.scratch, 'other')
  mkdirSync(other)
  writeFileSync(join(other, 'c.mov'), 'elsewhere')
  // Its jobs take a fraction of a second.
  transfers = await startTransfers({ clock: { speed: 100 } })
  transfers.addStorage('st-1', { name: 'Films', folder: films })
  transfers.addStorage('st-2', { name: 'Cloud', type: 'Amazon S3' }).tree.addDirectory('/in/2026')
  const { product } = visit
  await product.addStorage({ name: 'Films', path: films })
  await product.addStorage({ name: 'Other', path: other })
  await product.call('PUT', '/configurations', [
    { name: 'sodaUrl', value: transfers.url },
    { name: 'sodaClientId', value: transfers.clientId },
    { name: 'sodaClientSecret', value: transfers.clientSecret },
  ])
  await product.call('POST', '/v1/soda/volumeMappings', {
    volumeId: 1,
    dataintellPath: films,
    sodaStorageId: 'st-1',
    sodaPath: '/',
  })
  await scan(visit, 1, 2)
})

const names = () =>
  visit.page.$$eval('tr[data-index] td:nth-child(2)', (cells) => cells.map((cell) => (cell.textContent ?? '').trim()))
const transferJob = async () => {
  const { answer } = await visit.product.call('GET', '/v1/jobs?size=100')
  return (answer as { elements: JobDetails[] }).elements.find(({ type }) => type === 'SODA_TRANSFER')
}
const start = () => person.pressAt('[role="dialog"] button ::-p-xpath(//button[normalize-space(.)="Start"])')

test('files are moved to a folder by mouse, and those of storages without a mapping are ignored', async () => {
  await signInAt(visit, '/search')
  await person.writeAt('input[data-search]', 'mov')
  await person.key('Enter')
  await expect.poll(names).toHaveLength(3)
  await person.pressAt('[aria-label^="Select: "]')
  await person.press('Select current page', 'menuitem')
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
  await start()
  await person.see('A job for the data transfer is now running.')
  await person.closed()
  await expect.poll(async () => (await transferJob())?.status, { timeout: 30_000 }).toBe('SUCCESS')
  expect((await transferJob())?.result).toMatchObject({ toDo: 2, done: 2, failed: 0 })
  expect(transfers.paths('st-2')).toEqual(['/in/2026/a.mov', '/in/2026/raw/b.mov'])
  expect(['a.mov', 'raw/b.mov'].map((name) => existsSync(join(films, name)))).toEqual([false, false])
})

test('nothing of it made the browser complain', () => expect(visit.complaints).toEqual([]))
