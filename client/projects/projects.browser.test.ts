import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HTTPRequest } from 'puppeteer'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { hands, look as lookAt, signInAt, testVisit } from '#client/testing.ts'

const visit = await testVisit()
let person: ReturnType<typeof hands>
const look = (name: string) => lookAt(visit, name)
const at = (path: string) => visit.page.goto(`${visit.product.address}${path}`)
const address = () => decodeURIComponent(visit.page.url().slice(visit.product.address.length))
const isoDay = (ago: number) => new Date(Date.now() - ago * 86_400_000).toLocaleDateString('en-CA')

function write(name: string, kibibytes: number, daysAgo: number, content = '\0') {
  const file = join(visit.scratch, name)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, content.repeat(kibibytes * 1_024))
  const then = new Date(Date.now() - daysAgo * 86_400_000)
  utimesSync(file, then, then)
}

/** The text of a card, under its title. */
const card = (title: string) =>
  visit.page.evaluate(
    (title) =>
      [...document.querySelectorAll('main section')]
        .findLast((card) => card.querySelector('h2')?.textContent === title)
        ?.textContent?.replaceAll('\u00a0', ' '),
    title,
  )
const rows = () =>
  visit.page.$$eval('tbody tr', (rows) => rows.map(({ innerText }) => innerText.replaceAll(/\s+/g, ' ').trim()))
const tracked = () =>
  visit.page.$$eval('ul[aria-label="Tracked folders"] li', (items) =>
    items.map((item) => item.textContent?.replaceAll('\u00a0', ' ')),
  )

/** Two storages: 100 KiB of raw films, of which 60 are twice and 30 are old, 20 of masters, and 40 elsewhere. */
beforeAll(async () => {
  person = hands(visit)
  write('films/raw/alpine/new.mov', 10, 0)
  for (const copy of ['a', 'b']) write(`films/raw/alpine/${copy}/same.mov`, 30, 0, 'c')
  write('films/raw/alpine/old.mov', 30, 400)
  write('films/masters/alpine/master.mov', 20, 220)
  write('archive/alpine/all.tar', 40, 0)
  await visit.product.call('POST', '/v1/storage-prices', { description: 'Gold', currencySymbol: '$', price: 1_000_000 })
  const films = { name: 'Films', path: join(visit.scratch, 'films'), storagePrice: { id: 1 } }
  await visit.product.addStorage(films)
  await visit.product.addStorage({ name: 'Archive', path: join(visit.scratch, 'archive') })
  await visit.product.call('POST', '/v1/scans/volumes/ids', [1, 2])
})
const scanned = async () => ((await visit.product.call('GET', '/v1/volumes')).answer as { total: number }).total

test('without projects the list says so, and leads to the first one', async () => {
  await expect.poll(scanned, { timeout: 60_000 }).toBe(2)
  await signInAt(visit, '/projects')
  await person.see('There is no project with this name or description.')
  expect(await look('projects-none')).toEqual([])
  await person.press('New project', 'link')
  await expect.poll(address).toBe('/projects/new')
})

test('a form says at its fields what is missing', async () => {
  await person.press('Create project')
  await person.see('Name must not be blank')
  await person.see('Allocated Size must not be null')
  await person.write('Allocated Size', 'much')
  await person.press('Create project')
  await person.see('Allocated Size must be a number')
  expect(await look('project-form-errors')).toEqual([])
})

test('folders are found by a part of their name, or written by hand, and are never there twice', async () => {
  await person.write('Find folders', 'alpine')
  const found = () =>
    visit.page.$$eval('main button[aria-pressed]', (found) =>
      found.map(({ title, textContent }) => title || textContent),
    )
  await expect
    .poll(async () => (await found()).toSorted())
    .toEqual([
      expect.stringMatching(/^\/alpine/),
      expect.stringMatching(/^\/masters\/alpine/),
      expect.stringMatching(/^\/raw\/alpine/),
    ])
  const suggestion = (path: string) => person.pressAt(`main button[aria-pressed] ::-p-text(${path})`)
  await suggestion('/raw')
  await suggestion('/masters')
  await expect.poll(tracked).toEqual(['Films/raw/alpine', 'Films/masters/alpine'])
  await suggestion('/masters')
  await expect.poll(tracked).toEqual(['Films/raw/alpine'])
  await person.press('Add a folder manually')
  await person.choose('Storage', 'Films')
  await person.write('Path', 'masters')
  await person.see('Path must begin with /')
  await person.press('Choose the path from folders')
  await person.press('masters')
  await person.press('Choose /masters/alpine')
  await person.press('Add folder')
  await expect.poll(tracked).toEqual(['Films/raw/alpine', 'Films/masters/alpine'])
  await person.write('Path', '/masters/alpine/')
  await person.press('Remove folder')
  await expect.poll(tracked).toEqual(['Films/raw/alpine'])
  await person.choose('Storage', 'Archive')
  await person.write('Path', '/alpine')
  await person.key('Enter')
  await expect.poll(tracked).toEqual(['Films/raw/alpine', 'Archive/alpine'])
  expect(await look('project-form')).toEqual([])
})

