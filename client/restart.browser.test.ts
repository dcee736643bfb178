import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startProduct } from '#deploy/local/testing.ts'
import { testDatabaseUrl } from '#server/platform/testing/stores.ts'
import { hands, signInAt, testVisit } from './testing.ts'

const visit = await testVisit({ own: 'kills the server' })

const call = async <T>(method: 'GET' | 'POST', path: string, body?: unknown) =>
  (await visit.product.call(method, path, body)).answer as T
function addVolume(name: string) {
  const path = join(visit.scratch, name)
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, 'one.txt'), 'one')
  return visit.product.addStorage({ name, path })
}
/** Phase of the connection status in the header. */
const mark = () => visit.page.$eval('output[data-phase]', (mark) => mark.getAttribute('data-phase'))
const text = () => visit.page.evaluate(() => document.body.innerText)
const streams = () =>
  visit.page.$$eval('tr[data-index]', (rows) =>
    rows.map((row) => (row as HTMLElement).innerText.split('\t')[3]?.trim()),
  )

/** Kills the server, waits until the page has noticed, calls `meanwhile`, and restarts the server on the same port. */
async function restart(meanwhile = async () => {}) {
  const { port } = new URL(visit.product.address)
  await visit.product.kill()
  await expect.poll(mark).not.toBe('live')
  await meanwhile()
  const environment = { PORT: port, DATABASE_URL: await testDatabaseUrl() }
  visit.product = await startProduct(join(visit.scratch, 'data'), { environment })
}

test('a page that was open while the server was killed reconnects and shows all events', async () => {
  await addVolume('Before')
  await signInAt(visit, '/event-log')
  await expect.poll(streams).toContain('volume-1')
  await visit.page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
  await restart()
  await addVolume('After')
  await expect.poll(mark).toBe('live')
  for (const id of [1, 2])
    await expect.poll(async () => (await streams()).filter((stream) => stream === `volume-${id}`)).toHaveLength(1)
  expect(await visit.page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
})

test('the dashboard shows a scan of after the restart without being loaded again', async () => {
  await visit.page.goto(`${visit.product.address}/`)
  await hands(visit).see('There is no data indexed')
  // Cards further down load later; a page that lacks one is loaded again.
  await visit.page.waitForNetworkIdle()
  await visit.page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
  await restart()
  await call('POST', '/v1/scans/volumes/ids', [1])
  await expect.poll(text).not.toMatch('There is no data indexed')
  await expect.poll(mark).toBe('live')
  expect(await visit.page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
})

test('while the server is away, screens say so in one place and wait, and fill once it is back', async () => {
  const open = async (path: string) => {
    await visit.page.waitForSelector(`nav a[href="${path}"]`)
    await visit.page.$eval(`nav a[href="${path}"]`, (link) => (link as HTMLElement).click())
  }
  // Loads a current page, which the next link doesn't reload, and the chunks of both screens.
  await visit.page.goto(`${visit.product.address}/event-log`)
  await expect.poll(streams).toContain('volume-1')
  await open('/')
  await hands(visit).see('Most Active Storage')
  await visit.page.setCacheEnabled(false)
  const refused: string[] = []
  visit.page.on('requestfailed', (request) => void refused.push(new URL(request.url()).pathname))
  await restart(async () => {
    await open('/event-log')
    await expect.poll(() => refused.filter((path) => path.startsWith('/api/'))).not.toEqual([])
    await expect.poll(() => new URL(visit.page.url()).pathname).toBe('/event-log')
    expect(await text()).not.toMatch('An error occurred')
    // The program of this screen was not loaded yet.
    await open('/settings')
    await hands(visit).see("The server can't be reached. This screen will load when it is back.")
    // The palette is missing, too.
    await visit.page.keyboard.down('Control')
    await visit.page.keyboard.press('k')
    await visit.page.keyboard.up('Control')
    await expect.poll(() => visit.complaints.some((complaint) => complaint.includes('Palette'))).toBe(true)
    expect(await mark()).not.toBe('live')
  })
  await hands(visit).see('Up since')
  expect(new URL(visit.page.url()).pathname).toBe('/settings')
  await open('/event-log')
  await expect.poll(mark).toBe('live')
  await expect.poll(streams).toContain('volume-1')
})
