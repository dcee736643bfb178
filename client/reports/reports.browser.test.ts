import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { answerAt } from '#client/testing/answerAt.ts'
import { seeStringFormat } from '#client/testing/stringFormat.ts'
import { hands, look as lookAt, signInAt, testVisit } from '#client/testing.ts'

const visit = await testVisit()
let person: ReturnType<typeof hands>
const look = (name: string) => lookAt(visit, name)
const at = (path: string) => visit.page.goto(`${visit.product.address}${path}`)
const address = () => decodeURIComponent(visit.page.url().slice(visit.product.address.length))

function write(name: string, kibibytes: number, content = '\0') {
  const file = join(visit.scratch, name)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, content.repeat(kibibytes * 1_024))
  const then = new Date(Date.now() - 400 * 86_400_000)
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
const step = () => visit.page.$eval('[role="dialog"] [aria-current="step"]', ({ textContent }) => textContent)
const next = async (title: RegExp) => {
  await person.press('Next')
  await expect.poll(step).toMatch(title)
}
const source = (name: string) => person.pressAt(`[role="dialog"] ul[aria-label="Storages"] button ::-p-text(${name})`)

/** Two storages: of the films 30 KiB are in the archive too. */
beforeAll(async () => {
  person = hands(visit)
  write('films/raw/same.mov', 30, 'c')
  write('films/raw/new.mov', 10, 'n')
  write('archive/alpine/same.mov', 30, 'c')
  write('archive/alpine/other.mov', 20, 'o')
  await visit.product.addStorage({ name: 'Films', path: join(visit.scratch, 'films') })
  await visit.product.addStorage({ name: 'Archive', path: join(visit.scratch, 'archive') })
  await visit.product.call('POST', '/v1/scans/volumes/ids', [1, 2])
})
const scanned = async () => ((await visit.product.call('GET', '/v1/volumes')).answer as { total: number }).total

test('without reports the list says what one is, and offers some that are ready', async () => {
  await expect.poll(scanned, { timeout: 60_000 }).toBe(2)
  await signInAt(visit, '/reports')
  await person.see('There is no report template yet.')
  await person.see('Names that Windows refuse')
  expect(await look('reports-none')).toEqual([])
})

test('the wizard goes on once name, type and retention are there', async () => {
  await person.press('New report')
  await expect.poll(step).toMatch(/Configure Report Template/)
  expect(await person.isDisabled('Next')).toBe(true)
  await person.write('Name', 'Copies')
  await person.choose('Type', 'Duplicated')
  await person.write('Retention (days)', '')
  expect(await person.isDisabled('Next')).toBe(true)
  await person.write('Retention (days)', '30')
  expect(await look('report-wizard-configure')).toEqual([])
})

test('data is a storage or a folder of one, chosen or typed', async () => {
  await next(/Select Reference Data/)
  expect(await person.isDisabled('Next')).toBe(true)
  await source('Films')
  await next(/Select Comparison Data/)
  await person.press('Choose a folder of Archive')
  await person.write('Path', 'alpine')
  await person.see('Path must begin with /')
  await person.write('Path', '/alpine')
  await person.key('Enter')
  await person.see('/alpine')
  expect(await look('report-wizard-sources')).toEqual([])
})

test('queries, tags, a schedule and a check are optional', async () => {
  await next(/Add Search Queries/)
  await person.press('Add search queries', 'checkbox')
  expect(await person.isDisabled('Next')).toBe(true)
  expect(await look('report-wizard-query')).toEqual([])
  await person.press('Add search queries', 'checkbox')
  await next(/Add Optional Tags/)
  await person.pressAt('[role="dialog"] input[placeholder="Name a tag"]')
  await person.type('twice')
  await person.key('Enter')
  await next(/Schedule and Check/)
  await person.choose('Runs', 'Monthly')
  await person.press('Add a check')
  expect(await look('report-wizard-runs')).toEqual([])
  await next(/Review/)
  await person.see('Fails when any file matches')
  await person.see('Archive /alpine')
  expect(await look('report-wizard-review')).toEqual([])
})

test('what is saved is launched, and both are told', async () => {
  await person.press('Save')
  await person.see('Report template [Copies] has been created successfully.')
  await person.see(
    'A job for the report template Copies has been launched successfully. You can monitor the job by clicking here',
  )
  const link = () => visit.page.$eval('[data-place] a, .mantine-Notification-root a', (a) => a.getAttribute('href'))
  expect(await link()).toMatch(/^\/settings\/jobs\?id=\d+$/)
  await expect
    .poll(rows, { timeout: 60_000 })
    .toEqual([expect.stringMatching(/^Copies Check failed Duplicated \d{4}-/)])
  expect(await look('reports')).toEqual([])
})

test('a row opens the report: what it found, of what, and by which parameters', async () => {
  await person.pressAt('tbody tr ::-p-text(Copies)')
  await expect.poll(address).toMatch(/^\/report\/\d+$/)
  await expect.poll(() => card('Report Details')).toMatch(/Success.*Duplicated/)
  await expect.poll(() => card('Found of total')).toMatch(/Files1250\.0 %/)
  expect(await card('Parameters')).toMatch(/Films.*Archive\/alpine.*None.*Fails when any file matches/)
  await expect.poll(() => card('Top 10 files')).toMatch(/same\.mov/)
  await expect.poll(() => card('Top 10 folders')).toMatch(/No folders found/)
  expect(await look('report')).toEqual([])
})