test('a project is made, and shows what its folders have', async () => {
  await person.write('Name', 'Alpine')
  await person.write('Description', 'The winter season')
  await person.write('Allocated Size', '200')
  await person.choose('Unit', 'KB')
  await person.press('Create project')
  await person.see('Project created successfully, the full timeline of the project could take minutes to be available.')
  await expect.poll(address).toBe('/project/1')
  await expect.poll(() => card('Details'), { timeout: 30_000 }).toMatch(/The winter season.*70\.0 %.*Size140 KiB/)
  expect(await card('Details')).toMatch(/Allocated space200 KiB.*Number of files5/)
  expect(await card('Size by storage')).toMatch(/70\.0 %.*Films100 KiB.*Archive40\.0 KiB.*Space Left60\.0 KiB/)
  expect(await card('Project Cost')).toMatch(/\$ 7\.95 per month.*Films.*Archive/)
  expect(await card('Insights')).toMatch(
    /60\.0 KiB in 2 files that have duplicates, 42\.8 %[^;]*; at least 30\.0 KiB reclaimable: \$ 2\.38 per month/,
  )
  expect(await card('Insights')).toMatch(/30\.0 KiB in 1 file not accessed for 6 months.*\$ 2\.38 per month/)
  const captions = () => visit.page.$$eval('figcaption', (found) => found.map(({ textContent }) => textContent))
  await expect.poll(captions).toContain(`Size: 140 KiB on ${isoDay(0)}.`)
  expect(await look('project')).toEqual([])
})

test('the chosen cost interval is kept', async () => {
  await person.choose('Cost interval', 'Yearly')
  await expect.poll(() => card('Project Cost')).toContain('$ 95.37 per year')
  await visit.page.reload()
  await expect.poll(() => card('Project Cost')).toContain('$ 95.37 per year')
})

test('its figures lead to the files that they stand for', async () => {
  const lead = async (name: string, role: string, to: string, files: RegExp) => {
    await at('/project/1')
    await person.press(name, role)
    await expect.poll(address).toContain(to)
    await person.see(files)
  }
  await lead('Show files', 'link', '/search?volumeAndPath=1:/raw/alpine&volumeAndPath=2:/alpine', /\b5 files/)
  await lead('Files of Films', 'link', '/search?volumeId=1&startingPath=/raw/alpine', /\b4 files/)
  await lead('60.0 KiB in 2 files', 'link', 'onlyDuplicates=true', /\b2 files/)
  await lead('30.0 KiB in 1 file', 'link', 'lastAccessBefore=', /\b1 file/)
  await lead('Folder analytics of /raw/alpine', 'link', '/folders?', /alpine/)
  await lead('File Management of /alpine', 'link', '/filemanagement?', /alpine/)
})

test('the reports are downloaded', async () => {
  const name = `Alpine-${isoDay(0)}.xlsx`
  await at('/project/1')
  for (const report of ['Overview', 'Folder list']) {
    await person.press('Excel report')
    await person.press(report, 'menuitem')
    await expect.poll(() => readdirSync(visit.downloads)).toEqual([name])
    rmSync(join(visit.downloads, name))
  }
})

test('a project is edited, and its timeline tells of its folders', async () => {
  await at('/project/1')
  await person.press('Edit', 'link')
  await expect.poll(address).toBe('/project/edit/1')
  await expect.poll(tracked).toEqual(['Films/raw/alpine', 'Archive/alpine'])
  await person.write('Allocated Size', '56')
  await person.press('Remove /alpine of Archive')
  await person.press('Save project')
  await person.see('Project updated successfully, the full timeline of the project could take minutes to be updated.')
  await expect.poll(address).toBe('/project/1')
  await expect.poll(() => card('Details'), { timeout: 30_000 }).toMatch(/178\.5 %.*Size100 KiB/)
  expect(await card('Size by storage')).not.toContain('Space Left')
  expect(await look('project-over')).toEqual([])
  await person.press('Timeline', 'tab')
  await expect.poll(address).toBe('/project/1?tab=timeline')
  await expect.poll(() => card('Changes of the folders')).toMatch(/2 changes.*− .*alpine.*\+ .*alpine/)
  await expect.poll(() => visit.page.$('.recharts-reference-line')).not.toBeNull()
  expect(await look('project-timeline')).toEqual([])
})

test('a month is stated, downloaded, and mailed to whom one chooses', async () => {
  const month = new Date().toLocaleDateString('en', { month: 'long', year: 'numeric' })
  await person.press('Statements', 'tab')
  await expect.poll(() => card(month)).toMatch(/\$ \d+\.\d\d.*Films/)
  await person.press(`${month} as CSV`)
  await expect.poll(() => readdirSync(visit.downloads)).toEqual([expect.stringMatching(/\.csv$/)])
  await person.write('E-mail addresses', 'nobody')
  await person.press('Save recipients')
  await person.see('Each address must be a well-formed email address')
  await person.write('E-mail addresses', 'ana@example.com')
  await person.press('Save recipients')
  await person.see('The recipients of the statements were updated')
  expect(await look('project-statements')).toEqual([])
})

