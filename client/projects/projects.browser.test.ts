import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { cardText, hands, look, signInAt, testVisit } from '#client/testing.ts'
import { scan } from '#client/testing/scan.ts'

const visit = await testVisit()
let person: ReturnType<typeof hands>
const address = () => decodeURIComponent(visit.page.url().slice(visit.product.address.length))
const isoDay = (ago: number) => new Date(Date.now() - ago * 86_400_000).toLocaleDateString('en-CA')

function write(name: string, kibibytes: number, daysAgo: number, content = '\0') {
  const file = join(visit.scratch, name)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, content.repeat(kibibytes * 1_024))
  const then = new Date(Date.now() - daysAgo * 86_400_000)
  utimesSync(file, then, then)
}

const card = (title: string) => cardText(visit, title)
/** Presses Tab until the element has the focus. */
async function tabTo(selector: string) {
  for (let stop = 0; stop < 80; stop += 1) {
    if (await visit.page.evaluate((selector) => document.activeElement?.matches(selector), selector)) return
    await person.key('Tab')
  }
  throw new Error(`Tab does not reach ${selector}`)
}

/** Two storages: 100 KiB of raw films, of which 60 are duplicates and 30 are old, 20 of masters, and 40 elsewhere. */
beforeAll(async () => {
  person = hands(visit)
  write('films/raw/alpine/new.mov', 10, 0)
  for (const copy of ['a', 'b']) write(`films/raw/alpine/${copy}/same.mov`, 30, 0, 'c')
  write('films/raw/alpine/old.mov', 30, 400)
  write('films/masters/alpine/master.mov', 20, 220)
  write('archive/alpine/all.tar', 40, 0)
  await visit.product.call('POST', '/v1/storage-prices', { description: 'Gold', currencySymbol: '$', price: 1_000_000 })
  // Blocks of small files differ between file systems.
  const sizeBasis = 'apparent'
  const films = { name: 'Films', path: join(visit.scratch, 'films'), storagePrice: { id: 1 }, sizeBasis } as const
  await visit.product.addStorage(films)
  await visit.product.addStorage({ name: 'Archive', path: join(visit.scratch, 'archive'), sizeBasis })
  await scan(visit, 1, 2)
})

test('a project is created by mouse, counts its scanned folders, and leads to their files', async () => {
  await signInAt(visit, '/projects/new')
  await person.write('Name', 'Alpine')
  await person.write('Description', 'The winter season')
  await person.write('Allocated Size', '200')
  await person.choose('Unit', 'KiB')
  await person.writeAt('main input[role="combobox"]', 'alpine')
  await person.pressAt('main [role=option] ::-p-text(/raw)')
  await person.pressAt('::-p-xpath(//*[@role="option"][starts-with(normalize-space(.), "/alpine")])')
  expect(await look(visit, 'project-form')).toEqual([])
  await person.press('Create project')
  await expect.poll(address).toBe('/project/1')
  await expect.poll(() => card('Details')).toMatch(/The winter season.*70\.0 %.*Size140 KiB.*Number of files5/)
  expect(await card('Size by storage')).toMatch(/70\.0 %.*Films100 KiB.*Archive40\.0 KiB.*Space Left60\.0 KiB/)
  expect(await card('Project cost')).toMatch(/\$7\.95 per month.*Films.*Archive/)
  await expect
    .poll(() => card('Insights'))
    .toMatch(
      /60\.0 KiB in 2 files with duplicates, 42\.8 %[^;]*; 30\.0 KiB reclaimable\. Keeping one copy of each could save at least \$2\.38 per month/,
    )
  expect(await card('Insights')).toMatch(/30\.0 KiB in 1 file not accessed for 6 months.*\$2\.38 per month/)
  const captions = () => visit.page.$$eval('figcaption', (found) => found.map(({ textContent }) => textContent))
  await expect.poll(captions).toContain(`Size: 140 KiB on ${isoDay(0)}.`)
  expect(await look(visit, 'project')).toEqual([])
  await person.press('Excel report')
  await person.press('Overview', 'menuitem')
  await expect.poll(() => readdirSync(visit.downloads)).toEqual([`Alpine-${isoDay(0)}.xlsx`])
  await person.press('Timeline', 'tab')
  await expect.poll(() => card('Folder changes')).toMatch(/1 change.*\+ .*alpine.*\+ .*alpine/)
  await expect.poll(() => visit.page.$('.recharts-reference-line')).not.toBeNull()
  await person.press('Project Details', 'tab')
  await person.press('30.0 KiB in 1 file', 'link')
  await expect.poll(address).toContain('lastAccessBefore=')
  await person.see(/\b1 file/)
})

test('a project is opened from the list and edited by keyboard', async () => {
  await visit.page.goto(`${visit.product.address}/projects`)
  await expect.poll(() => visit.page.$$('tbody tr')).toHaveLength(1)
  expect(await look(visit, 'projects')).toEqual([])
  await tabTo('tbody tr')
  await person.key('Enter')
  await expect.poll(address).toBe('/project/1')
  await visit.page.waitForSelector('a[href="/project/edit/1"]')
  await tabTo('a[href="/project/edit/1"]')
  await person.key('Enter')
  await expect.poll(address).toBe('/project/edit/1')
  await visit.page.waitForSelector('button[aria-label="Remove /alpine of Archive"]')
  await tabTo('main input[inputmode="decimal"]')
  await visit.page.keyboard.down('Control')
  await person.key('a')
  await visit.page.keyboard.up('Control')
  await person.type('56')
  await tabTo('button[aria-label="Remove /alpine of Archive"]')
  await person.key('Enter')
  await tabTo('main button[type="submit"]')
  await person.key('Enter')
  await expect.poll(address).toBe('/project/1')
  await expect.poll(() => card('Details')).toMatch(/178\.5 %.*Size100 KiB/)
})

test('the browser reported no errors', () => expect(visit.complaints).toEqual([]))
