import { beforeAll, expect, test } from 'vitest'
import { groupingFields } from '#events/search/calls.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { testSearch } from './testing.ts'

const platform = await testPlatform()
const { ask, get, post } = await testSearch(platform)

const modified = 1_650_000_000

beforeAll(async () => {
  for (const name of ['Films', 'Tape']) {
    const volumeId = await newVolume(platform, name)
    await scanFolders(platform, { volumeId, indexingDate: '2026-01-01' }, [
      { path: '', entries: [{ path: '/a', isDirectory: true }] },
      {
        path: '/a',
        entries: [
          { path: '/a/take.MOV', size: 100, modified, owner: 'ana' },
          { path: `/a/${name}.wav`, size: 7, modified: modified + 40 * 86_400, owner: 'bo' },
          { path: `/a/${name}`, size: 3, modified, owner: 'bo' },
        ],
      },
    ])
  }
})

/** Filters, and conditions with the same meaning. */
const pairs = [
  ['minimumSize=5', [{ size: { min: 5 } }]],
  ['extension=mov', { searchOperator: 'OR', searchQueries: [{ extension: { value: 'mov' } }] }],
  ['owner=bo', [{ owner: { value: 'bo' } }]],
  ['onlyDuplicates=true', [{ isDupe: { value: true } }]],
  ['', []],
] as const

test('charts of conditions equal those of the filters with the same meaning, without folders', async () => {
  for (const [filters, criteria] of pairs) {
    for (const fieldName of groupingFields) {
      const chart = `fieldName=${fieldName}&indexingDate=2026-01-01`
      const counted = await post(`/v1/search/fields?${chart}`, criteria)
      expect([filters, fieldName, counted]).toEqual([
        filters,
        fieldName,
        await get(`/files/search/fields?${chart}&${filters}`),
      ])
      expect(counted.length).toBeGreaterThan(0)
    }
    const chart = 'dateField=lastModified&dateIntervalType=MONTH&indexingDate=2026-01-01&size=50'
    const points = await post(`/v1/search/dates?${chart}`, criteria)
    expect([filters, points]).toEqual([filters, await get(`/files/search/dates?${chart}&${filters}`)])
  }
})

test('the periods of conditions end at the requested time', async () => {
  const chart = '/v1/search/dates?dateField=lastModified&dateIntervalType=MONTH&indexingDate=2026-01-01&size=1'
  expect(await post(`${chart}&before=2022-05-01`, [])).toEqual([{ date: '2022-04-01', size: 206, count: 4 }])
  expect(await post(`${chart}&before=2022-06-01`, [])).toEqual([{ date: '2022-05-01', size: 14, count: 2 }])
})

test('files are charted by type, in any case of their extension', async () => {
  expect(await post('/v1/search/fields?fieldName=fileType', [])).toMatchObject([
    { field: 'video', size: 200, count: 2 },
    { field: 'audio', size: 14, count: 2 },
    { field: 'other', size: 6, count: 2 },
  ])
})

test('a regular expression that is none is refused before anything is counted', async () => {
  const { status } = await ask('POST', '/api/v1/search/fields').send([{ name: { regex: '(' } }] as object)
  expect(status).toBe(400)
})
