import { execFile } from 'node:child_process'
import { closeSync, ftruncateSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'puppeteer'
import { beforeAll, expect, test } from 'vitest'
import { monthText } from '#events/projects/statementWords.ts'
import { readCsv } from '#server/platform/testing/readCsv.ts'
import { testVisit } from '#client/testing.ts'
import { scan } from '#client/testing/scan.ts'
import { counting, dashboardOf, inputs } from './steps.ts'

const visit = await testVisit()
const start = dashboardOf(visit)
const gibibyte = 2 ** 30
/** Dollars per GiB and year. */
const price = 1_200
const projects = { Alpine: 3, Boreal: 1 }
/** Another browser, which never signs in. */
let television: Page

const secret = () => visit.page.$eval('[role="dialog"] pre', (text) => text.innerText)

/** Two projects with 24 files of a GiB and more, which have a price, and a browser of a television. */
beforeAll(async () => {
  const path = join(visit.scratch, 'films')
  const sizes = Object.entries(projects).flatMap(([project, reels]) =>
    Array.from({ length: 12 }, (_, reel) => ({
      name: `${project}/reel ${reel + 10}.mov`,
      size: reels * gibibyte + reel,
    })),
  )
  for (const { name, size } of sizes) {
    mkdirSync(join(path, name, '..'), { recursive: true })
    const opened = openSync(join(path, name), 'w')
    ftruncateSync(opened, size)
    closeSync(opened)
  }
  const book = { description: 'Gold', currencySymbol: '$', price }
  const { answer } = await visit.product.call('POST', '/v1/storage-prices', book)
  const storagePrice = { id: (answer as { id: number }).id }
  const volumeId = await visit.product.addStorage({ name: 'Films', path, storagePrice, sizeBasis: 'apparent' })
  await scan(visit, volumeId)
  for (const name of Object.keys(projects)) {
    const paths = [{ volumeId, path: `/${name}` }]
    await visit.product.call('POST', '/projects', { name, description: '', allocatedSize: 1e12, paths })
  }
  television = await (await visit.page.browser().createBrowserContext()).newPage()
  television.on('pageerror', (error) => visit.complaints.push(String(error)))
})

test.each(inputs)('two projects are charged for this month in one file, by %s', async (input) => {
  await start()
  const { press, steps } = counting(visit, input)
  const month = new Date().toISOString().slice(0, 7)
  await press('Projects', 'link')
  await press('All statements')
  await press(`${monthText(month)} (CSV)`, 'menuitem')
  const name = `Statements-${month}.csv`
  await expect.poll(() => readdirSync(visit.downloads)).toEqual([name])
  const [head = [], ...lines] = readCsv(readFileSync(join(visit.downloads, name)))
  rmSync(join(visit.downloads, name))
  const rows = lines.map((cells) => Object.fromEntries(cells.map((cell, at) => [head[at] ?? '', cell])))
  // A project is charged from the day on which it was created.
  const days = new Date(Number(month.slice(0, 4)), Number(month.slice(5)), 0).getDate()
  const costs = Object.entries(projects).map(([project, reels]) => {
    const size = 12 * reels + 66 / gibibyte
    return { Project: project, Cost: ((size * price) / 12 / days).toFixed(2), Currency: '$' }
  })
  expect(rows).toMatchObject(costs)
  // 7 before, with one file for each project.
  expect(steps()).toBe(3)
})

test.each(inputs)('a television shows the storages without a user, by %s', async (input) => {
  await start()
  const { press, write, see, steps } = counting(visit, input)
  await press('Settings', 'link')
  await press('Walls', 'link')
  await press('Add wall display')
  await write('Name', `Lobby, by ${input}`)
  await press('Create link')
  await see(`Lobby, by ${input} was added`)
  await press('Copy this link')
  await see('Copied!')
  const link = await secret()
  // With the one on the television, 7. It was 5 from the page that listed wall displays.
  expect(steps()).toBe(6)
  await television.goto(link)
  await expect.poll(() => television.evaluate(() => document.body.innerText)).toMatch('Films')
  expect(television.url()).not.toContain('token')
  const seen = await visit.product.call('GET', '/v1/wall/tokens')
  const { elements } = seen.answer as { elements: object[] }
  expect(elements).toContainEqual(expect.objectContaining({ name: `Lobby, by ${input}`, displays: 1 }))
})

test.each(inputs)(
  'the largest files are read with a token and a command from the API reference, by %s',
  async (input) => {
    await start()
    const { press, write, see, steps } = counting(visit, input)
    await press('Settings', 'link')
    await press('Tokens', 'link')
    await press('Add API token')
    await write('Name', `largest files, by ${input}`)
    await press('Create token')
    await see('is not shown again')
    await press('Copy this api token')
    const token = await secret()
    await press('API reference', 'link')
    await write('Search calls', 'searches files', 'searchbox')
    await press('GET /files/search Searches files.', 'DisclosureTriangle')
    // 6 before for the token alone, then four minutes of reading schemas.
    expect(steps()).toBe(9)
    const call = await visit.page.$eval('#getFilesSearch', (call) => (call as HTMLElement).innerText)
    expect(call).toMatch(/\bsort\b[^]*\bdirection\b|\bdirection\b[^]*\bsort\b/)
    const [command = ''] = /^curl .*$/m.exec(call) ?? []
    const largest = command.replace(/'$/, `?sort=size&direction=desc&size=20'`)
    const { stdout } = await promisify(execFile)('bash', ['-c', largest], { env: { ...process.env, TOKEN: token } })
    const { total, elements } = JSON.parse(stdout) as { total: number; elements: { name: string; size: number }[] }
    expect([total, elements.length, elements[0]]).toMatchObject([
      24,
      20,
      { name: 'reel 21.mov', size: 3 * gibibyte + 11 },
    ])
  },
)

test('the browser reported no errors', () => expect(visit.complaints).toEqual([]))