test('what was found is a search, and says so in its chip', async () => {
  await person.press('Show content as Search result', 'link')
  await expect.poll(address).toMatch(/^\/search\?report=dataintell\.report\.Copies\.\d{4}-\d{2}-\d{2}$/)
  await person.see(/Reports: Copies, \d{4}-\d{2}-\d{2}/)
  await expect.poll(rows).toEqual([expect.stringMatching(/^same\.mov/)])
  await visit.page.goBack()
})

test('a second run stands beside the first, and the two are compared', async () => {
  await person.press('Launch Report')
  await person.see('its tags may take a while to appear')
  expect(await look('report-launch')).toEqual([])
  await person.press('Launch report')
  await person.closed()
  const ticks = () => visit.page.$$eval('main input[type="radio"]', (ticks) => ticks.length)
  await expect.poll(() => card('Run history'), { timeout: 60_000 }).toMatch(/compared with/)
  await expect.poll(ticks).toBeGreaterThanOrEqual(2)
  await person.press('Still there 1 file 0 folders, 30.0 KiB')
  await expect.poll(() => card('Run history')).toMatch(/same\.mov/)
  expect(await look('report-compared')).toEqual([])
})

test('the failed check stands on the dashboard', async () => {
  await at('/')
  await expect.poll(() => card('Report checks')).toMatch(/Check failed.*Copies/)
  expect(await look('dashboard-checks')).toEqual([])
  await person.press('Copies', 'link')
  await expect.poll(address).toMatch(/^\/report\/\d+$/)
})

test('a report is changed, but for its name', async () => {
  await person.press('Edit Report')
  await expect.poll(step).toMatch(/Configure Report Template/)
  expect(await person.isDisabled('Name', 'textbox')).toBe(true)
  await person.choose('Type', 'Unique')
  for (const title of [/Reference/, /Comparison/, /Queries/, /Tags/, /Check/]) await next(title)
  await person.press('Remove check 1')
  await next(/Review/)
  await person.press('Launch the report after its edition', 'checkbox')
  await person.press('Save')
  await person.see('Report template [Copies] has been updated successfully.')
  await expect.poll(() => card('Report Details')).toMatch(/Unique/)
})

test('by the keyboard a ready-made report is saved', async () => {
  await at('/reports')
  await person.enter('New report')
  await expect.poll(step).toMatch(/Configure Report Template/)
  await person.choose('Start from', 'Empty folders')
  await visit.page.focus('aria/Name[role="textbox"]')
  await person.key('Enter')
  await expect.poll(step).toMatch(/Add Search Queries/)
  await seeStringFormat(visit, 'Folder is yes AND Number of files is at most 0')
  for (const title of [/Tags/, /Check/, /Review/]) {
    await visit.page.focus('aria/Next[role="button"]')
    await person.key('Enter')
    await expect.poll(step).toMatch(title)
  }
  await visit.page.focus('aria/Save[role="button"]')
  await person.key('Enter')
  await person.see('Report template [Empty folders] has been created successfully.')
  await expect.poll(rows).toHaveLength(2)
})

test('a name that is taken is refused at its field', async () => {
  await at('/reports?wizard=new&criteria=%5B%7B%22size%22%3A%7B%22min%22%3A1024%7D%7D%5D')
  await person.write('Name', 'Copies')
  await next(/Queries/)
  for (const title of [/Tags/, /Check/, /Review/]) await next(title)
  await person.press('Save')
  await person.see(/Something went wrong while trying to create the report template\. ./)
  await expect.poll(step).toMatch(/Configure Report Template/)
  await person.press('Cancel')
  await expect.poll(address).toBe('/reports')
})

test('a report is deleted after a question', async () => {
  await person.press('Delete Copies')
  await person.see('Deleting the template does not remove the tags from files and folders.')
  await person.press('Delete report')
  await person.see('Report template [Copies] has been deleted successfully.')
  await expect.poll(rows).toHaveLength(1)
})

test('who may not tag sees reports, and nothing to change them by', async () => {
  const user = { id: '9', name: 'ana', email: '', roles: [{ authority: 'ROLE_SODA_TRANSFER' }] }
  await answerAt(visit, /currentUserInfo$/, { status: 200, body: JSON.stringify(user) })
  await at('/reports')
  await expect.poll(rows).toHaveLength(1)
  await person.seeNo('New report')
  await person.seeNo('Actions')
})

test('a list that cannot be read says so where it stands', async () => {
  await answerAt(visit, /reports\/templates\?/, { status: 500, body: '{"message":"The store is away"}' })
  await at('/reports')
  await expect.poll(() => card('Report templates')).toMatch(/The store is away.*Retry/)
  expect(await look('reports-failing')).toEqual([])
})

test('a report that cannot be read leads back to the list', async () => {
  await at('/report/999')
  await person.see('Error while getting the report.')
  await expect.poll(address).toBe('/reports')
})

test('nothing of it made the browser complain', () => expect(visit.complaints).toEqual([]))
