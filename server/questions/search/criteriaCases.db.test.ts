import { beforeAll, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { asUser, testSession } from '#server/testing.ts'
import { searchRoutes } from './index.ts'

const platform = await testPlatform()
const app = createApp(platform, searchRoutes(platform))
const ask = asUser(app, await testSession(platform.db, []))
const search = (body: unknown) => ask('POST', '/api/v1/search?sort=name', JSON.stringify(body))

const fieldTypes = async (query = '') => (await ask('GET', `/api/v1/files/fields/metadata/mapping${query}`)).body
const withoutMetadata = await fieldTypes()

beforeAll(async () => {
  const volumeId = await newVolume(platform, 'Films')
  const shot = { camera: 'A7 "IV"', 'white balance': '5600' }
  await scanFolders(platform, { volumeId, indexingDate: '2026-01-01', cloneIndex: false }, [
    {
      path: '',
      entries: [{ path: '/a.mov', metadata: shot, size: 5000 }, { path: '/b.mov', size: 6000 }, { path: '/100%.mov' }],
    },
  ])
})

async function found(body: unknown): Promise<string[]> {
  const answer = await search(body)
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer.body.elements.map(({ name }: { name: string }) => name)
}

test('the fields of a search have types, and keys of metadata are among them once something has them', async () => {
  expect(withoutMetadata).toMatchObject({ volumeId: 'list', name: 'string', size: 'long', folderDepth: 'integer' })
  expect(Object.keys(withoutMetadata).length).toBe(24)
  const types = { ...withoutMetadata, 'metadata.camera': 'string', 'metadata.white balance': 'string' }
  expect(await fieldTypes()).toEqual(types)
  expect(await fieldTypes('?indexingDate=2025-12-31')).toEqual(withoutMetadata)
})

test('both ends of a range of sizes belong to it', async () => {
  expect(await found([{ size: { min: 5000, max: 6000 } }, { extension: { value: 'mov' } }])).toEqual(['a.mov', 'b.mov'])
  expect(await found([{ size: { min: 5001, max: 5999 } }, { extension: { value: 'mov' } }])).toEqual([])
})

test('a chart that ends before a day leaves out what was modified in its first second', async () => {
  const midnight = new Date('2024-05-02T00:00:00').getTime() / 1_000
  const entries = [
    { path: '/last.mov', modified: midnight - 1 },
    { path: '/first.mov', modified: midnight },
  ]
  const volumeId = await newVolume(platform, 'Midnight')
  await scanFolders(platform, { volumeId, indexingDate: '2024-05-03', cloneIndex: false }, [{ path: '', entries }])
  const chart =
    'dateField=lastModified&dateIntervalType=DAY&size=2&lastModifiedBefore=2024-05-02&indexingDate=2024-05-03'
  const { body } = await ask('GET', `/api/files/search/dates?volumeId=${volumeId}&${chart}`)
  expect(body.map(({ date, count }: { date: string; count: number }) => [date, count])).toEqual([
    ['2024-04-30', 0],
    ['2024-05-01', 1],
  ])
})

test('an older date has the keys that its files had', async () => {
  const volumeId = await newVolume(platform, 'Lenses')
  const scan = (indexingDate: string, metadata: Record<string, string>) =>
    scanFolders(platform, { volumeId, indexingDate }, [{ path: '', entries: [{ path: '/d.mov', metadata }] }])
  await scan('2025-11-01', { lens: '50 mm' })
  await scan('2025-11-02', { aperture: 'f/2' })
  for (const [day, key, other] of [
    ['2025-11-02', 'metadata.aperture', 'metadata.lens'],
    ['2025-11-01', 'metadata.lens', 'metadata.aperture'],
    ['2025-11-02', 'metadata.aperture', 'metadata.lens'],
  ]) {
    const types = Object.keys(await fieldTypes(`?indexingDate=${day}`))
    expect([day, types.includes(key!), types.includes(other!)]).toEqual([day, true, false])
  }
})

test('before anything was indexed nothing has a tag or was deleted', async () => {
  const day = 'indexingDate=1990-01-01'
  for (const filters of ['tag=x', 'report=x', 'tag=x&showOnlyDeletedFiles=true', 'report=x&showOnlyDeletedFiles=true'])
    for (const call of [
      '',
      '/sizes',
      '/fields?fieldName=owner',
      '/dates?dateField=lastModified&dateIntervalType=DAY',
    ]) {
      const sign = call.includes('?') ? '&' : '?'
      expect((await ask('GET', `/api/files/search${call}${sign}${day}&${filters}`)).status).toBe(200)
    }
  for (const criteria of [
    [{ customTags: { value: 'x' } }],
    [{ customTags: { regex: 'x' } }, { isDeleted: { value: true } }],
  ]) {
    const { status, body } = await ask('POST', `/api/v1/search?${day}`, JSON.stringify(criteria))
    expect([status, body.elements]).toEqual([200, []])
  }
})

test('a pattern is as long as the engine can make an expression of, or refused by name', async () => {
  for (const field of ['path', 'name', 'customTags']) {
    const maxPattern = '?'.repeat(1_000)
    for (const wildcard of [maxPattern, `*${maxPattern}*`])
      expect((await search([{ [field]: { wildcard } }])).status).toBe(200)
    for (const wildcard of [`${maxPattern}?`, `*${maxPattern}?*`, `**${maxPattern}`]) {
      const { status, body } = await search([{ [field]: { wildcard } }])
      expect([status, body.subErrors?.[0]?.field]).toEqual([400, expect.stringContaining('wildcard')])
    }
  }
})

test('metadata is searched by the names of its fields', async () => {
  expect(await found([{ 'metadata.camera': { value: 'a7 "iv"' } }])).toEqual(['a.mov'])
  expect(await found([{ 'metadata.white balance': { regex: '^5[0-9]+$' } }])).toEqual(['a.mov'])
  expect(await found([{ 'metadata.camera': { wildcard: '*' } }])).toEqual(['a.mov'])
  expect(await found([{ 'metadata.camera': { wildcard: '*' }, excludeFilter: true }])).toEqual(['100%.mov', 'b.mov'])
  expect(await found([{ 'metadata.lens': { value: '' } }])).toEqual([])
})

test('files of about the same size are related', async () => {
  expect(await found([{ size: { min: 5000 - 1024, max: 5000 + 1024 } }, { isDirectory: { value: false } }])).toEqual([
    'a.mov',
    'b.mov',
  ])
})

test('odd values find what is there, or nothing', async () => {
  const nothing = [
    `'`,
    `"`,
    '\\',
    '%',
    '_',
    '*',
    '?',
    '\0',
    '\u{d800}',
    `' OR 1=1 --`,
    '{p0:String}',
    '\n',
    'x'.repeat(900),
  ]
  for (const value of nothing)
    for (const field of [
      'name',
      'owner',
      'path',
      'fileId',
      'identificationHash',
      'customTags',
      'metadata.a',
      `metadata.${value}`,
    ])
      expect([field, value, await found([{ [field]: { value } }])]).toEqual([field, value, []])
  for (const operator of ['startsWith', 'wildcard', 'regex'] as const)
    expect(await found([{ name: { [operator]: operator === 'regex' ? String.raw`\$;` : `'; --` } }])).toEqual([])
  expect(await found([{ name: { startsWith: '100%' } }])).toEqual(['100%.mov'])
  expect(await found([{ name: { wildcard: '1?0%*' } }])).toEqual(['100%.mov'])
  expect(await found([{ name: { value: 'a%.mov' } }])).toEqual([])
  expect(await found([])).toEqual(['100%.mov', 'a.mov', 'b.mov'])
  expect(await found({ searchOperator: 'OR', searchQueries: [] })).toEqual(['100%.mov', 'a.mov', 'b.mov'])
  const maxQueries = Array.from({ length: 100 }, (_, n) => ({ isDupe: { value: n > 0 } }))
  expect(await found({ searchOperator: 'OR', searchQueries: maxQueries })).toEqual(['100%.mov', 'a.mov', 'b.mov'])
  const quotes = Array.from({ length: 50 }, () => ({ path: { startsWith: `/${"'".repeat(1000)}` } }))
  expect(await found({ searchOperator: 'OR', searchQueries: quotes })).toEqual([])
  const ids = Array.from({ length: 1000 }, (_, n) => n.toString(16).padStart(16, '0'))
  expect(await found([{ fileId: { values: ids } }])).toEqual([])
})
