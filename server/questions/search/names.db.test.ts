import { beforeAll, expect, test } from 'vitest'
import { literalPattern } from '#events/search/patterns.ts'
import { createApp } from '#server/app.ts'
import { contains, nameText } from '#server/content/entries/conditions.ts'
import { type Sql, sql, text } from '#server/platform/clickhouse/sql.ts'
import { cases, testSeed } from '#server/platform/testing/cases.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { entriesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import { snapshotOrEmpty } from '#server/content/snapshots/reading/snapshotAt.ts'
import { asUser, testSession } from '#server/testing.ts'
import { searchRoutes } from './index.ts'

const platform = await testPlatform()
const app = createApp(platform, searchRoutes(platform))
const ask = asUser(app, await testSession(platform.db, []))

/** As macOS stores names: accents after their letters. */
const decomposed = 'Bestätigung März.pdf'.normalize('NFD')
const names = [
  decomposed,
  'Straße 7.txt',
  'ΣΊΣΥΦΟΣ.txt',
  'ガイド.pdf'.normalize('NFD'),
  '학점인정 a.md',
  '학점인정 b.md'.normalize('NFD'),
  'what?.txt',
  'whatever.txt',
  '5*3.csv',
  '543.csv',
  'final report v2.doc',
  'report draft.doc',
  String.raw`back\slash.txt`,
  'two  spaces.txt',
  'a.tar.gz',
  'x.targz',
  '.tar.gz',
  'b.TAR.GZ ',
  'Report v1.2 final draft',
  'list.txt ',
  'skizze.DÄT'.normalize('NFD'),
  String.raw`ab\\\cdef`,
  String.raw`日本\\\語 Ä`,
  'a_b_c%20d',
]

beforeAll(async () => {
  const volumeId = await newVolume(platform, 'Names')
  const entries = names.map((name) => ({ path: `/${name}`, owner: String.raw`CORP\Zoë` }))
  await scanFolders(platform, { volumeId, indexingDate: '2026-01-01', cloneIndex: false }, [{ path: '', entries }])
})

async function namesOf(path: string, body?: unknown): Promise<string[]> {
  const answer = await ask(body ? 'POST' : 'GET', path, JSON.stringify(body))
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer.body.elements.map(({ name }: { name: string }) => name).sort()
}
const searched = (filters: Record<string, string>) => namesOf(`/api/files/search?${new URLSearchParams(filters)}`)
const matching = (operators: Record<string, unknown>) => namesOf('/api/v1/search', [{ name: operators }])

test('a name is found however its accents are encoded, on the disk and in the search', async () => {
  const expected = [decomposed]
  for (const typed of ['bestätigung', 'BESTÄTIGUNG', 'bestätigung'.normalize('NFD'), 'best?tigung m?rz.pdf'])
    for (const filter of ['search', 'name'])
      expect([typed, filter, await searched({ [filter]: typed })]).toEqual([typed, filter, expected])
  const whole = 'bestätigung märz.pdf'
  for (const operators of [
    { value: whole },
    { values: ['x', whole] },
    { startsWith: 'BESTÄT' },
    { wildcard: '*ätigung*' },
    { regex: 'tä.igung März' },
  ])
    expect([operators, await matching(operators)]).toEqual([operators, expected])
  expect(await searched({ search: 'ガイド' })).toEqual(['ガイド.pdf'.normalize('NFD')])
  for (const typed of ['학점인정', '*인정*'.normalize('NFD')])
    expect((await searched({ search: typed })).length).toBe(2)
  expect(await searched({ ignorePattern: 'bestätigung*', search: '.pdf' })).toEqual(['ガイド.pdf'.normalize('NFD')])
})

test('names from before the search key are found, because it is computed when they are read', async () => {
  const parts = sql`SELECT DISTINCT partition FROM system.parts
    WHERE database = currentDatabase() AND table = 'entries' AND active`
  for (const { partition } of await platform.clickhouse.rows<{ partition: string }>(parts))
    await platform.clickhouse.command(
      text(`ALTER TABLE entries CLEAR COLUMN folded_name IN PARTITION ${partition} SETTINGS mutations_sync = 2`),
    )
  expect(await searched({ search: 'bestätigung' })).toEqual([decomposed])
})

