import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EntryPage } from '#events/entries.ts'
import { startArchiware } from '#agent/systems/archiware/simulator/index.ts'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'
import { actionJourney } from '#client/testing/actionJourney.ts'
import { scan } from '#client/testing/scan.ts'
import { counting, inputs } from '#client/tasks/steps.ts'

const visit = await testVisit()
const lastButton = '::-p-xpath(//*[@role="dialog"]//button[normalize-space()="Archive"])'
let person: ReturnType<typeof hands>
let journey: ReturnType<typeof actionJourney>
let p5: Awaited<ReturnType<typeof startArchiware>>
let films = ''
afterAll(() => p5.close())

beforeAll(async () => {
  person = hands(visit)
  journey = actionJourney(visit)
  // Its jobs take seconds, and its entries appear in the index right after them.
  p5 = await startArchiware({ clock: { speed: 20 } })
  films = join(visit.scratch, 'films')
  mkdirSync(join(films, 'reel'), { recursive: true })
  for (const name of ['a.mov', 'b.mov', 'reel/c.mov', "reel/it's ^odd"])
    writeFileSync(join(films, name), `content of ${name}`)
  p5.addPlan('20001', { name: 'To tape' })
  p5.addClient('studio', { folders: { [films]: films } })
  p5.indexes.get('Default-Archive')?.add('old/tape.mov', { size: 5 })
  const { product } = visit
  const create = async (path: string, body: object) =>
    ((await product.call('POST', path, body)).answer as { id: number }).id
  await product.addStorage({ name: 'Films', path: films })
  const credential = { name: 'P5', url: p5.url, username: p5.user, password: p5.password }
  const archiwareP5Credential = { id: await create('/v1/archiwares/credentials', credential) }
  const storagePrice = {
    id: await create('/v1/storage-prices', { description: 'Tape', currencySymbol: '$', price: 1 }),
  }
  const index = {
    indexId: 'Default-Archive',
    path: '/',
    name: 'Tapes',
    archiwareP5Credential,
    storagePrice,
    serverId: 1,
  }
  await create('/v1/archiwares', index)
  await scan(visit, 1, 2)
})

const archived = () =>
  [...(p5.indexes.get('Default-Archive')?.entries() ?? [])]
    .flatMap(({ children, generations }) => (children ? [] : (generations[0]?.physicalPath ?? [])))
    .filter((path) => path.startsWith(films))
    .sort()
test('selected files are archived by mouse, and the next scan of the index knows them', async () => {
  await signInAt(visit, '/search')
  await journey.search('mov', ['a.mov', 'b.mov', 'c.mov', 'tape.mov'])
  await journey.selectPage()
  await person.press('Archive')
  await person.see('1 item (5 B) is ignored.')
  expect(await look(visit, 'archive-plan')).toEqual([])
  await person.choose('Plan', 'To tape')
  await person.press('Scan the archive index afterwards', 'checkbox')
  await person.press('Next')
  await person.choose('Client', 'studio')
  expect(await look(visit, 'archive-client')).toEqual([])
  await person.press('Next')
  await person.see(/Files\s*3/)
  expect(await look(visit, 'archive-review')).toEqual([])
  await journey.pressLast('Archive')
  await person.see('A job for archiving the selection is now running.')
  await person.closed()
  await journey.succeeds('ARCHIVE_ARCHIWARE_FILES', 3)
  expect(archived()).toEqual(['a.mov', 'b.mov', 'reel/c.mov'].map((name) => join(films, name)))
  await journey.finds('ARCHIVE_ARCHIWARE_FILES', { target: { arrived: 3, changed: 0, missing: 0 } })
  const { answer } = await visit.product.call('GET', '/files/search?search=a.mov&volumeId=1')
  expect((answer as EntryPage).elements).toMatchObject([
    { name: 'a.mov', archive: { state: 'archived', index: 'Tapes' } },
  ])
})

test.each(inputs)('a selection is archived as the last one in five steps, by %s', async (input) => {
  await visit.page.goto(visit.product.address)
  await visit.page.waitForSelector('main h1')
  const { press, pressAt, key, steps } = counting(visit, input)
  await press('Search', 'link')
  // Away from the navigation, which is expanded below the pointer.
  await visit.page.mouse.move(900, 600)
  if (input === 'mouse') await press('Select b.mov', 'checkbox')
  else {
    await (await visit.page.waitForSelector('tr[data-index]'))?.focus()
    await key('x')
  }
  await press('Archive')
  await person.see('To tape')
  await press('Review')
  await person.see(/Files\s*1/)
  if (input === 'mouse') await pressAt(lastButton)
  else {
    await visit.page.focus(lastButton)
    await key('Enter')
  }
  await person.see('A job for archiving the selection is now running.')
  await person.closed()
  expect(steps()).toBe(5)
  await journey.succeeds('ARCHIVE_ARCHIWARE_FILES', 1)
})

test('a file that was lost is restored from the index by keyboard', async () => {
  rmSync(join(films, 'a.mov'))
  await journey.search('a.mov', ['a.mov', 'a.mov'])
  await journey.selectPage()
  await person.enter('Restore')
  await person.see(/1 item .* is ignored/)
  await journey.isInDialog()
  await person.choose('Client', 'studio')
  await person.enter('Next')
  await person.see('original')
  await person.see(/Files\s*1/)
  expect(await look(visit, 'restore-review')).toEqual([])
  await journey.enterLast('Restore')
  await person.see('A job for')
  await journey.succeeds('RESTORE_ARCHIWARE_FILES', 1)
  expect(readFileSync(join(films, 'a.mov'), 'utf8')).toBe('content of a.mov')
  await scan(visit, 1)
  await visit.page.goto(
    `${visit.product.address}/settings/jobs?id=${(await journey.newest('RESTORE_ARCHIWARE_FILES'))?.id}`,
  )
  await person.see('At the target')
  await person.see('1 file arrived')
  expect(await look(visit, 'restored')).toEqual([])
})

test('logs no browser errors', () => expect(visit.complaints).toEqual([]))
