import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { sql } from 'kysely'
import { makeTree } from '#deploy/bench/tree.ts'
import { slowed } from '#deploy/local/testing/slowed.ts'
import { agentOf } from '#deploy/local/testing.ts'
import { testDb, testFolder } from '#server/platform/testing/stores.ts'
import { hands, look as lookAt, signInAt, testVisit } from '#client/testing.ts'
import { startScan, startScanOf } from '#client/testing/scan.ts'

const visit = await testVisit()
const films = join(testFolder('films'), 'films')
let person: ReturnType<typeof hands>
beforeAll(() => {
  person = hands(visit)
})
const press = (name: string, role?: string) => person.press(name, role)
const see = (what: string | RegExp) => person.see(what)
const seeNo = (what: string | RegExp) => person.seeNo(what)
const key = (name: Parameters<typeof person.key>[0]) => person.key(name)
const look = (name: string) => lookAt(visit, name)
const address = () => new URL(visit.page.url()).pathname + new URL(visit.page.url()).search
/** A tab of the dialog. */
const side = (name: string) => person.pressAt(`[role="dialog"] [role="tab"]::-p-text(${name})`)
/** The cells of a row of the list, by the number of its job. */
const cells = (id: number) =>
  visit.page.evaluate(
    (id) =>
      [...document.querySelectorAll('[aria-label="Jobs"] tr[data-index]')]
        .map((row) => [...row.querySelectorAll('td')].map(({ textContent }) => textContent))
        .find(([first]) => first === String(id)),
    id,
  )
const status = async (id: number) => (await cells(id))?.[7]
/** The agent scans slowly; `hold` lets it do almost nothing but say that it lives. */
const slowAgent = () => {
  const pid = agentOf(visit.product.pid)
  let agent = slowed(pid, 150)
  onTestFinished(() => agent.goOn())
  return {
    hold: async () => {
      await agent.freeze()
      agent = slowed(pid, 3_000)
    },
    goOn: () => agent.goOn(),
  }
}

beforeAll(async () => {
  makeTree(films, 120_000)
  for (const [name, path] of [
    ['Films', films],
    ['Away', join(films, '../away')],
  ] as const)
    await visit.product.addStorage({ name, path })
})

test('the tab Jobs of the settings leads here, and an empty list says so', async () => {
  await signInAt(visit, '/settings')
  await press('Jobs', 'link')
  await see('There are no jobs yet.')
  await see(/The content of this page will be refreshed in \d+ seconds?/)
  expect(address()).toBe('/settings/jobs')
  expect(await look('jobs-empty')).toEqual([])
})

