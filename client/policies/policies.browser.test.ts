import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { daysBefore } from '#events/contract/days.ts'
import { quarantineFolder } from '#events/actions/orders.ts'
import { hands, look, testVisit } from '#client/testing.ts'
import { scan } from '#client/testing/scan.ts'
import { counting, dashboardOf, type Input, inputs } from '#client/tasks/steps.ts'
import { testDb, testFolder } from '#server/platform/testing/stores.ts'

const root = join(testFolder('films'), 'films')
const visit = await testVisit({ environment: { AGENT_MAY_CHANGE: root } })
const start = dashboardOf(visit)
const extensions: Record<Input, string> = { mouse: 'mov', keyboard: 'wav' }
const names = (input: Input) => ['a', 'b'].map((name) => `reel/${name}.${extensions[input]}`)
const textOf = (name: string) => `content of ${name}`
const old = new Date('2019-05-04T03:02:01Z')
let volumeId: number
let today: string

/** The time at which a file was created can't be set, so the newest snapshot is moved instead. */
async function moveSnapshot(from: string, to: string): Promise<void> {
  const db = await testDb()
  for (const table of ['scans', 'snapshots'])
    await sql`UPDATE ${sql.table(table)} SET indexing_date = ${to} WHERE indexing_date = ${from}`.execute(db)
}

/** A storage with old files and two snapshots: of a year ago, and of 300 days from now. */
beforeAll(async () => {
  for (const name of inputs.flatMap(names)) {
    mkdirSync(join(root, name, '..'), { recursive: true })
    writeFileSync(join(root, name), textOf(name))
    utimesSync(join(root, name), old, old)
  }
  volumeId = await visit.product.addStorage({ name: 'Films', path: root, policyActions: 'quarantine' })
  await scan(visit, volumeId)
  const { answer } = await visit.product.call('GET', '/administration/dates')
  today = (answer as { indexingDate: string }[])[0]?.indexingDate ?? ''
  await moveSnapshot(today, daysBefore(today, 365))
  await scan(visit, volumeId)
})

const inQuarantine = () => {
  const folder = join(root, quarantineFolder)
  return existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String) : []
}

test.each(inputs)(
  'a search becomes a policy, which moves files to quarantine and puts them back, by %s',
  async (input) => {
    const files = names(input)
    await moveSnapshot(today, daysBefore(today, -300))
    await start()
    await visit.page.goto(`${visit.product.address}/search?extension=${extensions[input]}`)
    const { press, write, choose, see, closed, open } = counting(visit, input)
    await press('Make a policy', 'link')
    await write('Name', `Old ${input}`)
    await choose('Then', 'Move to quarantine')
    await write('Delete after', '30')
    await see(
      /Untouched for 180 days would have freed [^]*; how much of it is used again within 90 days isn't known yet/,
    )
    await chooseAge(input)
    await see(/Untouched for 270 days would have freed/)
    expect(await look(visit, `policy-new-${input}`)).toEqual([])
    await press('Create policy')
    await see('No runs yet.')
    await press('Plan a run')
    await see('Waiting for approval')
    await see(`/a.${extensions[input]}`)
    expect(await look(visit, `policy-waiting-${input}`)).toEqual([])
    await press('Approve …')
    await see('2 files, 42 B of Films.')
    await see('The files move to a hidden folder of their own storage')
    expect(await look(visit, `policy-approval-${input}`)).toEqual([])
    await press('Quarantine 2 files')
    await closed()
    await see(/Comes free\s+\d{4}-\d\d-\d\d/)
    await see(/Result\s+Success/)
    expect(files.filter((name) => existsSync(join(root, name)))).toEqual([])
    for (const name of files) expect(inQuarantine().some((path) => path.endsWith(name))).toBe(true)

    await moveSnapshot(daysBefore(today, -300), daysBefore(today, input === 'mouse' ? 2 : 1))
    await scan(visit, volumeId)
    await see(/2 files: 2 gone/)
    expect(await look(visit, `policy-verified-${input}`)).toEqual([])
    await press('Put back all 2 files')
    await open('[role="dialog"] button[data-autofocus]')
    await closed()
    await expect.poll(() => files.every((name) => existsSync(join(root, name))), { timeout: 30_000 }).toBe(true)
    for (const name of files) {
      expect(readFileSync(join(root, name), 'utf8')).toBe(textOf(name))
      expect(statSync(join(root, name)).mtime).toEqual(old)
    }
  },
)

/** Chooses 270 days in the curve. */
async function chooseAge(input: Input): Promise<void> {
  const { page } = visit
  const chart = await page.waitForSelector('main .recharts-surface[tabindex="0"]')
  if (input === 'keyboard') {
    await chart?.evaluate((svg) => (svg as SVGElement).focus())
    for (let point = 0; point < 5; point++) await page.keyboard.press('ArrowRight')
    return page.keyboard.press('Enter')
  }
  await chart?.scrollIntoView()
  const { x = 0, y = 0, width = 0 } = (await chart?.boundingBox()) ?? {}
  // The sixth of ten points, behind the axis.
  await page.mouse.move(x + 80 + ((width - 104) * 5) / 9, y + 100)
  await expect.poll(() => page.$eval('.recharts-tooltip-wrapper', (hint) => hint.textContent)).toMatch(/^270 days/)
  await page.mouse.down()
  return page.mouse.up()
}

test('the list shows the policies, and one button pauses them', async () => {
  const { press, see } = hands(visit)
  await visit.page.goto(`${visit.product.address}/policies`)
  await see('Old mouse')
  expect(await look(visit, 'policies')).toEqual([])
  await press('Pause all policies')
  await see('No run starts until you resume them.')
  await press('Resume policies')
})

test('the browser reported no errors', () => expect(visit.complaints).toEqual([]))
