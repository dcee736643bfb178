import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'

const visit = await testVisit()
const films = join(visit.scratch, 'films')
const panel = () => visit.page.$eval('aside', ({ innerText }) => innerText)
/** The messages that are shown at the edge, and how often what is refused stands elsewhere. */
const messages = () =>
  visit.page.$$eval('.mantine-Notification-description', (texts) => texts.map(({ textContent }) => textContent))
const inPlace = (text: string) =>
  visit.page.$$eval(
    ':is(main, aside) [role="alert"]',
    (all, text) => all.some((one) => one.textContent?.includes(text)),
    text,
  )
const noWords = { status: 500, contentType: 'text/plain', body: '' }
/** What a refused call answers. */
let failure = { status: 500, contentType: 'application/json', body: '{"message":"The store is away"}' }
/** Which calls are refused, and until when. */
let down: RegExp | undefined
let heldUntil = Promise.resolve()

test('what a storage costs, and what is known of it, can be tried again where that failed', async () => {
  const { page } = visit
  const { press, choose, see } = hands(visit)
  mkdirSync(join(films, 'takes'), { recursive: true })
  writeFileSync(join(films, 'takes', 'film.mov'), 'a film')
  await visit.product.call('POST', '/v1/storage-prices', { description: 'Gold', currencySymbol: '$', price: 1e10 })
  await visit.product.addStorage({ name: 'Films', path: films, storagePrice: { id: 1 } })
  await visit.product.call('POST', '/v1/scans/volumes/ids', [1])
  await signInAt(visit, '/filemanagement')
  await see('Films')

  down = /\/v1\/volumes\?/
  await page.setRequestInterception(true)
  page.on('request', (request) => {
    void (down?.test(request.url()) ? heldUntil.then(() => request.respond(failure)) : request.continue())
  })
  await page.goto(`${visit.product.address}/filemanagement?volumeId=1`)
  await choose('Last column', 'Monthly Cost')
  const costs = () =>
    page.$$eval('table[role="treegrid"] tr[data-index] td:nth-child(3)', (cells) =>
      cells.map(({ innerText }) => innerText),
    )
  await expect.poll(costs).toEqual(['Retry'])
  expect(await panel()).toMatch(/The store is away\s+Retry/)
  expect(await look(visit, 'files-cost-failing')).toEqual([])
  down = undefined
  await press('Retry')
  await expect.poll(costs).toEqual([expect.stringMatching(/^\$ \d/)])
  expect(await panel()).toMatch(/Films[^]*Cost\s+\$ \d/)
})

test('what a row does not tell of a file has its place until it comes, and can be asked again where that failed', async () => {
  const { pressAt, press } = hands(visit)
  await visit.page.goto(`${visit.product.address}/filemanagement?volumeId=1&path=/takes`)
  down = /\/v1\/search\?/
  const { promise, resolve: letGo } = Promise.withResolvers<void>()
  heldUntil = promise
  await pressAt('tr ::-p-text(film.mov)')
  await expect.poll(panel).toMatch(/Name\s+film.mov[^]*Extension\s+mov\s+Duplicate\s+…[^]*Permissions\s+…/)
  expect(await look(visit, 'files-details-waiting')).toEqual([])
  letGo()
  await expect.poll(panel).toMatch(/Name\s+film.mov[^]*Size\s+6[^]*Other details\s*Retry\s*The store is away/)
  expect(await panel()).not.toMatch(/Duplicate|…/)
  expect(await look(visit, 'files-details-failing')).toEqual([])
  down = undefined
  await press('Retry')
  await expect.poll(panel).toMatch(/Extension\s+mov\s+Duplicate\s+No[^]*Permissions\s+0\d{3}/)
  expect(await panel()).not.toMatch(/Other details/)
})

test.each([
  ['/settings/jobs', /\/v1\/jobs\?/, 'Something went wrong while fetching the jobs'],
  ['/settings', /\/administration\/snapshots\?/, 'Unable to get the list of snapshots'],
  ['/settings', /\/servers\/infos/, 'Error while getting the list of servers'],
  ['/settings/data', /\/networkVolumes\/credentials/, 'Unable to fetch On-Premises credentials'],
  [
    '/filemanagement?volumeId=1&path=/takes',
    /\/directories\/details/,
    'Unable to get detail information about folder with path and storageId',
  ],
  [
    '/folders?volumeId=1&path=/takes',
    /\/directories\/statistics/,
    'Unable to get the statistics of the folder with path and storageId',
  ],
])('what %s cannot read, %s, is said once at the edge and where it is missing', async (address, calls, text) => {
  heldUntil = Promise.resolve()
  failure = noWords
  down = calls
  await visit.page.goto(visit.product.address + address)
  await expect.poll(messages).toEqual([text])
  await expect.poll(() => inPlace(text)).toBe(true)
  down = undefined
})
