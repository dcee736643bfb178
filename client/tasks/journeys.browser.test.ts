import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { daysBefore } from '#events/contract/days.ts'
import { monthText } from '#events/projects/statementWords.ts'
import { testVisit } from '#client/testing.ts'
import { backdate } from '#client/testing/backdate.ts'
import { scan, startScan } from '#client/testing/scan.ts'
import { testDb } from '#server/platform/testing/stores.ts'
import { counting, dashboardOf, type Input, inputs } from './steps.ts'

const visit = await testVisit()
const dashboard = dashboardOf(visit)

/** A sparse file of a number of GiB. */
function write(name: string, gibibytes: number) {
  const file = join(visit.scratch, name)
  mkdirSync(join(file, '..'), { recursive: true })
  const opened = openSync(file, 'w')
  ftruncateSync(opened, gibibytes * 2 ** 30)
  closeSync(opened)
}

/** A storage with a price, scanned a month ago and today, of which one folder grew; and one whose scan failed today. */
beforeAll(async () => {
  write('films/alpine/cut.mov', 2)
  write('films/boreal/cut.mov', 3)
  write('lost/cut.mov', 1)
  const book = { description: 'Gold', currencySymbol: '$', price: 1_200 }
  const { answer: made } = await visit.product.call('POST', '/v1/storage-prices', book)
  const storagePrice = { id: (made as { id: number }).id }
  const films = await visit.product.addStorage({
    name: 'Films',
    path: join(visit.scratch, 'films'),
    storagePrice,
    sizeBasis: 'apparent',
  })
  const lost = await visit.product.addStorage({ name: 'Lost', path: join(visit.scratch, 'lost') })
  await scan(visit, films, lost)
  const { answer: dates } = await visit.product.call('GET', '/administration/dates')
  const [{ indexingDate: today = '' } = {}] = dates as { indexingDate: string }[]
  await backdate(await testDb(), daysBefore(today, 30))
  write('films/boreal/new cut.mov', 5)
  await scan(visit, films)
  rmSync(join(visit.scratch, 'lost'), { recursive: true })
  await startScan(visit, lost)
  await vi.waitFor(
    async () => {
      const { answer } = await visit.product.call('GET', '/v1/jobs?statuses=FAILURE&statuses=SCANNER_ERROR')
      if ((answer as { total: number }).total === 0) throw new Error('The scan has not failed yet')
    },
    { timeout: 60_000, interval: 100 },
  )
})

type User = ReturnType<typeof counting>
type Journey = {
  task: string
  /** Steps of the review before, which stay the most. */
  steps: number
  /** Page on which it starts; the dashboard by default. */
  from?: string
  walk: (user: User, input: Input) => Promise<void>
}

const journeys: Journey[] = [
  {
    task: 'the folder that grew the most in a month is found',
    steps: 0,
    walk: ({ see }) => see(/Top growing folders[^]*\/boreal[^]*\+5\.00 GiB/),
  },
  {
    task: 'a project with a price gets its statement of this month',
    steps: 8,
    async walk({ press, write, pick, see }, input) {
      await press('Projects', 'link')
      await press('New project', 'link')
      await write('Name', `Alpine, by ${input}`)
      await write('Allocated Size', '4')
      await write('Find folders', 'alpine', 'combobox')
      await pick('/alpine')
      await press('Create project')
      await press('Statements', 'tab')
      await see(new RegExp(`${monthText(new Date().toISOString().slice(0, 7))}[^]*\\$\\d+\\.\\d\\d for an average of`))
    },
  },
  {
    task: 'the reason why a scan failed is found',
    steps: 2,
    async walk({ press, open, see }) {
      await press('Jobs', 'link')
      await open('tbody tr:first-child')
      await see(/Lost[^]*does not exist/)
    },
  },
  {
    task: 'a user with a limited role gets a one-time password',
    steps: 6,
    from: '/settings',
    async walk({ press, write, submit, see }, input) {
      await press('Users', 'link')
      await press('Add user')
      await write('Name', `ana.${input}`)
      await press('Project manager', 'checkbox')
      await submit()
      await press('Copy this one-time password')
      await see('Copied!')
    },
  },
]

const walks = journeys.flatMap((journey) => inputs.map((input) => ({ ...journey, input })))

test.each(walks)('$task, by $input, in at most $steps steps', async ({ steps, from, walk, input }) => {
  await dashboard()
  if (from !== undefined) await visit.page.goto(`${visit.product.address}${from}`)
  const user = counting(visit, input)
  await walk(user, input)
  expect(user.steps()).toBeLessThanOrEqual(steps)
})

test('the browser reported no errors', () => expect(visit.complaints).toEqual([]))