test('a folder that is gone says so', async () => {
  rmSync(join(visit.scratch, 'films/raw/alpine'), { recursive: true })
  await visit.product.call('POST', '/v1/scans/volumes/ids', [1])
  await at('/project/1')
  await expect.poll(() => card('Films'), { timeout: 60_000 }).toContain('Gone')
  expect(await card('Details')).toMatch(/0\.0 %.*Size0 B/)
  expect(await look('project-gone')).toEqual([])
})

test('a list is searched and sorted, and a row opens its project', async () => {
  for (const [name, size] of [
    ['Boreal', 10_240],
    ['Cobalt', 30_720],
  ] as const)
    await visit.product.call('POST', '/projects', {
      name,
      description: `Films of ${name}`,
      allocatedSize: size,
      paths: [{ volumeId: 1, path: '/masters' }],
    })
  await at('/projects')
  await expect
    .poll(rows)
    .toEqual([
      expect.stringMatching(/^Alpine .* 0\.0 %/),
      expect.stringMatching(/^Boreal Films of Boreal 20\.0 KiB 10\.0 KiB 200\.0 %/),
      expect.stringMatching(/^Cobalt Films of Cobalt 20\.0 KiB 30\.0 KiB 66\.6 %/),
    ])
  expect(await look('projects')).toEqual([])
  await person.press('Allocated')
  await expect.poll(async () => (await rows()).map((row) => row.split(' ')[0])).toEqual(['Boreal', 'Cobalt', 'Alpine'])
  await person.write('Search projects', 'of cob')
  await expect.poll(rows).toHaveLength(1)
  expect(address()).toContain('filter=of+cob')
  await person.write('Search projects', 'nowhere')
  await person.see('There is no project with this name or description.')
  await person.press('Clear the search', 'button')
  await expect.poll(rows).toHaveLength(3)
  await person.pressAt('tbody tr ::-p-text(Cobalt)')
  await expect.poll(address).toBe('/project/3')
})

/** Answers in place of the server what is asked at some addresses, until the test ends. */
async function answerAt(asked: RegExp, answer: Parameters<HTTPRequest['respond']>[0]) {
  const { page } = visit
  const respond = (request: HTTPRequest) =>
    asked.test(request.url()) ? request.respond({ contentType: 'application/json', ...answer }) : request.continue()
  await page.setRequestInterception(true)
  page.on('request', respond)
  onTestFinished(async () => {
    page.off('request', respond)
    await page.setRequestInterception(false)
    visit.complaints.splice(0)
  })
}

test('who may not edit projects sees them, and nothing to change them by', async () => {
  const user = { id: '9', name: 'ana', email: '', roles: [{ authority: 'ROLE_SODA_TRANSFER' }] }
  await answerAt(/currentUserInfo$/, { status: 200, body: JSON.stringify(user) })
  await at('/projects')
  await expect.poll(rows).toHaveLength(3)
  await person.seeNo('New project')
  await at('/project/3')
  await person.see('Excel report')
  const buttons = () => visit.page.$$eval('main :is(a, button)', (all) => all.map(({ innerText }) => innerText).join())
  expect(await buttons()).not.toMatch(/Edit|Delete|Save/)
  await at('/project/3?tab=statements')
  await expect.poll(() => card('Statements')).toContain('CSV')
  expect(await buttons()).not.toMatch(/Edit|Delete|Save/)
  await person.seeNo('E-mail addresses')
  await at('/project/edit/3')
  await person.see('To create and edit projects needs the role ROLE_PROJECT_MANAGER or ROLE_ADMIN.')
  expect(await look('project-not-permitted')).toEqual([])
})

test('a project that cannot be read leads back to the list', async () => {
  await at('/project/999')
  await person.see('Error while fetching the project')
  await expect.poll(address).toBe('/projects')
})

test('what fails says so where it stands, with a way to try again', async () => {
  await answerAt(/projects\/3\/history/, { status: 500, body: '{"message":"The store is away"}' })
  await at('/project/3')
  await expect.poll(() => card('Size history')).toMatch(/The store is away.*Retry/)
  expect(await look('project-failing')).toEqual([])
})

test('a project is deleted after a question', async () => {
  await at('/project/3')
  await person.press('Delete')
  await person.see('Are you sure you want to delete the project Cobalt?')
  await person.press('Delete project')
  await person.see('Project deleted successfully')
  await expect.poll(address).toBe('/projects')
  await expect.poll(rows).toHaveLength(2)
})

test('nothing of it made the browser complain', () => expect(visit.complaints).toEqual([]))
