import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ElementHandle, HTTPRequest } from 'puppeteer'
import { beforeAll, expect, test } from 'vitest'
import type { LoggedEvent } from '#events/event-log/calls.ts'
import { eventLine, readEventLines } from '#events/event-log/lines.ts'
import type { HealthEvent } from '#events/health.ts'
import { streamNames } from '#events/streams.ts'
import { appendFact, system } from '#server/platform/log/eventLog.ts'
import { testDb } from '#server/platform/testing/stores.ts'
import { hands, look as lookAt, signInAt, testVisit } from '#client/testing.ts'

const visit = await testVisit()
let page: typeof visit.page
let person: ReturnType<typeof hands>
let volume: number

const look = (name: string) => lookAt(visit, name)
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
const types = async () => (await rows()).map(([, type]) => type?.trim())
const details = () => page.$eval('section[aria-label="The event"]', (section) => (section as HTMLElement).innerText)
const open = (query: string) => page.goto(`${visit.product.address}/event-log${query}`)
const withoutFocus = () => page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())

beforeAll(() => {
  page = visit.page
  person = hands(visit)
})

test('the tail shows what happens at once, and stands still when it is paused', async () => {
  volume = await addVolume('Films')
  await call('POST', '/v1/scans/volumes/ids', [volume])
  await expect.poll(async () => (await list('type=TaskSucceeded')).elements.length).toBe(1)
  await signInAt(visit, '/event-log')
  await person.see('Following, the newest')
  await expect.poll(types).toContain('TaskSucceeded')
  const id = await addVolume('Sounds')
  await expect.poll(async () => (await rows())[0]?.[2]).toBe(`volume-${id}`)
  await person.press('Pause')
  await addVolume('Pictures')
  await person.see('Jump to live (1 new event)')
  expect((await rows())[0]?.[2]).toBe(`volume-${id}`)
  expect(await look('event-log-live')).toEqual([])
  await person.press('Jump to live (1 new event)')
  await person.see('Following, the newest')
  await expect.poll(async () => (await rows())[0]?.[4]).toMatch(/Storage Pictures was created/)
})

test('a tail that was not read yet counts nothing, and one that cannot be read can be tried again', async () => {
  const held: HTTPRequest[] = []
  const hold = (request: HTTPRequest) =>
    request.url().includes('/v1/events?') ? void held.push(request) : void request.continue()
  await page.setRequestInterception(true)
  page.on('request', hold)
  await open('')
  await expect.poll(() => held.length).toBe(1)
  await person.see('Pause')
  await person.seeNo('newest 0 events')
  await held[0]?.respond({ status: 503, contentType: 'application/json', body: '{"message":"The log is away"}' })
  await person.see('The log is away')
  await person.seeNo('newest')
  page.off('request', hold)
  await page.setRequestInterception(false)
  await person.press('Retry')
  await person.see('Following, the newest')
  await expect.poll(types).toContain('TaskSucceeded')
})

test('filters are in the address, and a reader who was sent it sees the same', async () => {
  await person.press('Browse')
  await person.write('Stream', 'job-*')
  await person.key('Enter')
  await expect.poll(() => address().get('stream')).toBe('job-*')
  await expect.poll(async () => new Set((await rows()).map(([, , stream]) => stream))).toEqual(new Set(['job-1']))
  await open(`?type=Created&text=SOUNDS`)
  await expect.poll(types).toEqual(['Created'])
  expect(await look('event-log-browse')).toEqual([])
  await person.press('Clear filters')
  await expect.poll(async () => (await rows()).length).toBeGreaterThan(8)
  await open('?stream=nothing-1')
  await person.see('No events match these filters.')
  expect(await look('event-log-empty')).toEqual([])
})

test('a link to an event shows it in full, with the state that it led to', async () => {
  const { elements } = await list('stream=job-1&type=TaskStarted')
  await open(`?event=${elements[0]?.position}`)
  await expect.poll(details).toMatch(/Scan of Films started/)
  await expect.poll(details).toMatch(/status "RUNNING"/)
  await person.press('Change', 'tab')
  await person.press('JSON', 'tab')
  await expect.poll(details).toMatch(/version \d/)
  expect(await look('event-log-linked')).toEqual([])
})

