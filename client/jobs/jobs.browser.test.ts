import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { makeTree } from '#deploy/local/testing/tree.ts'
import { slowed } from '#deploy/local/testing/slowed.ts'
import { agentOf } from '#deploy/local/testing.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'
import { startScan } from '#client/testing/scan.ts'

const visit = await testVisit()
const films = join(testFolder('films'), 'films')
let person: ReturnType<typeof hands>
beforeAll(async () => {
  person = hands(visit)
  makeTree(films, 80_000)
  await visit.product.addStorage({ name: 'Films', path: films })
})
const address = () => new URL(visit.page.url()).pathname + new URL(visit.page.url()).search
/** Cells of the row of a job. */
const cells = (id: number) =>
  visit.page.evaluate(
    (id) =>
      [...document.querySelectorAll('[aria-label="Jobs"] tr[data-index]')]
        .map((row) => [...row.querySelectorAll('td')].map(({ textContent }) => textContent))
        .find(([first]) => first === String(id)),
    id,
  )
const status = async (id: number) => (await cells(id))?.[8]
/** Slows down the agent; `hold` lets it do little more than send heartbeats. */
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

test('a job appears, runs and ends on the open page without a reload, and the next one is cancelled', async () => {
  await signInAt(visit, '/settings')
  await person.press('Jobs', 'link')
  // The navigation is over the first column while the pointer is on it.
  await visit.page.mouse.move(700, 20)
  await person.see('There are no jobs yet.')
  expect(address()).toBe('/settings/jobs')
  await visit.page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
  const agent = slowAgent()
  const id = await startScan(visit, 1)
  await person.see(/Running\n1 job\n[^]*Reading the storage/)
  await agent.hold()
  await expect.poll(() => status(id)).toBe('Running')
  await person.pressAt('[aria-label="Jobs"] tr[data-index="0"] td')
  await expect.poll(address).toBe(`/settings/jobs?id=${id}`)
  await person.see('Task Details')
  expect(await look(visit, 'job-tasks')).toEqual([])
  await agent.goOn()
  await expect.poll(() => status(id), { timeout: 60_000 }).toBe('Success')
  await person.pressAt('[role="dialog"] [role="tab"]::-p-text(Events)')
  await person.see('Scan of Films succeeded')
  await person.key('Escape')
  await person.closed()
  await person.seeNo('Reading the storage')

  // New jobs are held back while the pointer is over the list or the focus is in it, as after Escape closes a dialog.
  await visit.page.mouse.move(0, 0)
  await visit.page.evaluate(() => (document.activeElement as HTMLElement).blur())
  const other = slowAgent()
  await other.hold()
  const next = await startScan(visit, 1)
  await person.press(`Cancel job ${next}`)
  await person.press('Remove job')
  await person.see('Job was cancelled successfully')
  await expect.poll(() => status(next)).toBe('Cancelled')
  expect(await visit.page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
})

const focused = () => visit.page.evaluate(() => document.activeElement?.textContent ?? '')

test('reasons have room on small screens, and jobs their time on telephones', async () => {
  const titles = () =>
    visit.page.$$eval('[aria-label="Jobs"] th', (cells) =>
      cells.filter((cell) => cell.checkVisibility()).map(({ textContent }) => textContent),
    )
  await visit.page.setViewport({ width: 1024, height: 900 })
  await expect.poll(titles).toEqual(['Id', 'Type', 'Storage', 'Status', 'Progress or reason', 'Action'])
  const reason = await visit.page.$eval('[aria-label="Jobs"] th:nth-child(10)', (cell) => cell.clientWidth)
  expect(reason).toBeGreaterThan(200)
  await visit.page.setViewport({ width: 390, height: 900 })
  await expect.poll(titles).toEqual(['Job', 'Created', 'Status'])
  expect(await visit.page.$eval('[aria-label="Jobs"] tbody tr', (row) => row.textContent)).toMatch(
    /^Films\d\d-\d\d \d\d:\d\dCancelled$/,
  )
  expect(await look(visit, 'jobs-end')).toEqual([])
  await visit.page.setViewport({ width: 1440, height: 900 })
  await expect.poll(titles).toContain('Agent')
})

test('the keyboard alone opens and closes a job', async () => {
  await visit.page.focus('[aria-label="Jobs"] tr[tabindex="0"]')
  await person.key('End')
  await expect.poll(focused).toMatch(/^1Scan/)
  await person.key('Home')
  await expect.poll(focused).toMatch(/^2Scan/)
  await person.key('Enter')
  await person.see('Job 2 · Scan On-Premises')
  await person.key('Escape')
  await person.closed()
  await expect.poll(focused).toMatch(/^2Scan/)
})

test('logs no browser errors', () => expect(visit.complaints).toEqual([]))
