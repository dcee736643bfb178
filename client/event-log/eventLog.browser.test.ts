import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ElementHandle } from 'puppeteer'
import { beforeAll, expect, test } from 'vitest'
import type { LoggedEvent } from '#events/event-log/calls.ts'
import { readEventLines } from '#events/event-log/lines.ts'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'

const visit = await testVisit()
let page: typeof visit.page
let person: ReturnType<typeof hands>

const call = async <T>(method: 'GET' | 'POST', path: string, body?: unknown) =>
  (await visit.product.call(method, path, body)).answer as T
const list = (query: string) => call<{ elements: LoggedEvent[] }>('GET', `/v1/events?${query}`)
const addVolume = (name: string) => {
  const path = join(visit.scratch, name)
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, 'one.txt'), 'one')
  return visit.product.addStorage({ name, path })
}
const address = () => new URL(page.url()).searchParams
const rows = () =>
  page.$$eval('tr[data-index]', (rows) => rows.map((row) => (row as HTMLElement).innerText.split('\t')))
const column = async (index: number) => (await rows()).map((row) => row[index]?.trim())
const sentences = () => column(1)
const details = () => page.$eval('section[aria-label="The event"]', (section) => (section as HTMLElement).innerText)
const withoutFocus = () => page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())

beforeAll(() => {
  page = visit.page
  person = hands(visit)
})

test('the tail shows events at once, and stops when it is paused', async () => {
  const volume = await addVolume('Films')
  await call('POST', '/v1/scans/volumes/ids', [volume])
  await expect.poll(async () => (await list('type=TaskSucceeded')).elements.length).toBe(1)
  await signInAt(visit, '/event-log')
  await person.see('Live, latest')
  await expect.poll(() => column(4)).toContain('Task succeeded')
  await person.press('Pause')
  await addVolume('Pictures')
  // The end of the scan may add events of its own.
  await person.see(/Jump to live \(\d+ new events?\)/)
  expect(await look(visit, 'event-log-live')).toEqual([])
  await person.pressAt('::-p-xpath(//button[starts-with(normalize-space(.), "Jump to live")])')
  await expect.poll(sentences).toContainEqual(expect.stringContaining('Storage Pictures was created'))
})

test('a real scan is replayed by keyboard, and every state belongs to its moment', async () => {
  const { elements } = await list('stream=job-1&direction=asc')
  await person.pressAt('nav[aria-label="Event log"] button:last-child')
  await person.write('Job or setting', '1')
  await person.key('Enter')
  await person.see(/Replay: job 1 as of \d\d:\d\d:\d\d\.\d{3}/)
  await expect.poll(details).toMatch(/^Job 1 was queued/)
  // A focused field would handle the arrow keys.
  await withoutFocus()
  const seen: string[] = []
  for (let step = 1; step < elements.length; step++) {
    await page.keyboard.press('ArrowRight')
    await person.see(`${step + 1} of ${elements.length}`)
    await expect.poll(() => address().get('event')).toBe(String(elements[step]?.position))
    const [, status = ''] = /status "(\w+)"/.exec(await details()) ?? []
    if (seen.at(-1) !== status) seen.push(status)
  }
  expect(seen.at(0)).toBe('NEW')
  expect(seen.at(-1)).toBe('SUCCESS')
  expect(seen).toContain('RUNNING')
  expect(await look(visit, 'event-log-replay')).toEqual([])
})

test('an export is imported again, and a bad file names its line', async () => {
  const exported = await page.evaluate(async () => (await fetch('/api/v1/events/export?stream=job-1')).text())
  const events = readEventLines(exported)
  expect(events.map(({ type }) => type).at(0)).toBe('JobQueued')
  const good = join(visit.scratch, 'good.ndjson')
  const bad = join(visit.scratch, 'bad.ndjson')
  writeFileSync(good, exported)
  writeFileSync(bad, `${exported}{"position":`)
  await person.press('Browse')
  const input = (await page.waitForSelector('input[type="file"]')) as ElementHandle<HTMLInputElement>
  await input.uploadFile(bad)
  await person.see(`Line ${events.length + 1}: not JSON`)
  await input.uploadFile(good)
  await person.see(/good\.ndjson: \d+ events from a file, in this browser only/)
  await expect.poll(sentences).toContain('Task 1 succeeded')
})

test('times have their dates on telephones', async () => {
  await page.setViewport({ width: 390, height: 900 })
  await expect.poll(() => column(0)).toContainEqual(expect.stringMatching(/^\d\d-\d\d \d\d:\d\d:\d\d$/))
  expect(await page.$$eval('td:first-child', (cells) => cells.some((c) => c.scrollWidth > c.clientWidth))).toBe(false)
  expect(await look(visit, 'event-log-narrow')).toEqual([])
})

test('logs no browser errors', () => expect(visit.complaints).toEqual([]))