test('a search in names, on any date, reads less because of its index', async () => {
  const { volumes, ...snapshot } = await snapshotOrEmpty(platform.db, 'everything', undefined)
  const earlier = { ...snapshot, volumes: volumes.map((volume) => ({ ...volume, committedScan: volume.scanId + 1 })) }
  const read = async (typed: string, from: Sql) => {
    const question = sql`SELECT name FROM ${from} WHERE ${contains(nameText, typed)} ORDER BY name`
    const rows = await platform.clickhouse.rows<{ name: string }>(
      sql`${question} SETTINGS force_data_skipping_indices = 'by_name'`,
    )
    return rows.map(({ name }) => name)
  }
  for (const from of [text('entries'), entriesAt({ ...snapshot, volumes }), entriesAt(earlier)]) {
    expect(await read('REPORT draft', from)).toEqual(['Report v1.2 final draft', 'report draft.doc'])
    expect(await read('wha?ever*', from)).toEqual(['whatever.txt'])
  }
})

test('patterns find the same names with their index as without it', async () => {
  expect(await searched({ search: String.raw`ab\\\\\\*` })).toEqual([String.raw`ab\\\cdef`])
  const random = newRandom(testSeed(1))
  const mask = (letter: string) => (random.chance(0.12) ? '*' : random.chance(0.1) ? '?' : literalPattern(letter))
  for (let i = 0; i < cases(30, 4_000); i++) {
    const letters = [...random.pick(names)].map(mask)
    const whole = letters.join('')
    const typed = random.pick([whole, `*${whole}*`, letters.slice(2, 7).join('')])
    const isFound = contains(nameText, typed)
    const counts = await platform.clickhouse.one<{ found: number; expected: number }>(
      sql`SELECT count() AS found, (SELECT countIf(${isFound}) FROM entries) AS expected FROM entries WHERE ${isFound}`,
    )
    expect([typed, counts.found]).toEqual([typed, counts.expected])
  }
})

test('case is ignored in every script', async () => {
  for (const typed of ['STRASSE', 'straße', 'strasse 7', 'stra?e 7.txt', 'stra??e 7.txt'])
    expect([typed, await searched({ search: typed })]).toEqual([typed, ['Straße 7.txt']])
  for (const typed of ['σίσυφος', 'ΣΊΣΥΦΟσ'])
    expect([typed, await searched({ search: typed })]).toEqual([typed, ['ΣΊΣΥΦΟΣ.txt']])
})

test('a backslash makes * and ? literal', async () => {
  expect(await searched({ search: 'what?' })).toEqual([])
  expect(await searched({ search: String.raw`what\?` })).toEqual(['what?.txt'])
  expect(await searched({ search: String.raw`*\?*` })).toEqual(['what?.txt'])
  expect(await searched({ search: '5*3.csv' })).toEqual(['5*3.csv', '543.csv'])
  expect(await searched({ search: String.raw`5\*3.csv` })).toEqual(['5*3.csv'])
  expect(await matching({ wildcard: String.raw`5\*3.*` })).toEqual(['5*3.csv'])
  expect(await searched({ search: String.raw`back\slash` })).toEqual([String.raw`back\slash.txt`])
  expect(await searched({ search: String.raw`back\\*` })).toEqual([String.raw`back\slash.txt`])
})

test('words are found in any order', async () => {
  expect(await searched({ search: 'report final doc' })).toEqual(['final report v2.doc'])
  expect(await searched({ search: '  report   DOC ' })).toEqual(['final report v2.doc', 'report draft.doc'])
  expect(await searched({ name: 'draft report doc' })).toEqual(['report draft.doc'])
  expect(await searched({ search: 'report absent' })).toEqual([])
  expect(await searched({ search: String.raw`report\ draft` })).toEqual(['report draft.doc'])
  expect(await searched({ search: String.raw`draft\ report` })).toEqual([])
  expect(await searched({ search: String.raw`\ \ ` })).toEqual(['two  spaces.txt'])
})

