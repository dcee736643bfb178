import { beforeAll, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { browseRoutes } from '#server/questions/browse/index.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { changeIn } from '#server/platform/log/change.ts'
import { readCsv } from '#server/platform/testing/readCsv.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { assignPriceBook, createPriceBook } from '#server/content/price-books/index.ts'
import { searchRoutes } from '#server/questions/search/index.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { asUser, testSession } from '#server/testing.ts'
import { changeTagsOf } from '#server/work/tags/changeTagsOf.ts'
import { exportRoutes } from './index.ts'

const platform = await testPlatform()
const { db } = platform
const app = createApp(platform, [...searchRoutes(platform), ...browseRoutes(platform), ...exportRoutes(platform)])
const ask = asUser(app, await testSession(db, []))
const dates = ['2026-03-01', '2026-03-02']

/** Cheap per byte but large, and small but expensive: by size, the order would be another one. */
const storages = [
  { name: 'Tape', price: 1, files: { big: 5000, middle: 3000, tiny: 10 } },
  { name: 'Flash', price: 100, files: { large: 90, small: 20 } },
  { name: 'Free', price: undefined, files: { huge: 9000 } },
]

beforeAll(async () => {
  const ids: number[] = []
  for (const { name, price, files } of storages) {
    const volumeId = await newVolume(platform, name)
    ids.push(volumeId)
    for (const indexingDate of dates)
      await scanFolders(platform, { volumeId, indexingDate }, [
        { path: '', entries: [{ path: '/a', isDirectory: true, size: 0 }] },
        {
          path: '/a',
          entries: Object.entries(files).map(([file, size]) => ({ path: `/a/${file}`, size, allocatedSize: size })),
        },
      ])
    if (price === undefined) continue
    await db.transaction().execute(async (trx) => {
      const book = { description: name, currencySymbol: '$', price, classPrices: [] }
      await assignPriceBook(trx, volumeId, { id: await createPriceBook(changeIn(trx, system), book) })
    })
  }
  const tag = (volumeId: number, path: string, add: string[]) =>
    changeTagsOf(platform, [{ volumeId, path, isDirectory: false }], {
      decide: () => ({ add, remove: [] }),
      by: system,
      scope: 'everything',
    })
  await tag(ids[0]!, '/a/big', ['Zebra', 'delta'])
  await tag(ids[0]!, '/a/tiny', ['alpha'])
  await tag(ids[1]!, '/a/small', ['Beta'])
  await tag(ids[1]!, '/a/large', ['dataintell.hidden'])
})

type List = { elements: { name: string }[]; cursor?: string | null }
const namesOf = ({ elements }: List) => elements.map(({ name }) => name)
async function get<Answer = List>(path: string): Promise<Answer> {
  const { status, body } = await ask('GET', `/api${path}`)
  expect({ path, status, body: status === 200 ? {} : body }).toEqual({ path, status: 200, body: {} })
  return body as Answer
}

const byCost = ['large', 'big', 'middle', 'small', 'tiny', 'huge']
const untagged = ['huge', 'large', 'middle']

test('searches are in the order of costs, not of sizes, over storages with different prices', async () => {
  expect(namesOf(await get('/files/search?page=1&size=10&sort=cost&direction=desc'))).toEqual(byCost)
  const { body, status } = await ask('POST', '/api/v1/search?page=1&size=10&sort=cost&direction=asc', {
    searchOperator: 'AND',
    searchQueries: [{ isDirectory: { value: false } }],
  })
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { elements: byCost.toReversed().map((name) => ({ name })) },
  })
})

test('searches are in the order of the first tag that users see; entries without one are first', async () => {
  const all = namesOf(await get('/files/search?page=1&size=10&sort=customTag'))
  expect(all.slice(0, 3).sort()).toEqual(untagged)
  expect(all.slice(3)).toEqual(['tiny', 'small', 'big'])
})

test('pages of both orders follow each other', async () => {
  for (const sort of ['cost', 'customTag']) {
    const whole = namesOf(await get(`/files/search?page=1&size=10&sort=${sort}`))
    const paged: string[] = []
    let cursor = ''
    do {
      const page = await get(`/files/search?page=1&size=2&sort=${sort}${cursor}`)
      paged.push(...namesOf(page))
      cursor = page.cursor ? `&cursor=${page.cursor}` : ''
    } while (cursor)
    expect({ sort, paged }).toEqual({ sort, paged: whole })
  }
})

test('folders list their contents in both orders, on their own and compared with an earlier date', async () => {
  const tagged = ['big', 'small', 'tiny']
  const inFolder = 'path=/a&size=10&direction=desc'
  const contents = (sort: string) => get<{ files: List }>(`/v1/directories/contents?${inFolder}&sort=${sort}`)
  expect(namesOf((await contents('cost')).files)).toEqual(byCost)
  expect(namesOf((await contents('customTag')).files).slice(0, 3)).toEqual(tagged)
  const compared = (sort: string) => get(`/v1/files/snapshots/${dates[0]}?${inFolder}&page=1&sort=${sort}`)
  expect(namesOf(await compared('cost'))).toEqual(byCost)
  expect(namesOf(await compared('customTag')).slice(0, 3)).toEqual(tagged)
  expect(namesOf(await get(`/v1/directories/contents/files?${inFolder}&page=1&sort=cost`))).toEqual(byCost)
})

test('downloads have the order of their list', async () => {
  const download = async (sort: string) => {
    const { body } = await ask('GET', `/api/files/search/csv?sort=${sort}&direction=desc`).responseType('blob')
    const [, ...rows] = readCsv(body as Buffer)
    return rows.map(([name]) => name)
  }
  expect(await download('cost')).toEqual(byCost)
  expect((await download('customTag')).slice(0, 3)).toEqual(['big', 'small', 'tiny'])
})
