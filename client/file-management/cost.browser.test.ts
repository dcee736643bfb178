import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hands, look, signInAt, testVisit } from '../testing.ts'

const visit = await testVisit()
const films = join(visit.scratch, 'films')

test('what a storage costs, and what is known of it, can be tried again where that failed', async () => {
  const { page } = visit
  const { press, choose, see } = hands(visit)
  mkdirSync(join(films, 'takes'), { recursive: true })
  writeFileSync(join(films, 'takes', 'film.mov'), 'a film')
  await visit.product.call('POST', '/v1/storage-prices', { description: 'Gold', currencySymbol: '$', price: 1e10 })
  await visit.product.call('POST', '/volumeSettings', { name: 'Films', path: films, storagePrice: { id: 1 } })
  await visit.product.call('POST', '/v1/scans/volumes/ids', [1])
  await signInAt(visit, '/filemanagement')
  await see('Films')

  let isDown = true
  await page.setRequestInterception(true)
  page.on('request', (request) => {
    const failure = { status: 500, contentType: 'application/json', body: '{"message":"The store is away"}' }
    const isRefused = isDown && /\/v1\/volumes\?/.test(request.url())
    void (isRefused ? request.respond(failure) : request.continue())
  })
  await page.goto(`${visit.product.address}/filemanagement?volumeId=1`)
  await choose('Last column', 'Monthly Cost')
  const costs = () =>
    page.$$eval('table[role="treegrid"] tr[data-index] td:nth-child(3)', (cells) =>
      cells.map(({ innerText }) => innerText),
    )
  await expect.poll(costs).toEqual(['Retry'])
  const panel = () => page.$eval('aside', ({ innerText }) => innerText)
  expect(await panel()).toMatch(/The store is away\s+Retry/)
  expect(await look(visit, 'files-cost-failing')).toEqual([])
  isDown = false
  await press('Retry')
  await expect.poll(costs).toEqual([expect.stringMatching(/^\$ \d/)])
  expect(await panel()).toMatch(/Films[^]*Cost\s+\$ \d/)
})
