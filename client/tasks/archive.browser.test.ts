import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startArchiware } from '#agent/systems/archiware/simulator/index.ts'
import { testVisit } from '#client/testing.ts'
import { scan } from '#client/testing/scan.ts'
import { counting, dashboardOf, inputs } from './steps.ts'

const visit = await testVisit()
const start = dashboardOf(visit)
let p5: Awaited<ReturnType<typeof startArchiware>>
afterAll(() => p5.close())

beforeAll(async () => {
  p5 = await startArchiware({ clock: { speed: 20 } })
  const path = join(visit.scratch, 'films')
  mkdirSync(path)
  for (const name of ['mouse.mov', 'keyboard.mov']) writeFileSync(join(path, name), `content of ${name}`)
  p5.addPlan('20001', { name: 'To tape' })
  p5.addClient('studio', { folders: { [path]: path } })
  await scan(visit, await visit.product.addStorage({ name: 'Films', path }))
})

/** Moves the pointer away from the navigation, which is expanded below it. */
const leaveRail = () => visit.page.mouse.move(900, 600)

test('without a connected system, the toolbar leads to the setting that connects it', async () => {
  await start()
  const { press } = counting(visit, 'mouse')
  await press('Search', 'link')
  await leaveRail()
  await press('Select mouse.mov', 'checkbox')
  await press('Archive or move…')
  await press('Connect Archiware P5', 'link')
  await expect.poll(() => new URL(visit.page.url()).hash).toBe('#archiware-p5')
  const create = async (path: string, body: object) =>
    ((await visit.product.call('POST', path, body)).answer as { id: number }).id
  const credential = { name: 'P5', url: p5.url, username: p5.user, password: p5.password }
  const archiwareP5Credential = { id: await create('/v1/archiwares/credentials', credential) }
  const book = { description: 'Tape', currencySymbol: '$', price: 1 }
  const storagePrice = { id: await create('/v1/storage-prices', book) }
  const index = { indexId: 'Default-Archive', path: '/', name: 'Tapes', serverId: 1 }
  await create('/v1/archiwares', { ...index, archiwareP5Credential, storagePrice })
})

test.each(inputs)('a selection is archived, by %s', async (input) => {
  await start()
  const { press, pressAt, key, see, closed, steps } = counting(visit, input)
  await press('Search', 'link')
  await visit.page.waitForSelector('tr[data-index="1"]')
  await leaveRail()
  // The key selects the first row.
  await (input === 'mouse' ? press('Select mouse.mov', 'checkbox') : key('x'))
  await press('Archive')
  await press('Review')
  await see(/Files\s*1/)
  const last = '[role="dialog"] button ::-p-xpath(//button[normalize-space(.)="Archive"])'
  await (input === 'mouse' ? pressAt(last) : key('Enter'))
  await see('A job for archiving the selection is now running.')
  await closed()
  // 8 before.
  expect(steps()).toBe(5)
})

test('the browser reported no errors', () => expect(visit.complaints).toEqual([]))