test('the patterns of owners have no escapes, because domains end with a backslash', async () => {
  expect((await searched({ owner: String.raw`corp\*` })).length).toBe(names.length)
  expect((await searched({ owner: String.raw`CORP\zoë`.normalize('NFD') })).length).toBe(names.length)
  expect((await namesOf('/api/v1/search?size=500', [{ owner: { wildcard: String.raw`CORP\*` } }])).length).toBe(
    names.length,
  )
})

test('an extension may have several parts, dots and spaces', async () => {
  const byExtension = (extension: string) => searched({ extension })
  const isExtension = (operators: object) => namesOf('/api/v1/search', [{ extension: operators }])
  for (const typed of ['tar.gz', '.tar.gz', ' .TAR.GZ '])
    expect([typed, await byExtension(typed)]).toEqual([typed, ['a.tar.gz', 'b.TAR.GZ ']])
  expect(await byExtension('gz')).toEqual(['.tar.gz', 'a.tar.gz', 'b.TAR.GZ '])
  expect(await byExtension('targz')).toEqual(['x.targz'])
  expect(await byExtension('targz, tar.gz')).toEqual(['a.tar.gz', 'b.TAR.GZ ', 'x.targz'])
  expect(await isExtension({ value: 'tar.gz' })).toEqual(['a.tar.gz', 'b.TAR.GZ '])
  expect(await isExtension({ values: ['.tar.gz', 'nothing'] })).toEqual(['a.tar.gz', 'b.TAR.GZ '])
  const draft = ['Report v1.2 final draft']
  expect(await isExtension({ value: '2 final draft' })).toEqual(draft)
  expect(await byExtension('2 Final Draft')).toEqual(draft)
  expect(await byExtension('dät')).toEqual(['skizze.DÄT'.normalize('NFD')])
})

test('a space at the end of a name does not belong to its extension', async () => {
  expect(await searched({ extension: 'txt', search: 'list' })).toEqual(['list.txt '])
  const { body } = await ask('GET', '/api/files/search/fields?fieldName=extension&size=25')
  expect(body.map(({ field }: { field: string }) => field)).not.toContain('txt ')
})

test('numbers in names sort by their value, on every page', async () => {
  const volumeId = await newVolume(platform, 'Shots')
  const shots = ['shot.1.exr', 'shot.2.exr', 'Shot.10.exr', 'shot.0100.exr', 'v1.9', 'v1.10', `x${'9'.repeat(30)}`]
  const entries = shots.toReversed().map((name) => ({ path: `/${name}` }))
  await scanFolders(platform, { volumeId, indexingDate: '2026-01-01', cloneIndex: false }, [{ path: '', entries }])
  const listed: string[] = []
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const query = new URLSearchParams({ volumeId: String(volumeId), sort: 'name', size: '2', cursor })
    const { body } = await ask('GET', `/api/files/search?${query}`)
    listed.push(...body.elements.map(({ name }: { name: string }) => name))
    cursor = body.cursor ?? undefined
  }
  expect(listed).toEqual(shots)
})

test('a size filter has the units of its base', async () => {
  const volumeId = await newVolume(platform, 'Sizes')
  const entries = [
    { path: '/decimal', size: 1e9 },
    { path: '/binary', size: 2 ** 30 },
  ]
  await scanFolders(platform, { volumeId, indexingDate: '2026-01-01', cloneIndex: false }, [{ path: '', entries }])
  const atLeast = { volumeId: String(volumeId), minimumSize: '1', minimumSizeUnit: 'GB' }
  expect(await searched(atLeast)).toEqual(['binary'])
  expect(await searched({ ...atLeast, sizeBase: '2' })).toEqual(['binary'])
  expect(await searched({ ...atLeast, sizeBase: '10' })).toEqual(['binary', 'decimal'])
})
