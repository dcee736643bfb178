import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { HTTPRequest } from 'puppeteer'
import { beforeAll, expect, test } from 'vitest'
import { testDb } from '#server/platform/testing/stores.ts'
import { scan } from '#client/testing/scan.ts'
import { lookAtWall } from '#client/wall/testing/lookAtWall.ts'
import { cardText, hands, look, signInAt, testVisit } from '#client/testing.ts'

const db = await testDb()
const visit = await testVisit()
let page: typeof visit.page
let person: ReturnType<typeof hands>
const KiB = 1_024

/** Bytes that files of `/renders` have now, and folders that grow. They replace those of the server, which no agent sends here. */
const shown = { bytes: 3 * KiB, growing: [] as object[] }

beforeAll(async () => {
  ;({ page } = visit)
  person = hands(visit)
  const films = join(visit.scratch, 'films')
  mkdirSync(join(films, 'renders'), { recursive: true })
  writeFileSync(join(films, 'renders', 'a.exr'), Buffer.alloc(3 * KiB))
  writeFileSync(join(films, 'notes.txt'), 'x')
  await visit.product.addStorage({ name: 'Films', path: films, followsChanges: true })
  await scan(visit, 1)
  await followFilms()
  page.on('request', (request) => void answerNow(request))
  await page.setRequestInterception(true)
  await page.evaluateOnNewDocument(receivesNotices)
})

/** Stores what an agent reports that follows Films. */
const followFilms = () =>
  sql`
    WITH base AS (UPDATE scans SET walked_from = now(), walked_path = (SELECT path FROM volumes WHERE id = 1), scanned_path = '' WHERE volume_id = 1)
    INSERT INTO live_volumes (volume_id, session, base_scan, generation, state, since, behind_ms, as_of, seen_at, missed)
    SELECT id, gen_random_uuid(), committed_scan, 0, 'LIVE', now() - interval '2 hours', 0, now(), now() + interval '1 hour', '{"scanId": 1, "entries": 3}'
    FROM volumes WHERE id = 1`.execute(db)

async function answerNow(request: HTTPRequest): Promise<void> {
  const url = request.url()
  const respond = (answer: unknown) =>
    request.respond({ contentType: 'application/json', body: JSON.stringify(answer) }).catch(() => {})
  if (url.includes('/v1/live/growing')) return respond({ folders: shown.growing, asOf: Date.now() })
  if (!url.includes('/directories/contents') || !url.includes('live=true')) return request.continue()
  const { answer } = await visit.product.call('GET', new URL(url).pathname.replace('/api', '') + new URL(url).search)
  const contents = answer as { folders: { elements: { size: number }[] } }
  for (const folder of contents.folders.elements) folder.size = shown.bytes
  return respond(contents)
}

const address = () => new URL(page.url()).search
const sizeOf = (name: string) =>
  page.evaluate(
    (name) =>
      [...document.querySelectorAll('tr')].find((row) => row.textContent?.includes(name))?.cells[1]?.textContent,
    name,
  )

test('a live storage has its badge in the list, and says on its page since when and what was missed', async () => {
  await signInAt(visit, '/storages')
  await page.locator('td ::-p-text(Live)').wait()
  expect(await look(visit, 'live-storages')).toEqual([])
  await page.goto(`${visit.product.address}/volumes/1`)
  await person.press('Live')
  await person.see(/All changes since .* were seen\./)
  await person.see("found 3 entries that weren't seen live")
  expect(await look(visit, 'live-badge')).toEqual([])
  await person.press('Show Now', 'link')
  await expect.poll(address).toBe('?volumeId=1&path=%2F&date=now')
})

test('Now is chosen with the keyboard, has an age, and shows a folder grow where it is', async () => {
  await page.goto(`${visit.product.address}/filemanagement?volumeId=1&path=/`)
  await person.see('renders')
  await person.enter(await snapshotButton())
  await person.see('Newest:')
  expect(await look(visit, 'live-choice')).toEqual([])
  await person.enter('Now')
  await expect.poll(address).toBe('?volumeId=1&path=%2F&date=now')
  await person.see(/Now, \d+(\.\d)? s ago/)
  await expect.poll(() => sizeOf('renders')).toBe('3.00 KiB')
  await person.press('Open renders')
  await person.see('a.exr')
  shown.bytes = 5 * KiB
  await changeFiles()
  await expect.poll(() => sizeOf('renders')).toBe('5.00 KiB')
  await person.see('a.exr')
  expect(await look(visit, 'live-folder')).toEqual([])
})

test.each([
  ['search', '/search?date=now', 'notes.txt'],
  ['map', '/map?volumeId=1&path=/&date=now', 'Now'],
  ['files', '/filemanagement?date=now', 'Films'],
])('the screen %s has Now', async (name, path, content) => {
  await page.goto(visit.product.address + path)
  await person.see(content)
  await person.see(/Now, \d+(\.\d)? s ago/)
  expect(await look(visit, `live-${name}`)).toEqual([])
})

test('the dashboard says what grows now, which leads there', async () => {
  await page.goto(`${visit.product.address}/?date=now`)
  await expect.poll(() => cardText(visit, 'What grows now')).toContain('Nothing grows right now')
  const folder = { volumeId: 1, volumeName: 'Films', owner: 'root', bytesPerMinute: 2_500 * KiB, filesPerMinute: 3 }
  shown.growing = [{ ...folder, path: '/renders' }]
  await changeFiles()
  await expect.poll(() => cardText(visit, 'What grows now')).toContain('/rendersFilmsroot2.44 MiB/min3 files/min')
  await person.see(`As of`)
  expect(await look(visit, 'live-dashboard')).toEqual([])
  await page.locator('a ::-p-text(/renders)').click()
  await expect.poll(address).toBe('?volumeId=1&path=%2Frenders&date=now')
})

test('a wall has a board of it, and the age of the figures of live storages', async () => {
  await page.goto(`${visit.product.address}/wall?boards=now,capacity&every=300`)
  await person.see('Folders that grow now')
  await person.see('2.44 MiB/min')
  expect(await lookAtWall(page, 'now')).toEqual([])
  await person.key('ArrowRight')
  await person.see(/Films \d+(\.\d)? s ago/)
  expect(await lookAtWall(page, 'now-capacity')).toEqual([])
  expect(visit.complaints).toEqual([])
})

const snapshotButton = async () =>
  (await page
    .waitForSelector('button[aria-label^="Snapshot "]')
    .then((button) => button?.evaluate((node) => node.getAttribute('aria-label')))) ?? ''

const changeFiles = () => page.evaluate(() => (globalThis as unknown as { noticeChange: () => void }).noticeChange())

/** Lets a page receive the notice that the server sends while an agent reports changes. */
function receivesNotices() {
  const Original = WebSocket
  globalThis.WebSocket = class extends Original {
    constructor(url: string | URL) {
      super(url)
      let last = 0
      this.addEventListener('message', ({ data }) => {
        const { topic, position } = JSON.parse(String(data)) as { topic?: string; position?: number }
        if (topic === 'changed') last = position ?? last
      })
      const noticeChange = () => {
        const events = [{ type: 'changed', topics: ['live'] }]
        const data = JSON.stringify({ type: 'events', topic: 'changed', position: ++last, events })
        this.dispatchEvent(new MessageEvent('message', { data }))
      }
      Object.assign(globalThis, { noticeChange })
    }
  }
}