test('a real scan is replayed step by step, and every state is that of its moment', async () => {
  const { elements } = await list('stream=job-1&direction=asc')
  await open('?mode=replay&stream=job-1')
  await person.see(/Replay: job 1 as of \d\d:\d\d:\d\d\.\d{3}/)
  await expect.poll(details).toMatch(/^Job 1 was queued/)
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
  expect(await person.isDisabled('Export')).toBe(true)
  expect(await person.isDisabled('Import')).toBe(true)
  await page.keyboard.press('Home')
  await person.see(`1 of ${elements.length}`)
  expect(await look('event-log-replay')).toEqual([])
  await person.press('1000×')
  await withoutFocus()
  await page.keyboard.press('Space')
  await person.see(`${elements.length} of ${elements.length}`)
})

test('a setting is replayed by what it was changed to', async () => {
  await open(`?mode=replay&stream=volume-${volume}`)
  await person.see(`Replay: volume ${volume} as of`)
  await expect.poll(details).toMatch(/name "Films"/)
})

test('what is exported can be imported, stays in the browser, and a bad file names its line', async () => {
  const exported = await page.evaluate(async () => (await fetch('/api/v1/events/export?stream=job-1')).text())
  const events = readEventLines(exported)
  expect(events.map(({ type }) => type).at(0)).toBe('JobQueued')
  const failed = events.map((event) =>
    event.type === 'TaskSucceeded'
      ? { ...event, type: 'TaskFailed', data: { ...event.data, type: 'TaskFailed', reason: 'Gone' } }
      : event,
  )
  const good = join(visit.scratch, 'good.ndjson')
  const bad = join(visit.scratch, 'bad.ndjson')
  writeFileSync(good, failed.map(eventLine).join(''))
  writeFileSync(bad, `${failed.map(eventLine).join('')}{"position":`)
  await open('?mode=browse')
  const input = (await page.waitForSelector('input[type="file"]')) as ElementHandle<HTMLInputElement>
  await input.uploadFile(bad)
  await person.see(`Line ${failed.length + 1}: not JSON`)
  await input.uploadFile(good)
  await person.see(/good\.ndjson: \d+ events from a file, in this browser only/)
  await expect.poll(types).toContain('TaskFailed')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await person.pressAt('nav[aria-label="Event log"] button:last-child')
  await person.write('Job or setting', '1')
  await person.key('Enter')
  await person.see(/Replay: job 1 as of/)
  await page.keyboard.press('.')
  await expect.poll(details).toMatch(/failed: Gone/)
  expect(await look('event-log-file')).toEqual([])
  expect(asked.filter((url) => url.includes('/v1/events'))).toEqual([])
  await person.press('Close the file')
  await person.seeNo('in this browser only')
})

test('what is wrong with the product itself stands above the screens of administrators, and in the log', async () => {
  const db = await testDb()
  const problem = { key: 'disk of the data folder', message: 'The disk of the data folder is almost full.' }
  const say = (type: HealthEvent['type']) =>
    db.transaction().execute((trx) => appendFact(trx, streamNames.health, system, 1, happened(type)))
  const happened = (type: HealthEvent['type']) => ({ type, at: new Date().toISOString(), problem })
  // Others may be found meanwhile.
  const sentences = async () => (await rows()).map((cells) => cells[4])
  await say('HealthProblemFound')
  await open('?mode=browse&stream=health')
  await person.see(problem.message)
  await expect.poll(sentences).toContain(`Health problem found: ${problem.message}`)
  expect(await look('health-problem')).toEqual([])
  await say('HealthProblemSolved')
  await page.reload()
  await expect.poll(sentences).toContain(`Health problem solved: ${problem.message}`)
  expect(await page.$$eval('[data-tone="critical"]', (banners) => banners.length)).toBe(0)
})

test('nothing of it made the browser complain', () =>
  expect(visit.complaints.filter((complaint) => !complaint.includes('503'))).toEqual([]))