test('a job appears, runs and ends on the open page without a reload', async () => {
  await visit.page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
  const agent = slowAgent()
  const id = await startScan(visit, 1)
  await see(/Running\n1 job\n/)
  await see(/Reading the storage[^]*Entries\/s[^]*project_/)
  await agent.hold()
  expect(await status(id)).toBe('Running')
  expect(await look('jobs-running')).toEqual([])

  await person.pressAt('[aria-label="Jobs"] tr[data-index="0"] td')
  await expect.poll(address).toBe(`/settings/jobs?id=${id}`)
  await see('Task Details')
  expect(await look('job-tasks')).toEqual([])
  await agent.goOn()
  await expect.poll(() => status(id), { timeout: 60_000 }).toBe('Success')
  await side('Events')
  await see('Scan of Films succeeded')
  expect(await look('job-events')).toEqual([])
  await side('Job')
  await see('1 - Built-in agent')
  expect(await look('job')).toEqual([])
  await key('Escape')
  await person.closed()
  expect(address()).toBe('/settings/jobs')
  await seeNo('Reading the storage')
  expect(await visit.page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
  expect(await look('jobs')).toEqual([])
})

test('jobs are cancelled one by one, and all at once', async () => {
  // New jobs wait while the pointer is over the list, or the keys are in it, as after a dialog that Escape closed.
  await visit.page.mouse.move(0, 0)
  await visit.page.evaluate(() => (document.activeElement as HTMLElement).blur())
  const agent = slowAgent()
  await agent.hold()
  const one = await startScan(visit, 1)
  await press(`Cancel job ${one}`)
  await see(`Are you sure you want to remove from queue the job with id ${one}?`)
  expect(await look('job-remove')).toEqual([])
  await press('Cancel')
  await person.closed()
  await press(`Cancel job ${one}`)
  await press('Remove job')
  await see('Job was cancelled successfully')
  await expect.poll(() => status(one)).toBe('Cancelled')

  const other = await startScan(visit, 1)
  await press('Cancel Jobs')
  expect(await person.isDisabled('Cancel jobs')).toBe(true)
  await press('Waiting jobs', 'checkbox')
  await press('Running jobs', 'checkbox')
  expect(await look('jobs-cancel')).toEqual([])
  await press('Cancel jobs')
  await see('All the jobs were cancelled successfully.')
  await expect.poll(() => status(other)).toBe('Cancelled')
})

test('a scan that failed is started again with the storages that failed, and the folder that it was limited to', async () => {
  const failed = await startScanOf(visit, { 2: '/later' })
  await expect.poll(() => status(failed), { timeout: 60_000 }).toBe('Failure')
  await press(`Relaunch job ${failed}`)
  await see('1 of 2 storages selected')
  const ticked = () =>
    visit.page.evaluate(() =>
      [...document.querySelectorAll<HTMLInputElement>('[role="dialog"] li input')].map(({ checked }) => checked),
    )
  expect(await ticked()).toEqual([true, false])
  await see(/\/away · only \/later/)
  expect(await look('scan-dialog')).toEqual([])
  await press('Away', 'checkbox')
  expect(await person.isDisabled('Scan')).toBe(true)
  mkdirSync(join(films, '../away/later'), { recursive: true })
  await press('Away', 'checkbox')
  await press('Scan')
  await see('Scanner for the job(s) is now running. You can monitor the job(s) by clicking here')
  await person.closed()
  await expect.poll(() => status(failed + 1), { timeout: 60_000 }).toBe('Success')
  const { answer } = await visit.product.call('GET', `/v1/jobs/${failed + 1}`)
  expect(answer).toMatchObject({ payload: { volumes: [2], storageIdToPath: { 2: '/later' }, cloneIndex: true } })
})

test('jobs are filtered by type, and the address remembers it', async () => {
  await press('Filter jobs by type')
  await press('Select all job types', 'checkbox')
  await see('No job type is selected.')
  await press('Tag search results', 'checkbox')
  await see('There are no jobs of the selected types.')
  expect(await look('jobs-filter')).toEqual([])
  expect(address()).toBe('/settings/jobs?types=TAG_SEARCH_RESULT')
  await press('Scan On-Premises', 'checkbox')
  await see('All jobs\n5')
  await key('Escape')
  await visit.page.reload()
  await see('2 of 18')
  await press('Filter jobs by type 2 of 18')
  await press('Select all job types', 'checkbox')
  await key('Escape')
  await expect.poll(address).toBe('/settings/jobs')
})

test('an address opens the dialog of its job; one that there is not is said so', async () => {
  await visit.page.goto(`${visit.product.address}/settings/jobs?id=4`)
  await see('Job 4 · Scan On-Premises')
  await see('failedScanVolumeSettings')
  expect(await look('job-failed')).toEqual([])
  await visit.page.goto(`${visit.product.address}/settings/jobs?id=99`)
  await see('Error while getting job with id [99]')
  await expect.poll(address).toBe('/settings/jobs')
  await visit.page.goto(`${visit.product.address}/settings/jobs?id=nonsense`)
  await see('Error while getting job with id [nonsense]')
  await see('Scan On-Premises')
})

const focused = () => visit.page.evaluate(() => document.activeElement?.textContent ?? '')

test('the keyboard alone opens and closes a job', async () => {
  const agent = slowAgent()
  await agent.hold()
  // A pointer that was left over the list would let a new job wait.
  await visit.page.mouse.move(700, 2)
  const id = await startScan(visit, 1)
  await expect.poll(() => cells(id)).toBeDefined()
  await visit.page.focus('[aria-label="Jobs"] tr[tabindex="0"]')
  await key('End')
  await expect.poll(focused).toMatch(/^1Scan/)
  await key('Home')
  await expect.poll(focused).toMatch(new RegExp(`^${id}Scan`))
  await key('Enter')
  await see(`Job ${id} · Scan On-Premises`)
  await see('No result')
  await key('Escape')
  await person.closed()
  await expect.poll(focused).toMatch(new RegExp(`^${id}Scan`))
  await visit.product.call('PUT', `/v1/jobs/${id}`, { status: 'CANCELLED' })
  await expect.poll(() => status(id)).toBe('Cancelled')
  await visit.page.goto(`${visit.product.address}/settings/jobs`)
})

const many = 10_000
const drawn = () => visit.page.$$eval('[aria-label="Jobs"] tr[data-index]', (rows) => rows.length)
const firstRow = () =>
  visit.page.$eval('[aria-label="Jobs"] tr[data-index="0"] td', ({ textContent }) => Number(textContent))
const scrollTo = (top: number) =>
  visit.page.$eval('[aria-label="Jobs"]', (table, top) => table.parentElement?.scrollTo({ top }), top)

test('ten thousand jobs are paged and scrolled, and only those in sight are drawn', async () => {
  await sql`
    INSERT INTO jobs (id, version, evolve_version, type, status, server_id, created_at, started_at, updated_at, payload)
    SELECT 1000 + n, 2, evolve_version, type, 'SUCCESS', server_id, created_at, started_at, updated_at, payload
    FROM jobs, generate_series(1, ${many}) AS n WHERE id = 1`.execute(await testDb())
  await sql`SELECT setval('job_ids', 20000)`.execute(await testDb())
  await press('Refresh now')
  await see('10,006 jobs found')
  await person.choose('jobs per page', '500')
  await see('of 21')
  expect(await look('jobs-many')).toEqual([])
  expect(await firstRow()).toBe(11_000)
  expect(await drawn()).toBeLessThan(100)
  await scrollTo(1_000_000)
  await expect.poll(() => status(10_501)).toBe('Success')
  expect(await drawn()).toBeLessThan(100)
  await press('Next page')
  await expect.poll(address).toBe('/settings/jobs?page=2')
  await person.write('Page', '21')
  await expect.poll(drawn).toBe(6)
  await person.write('Page', '1')
  await expect.poll(firstRow).toBe(11_000)
  expect(await visit.page.evaluate(() => localStorage.getItem('numberOfElementsJobs'))).toBe('500')
})

test('new jobs wait while the pointer is over the list, and come when they are asked for', async () => {
  await expect.poll(firstRow).toBe(11_000)
  await visit.page.hover('[aria-label="Jobs"] tr[data-index="3"]')
  const id = await startScan(visit, 2)
  await see('1 new job')
  expect(await firstRow()).toBe(11_000)
  await press('1 new job')
  await expect.poll(firstRow).toBe(id)
})

test('nothing of it made the browser complain', () => expect(visit.complaints).toEqual([]))
