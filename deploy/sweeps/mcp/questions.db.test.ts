import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { readSearchAddress } from '#client/parts/searched/searchAddress.ts'
import { snapshotDates } from '#deploy/tools/bench/questions/fill/calendar.ts'
import { kindsOf } from '#deploy/tools/bench/questions/kinds.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { changeIn } from '#server/platform/log/change.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { type File, scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { testToken } from '#server/testing.ts'
import { connect, testMcp } from '#server/questions/mcp/testing.ts'
import { cases } from '#server/platform/testing/cases.ts'
import { readCsv } from '#server/platform/testing/readCsv.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { createProject } from '#server/work/projects/index.ts'
import { changeTagsOf } from '#server/work/tags/changeTagsOf.ts'
import { toolsFor } from './toolsFor.ts'

const platform = await testPlatform()
const { address } = await testMcp(platform)
const { token } = await testToken(platform.db, ['ROLE_ADMIN'])
const { client, ask } = await connect(address, token)

const get = async (path: string) => {
  const response = await fetch(`${address}/api${path}`, { headers: { authorization: `Bearer ${token}` } })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.headers.get('content-type')?.includes('json')
    ? await response.json()
    : readCsv(new Uint8Array(await response.arrayBuffer()))
}

const folders = ['/projects', '/projects/aurora', '/projects/aurora/render', '/projects/aurora/render/deep', '/inbox']
const names =
  'sh0050_fx_v002.1199.exr a_comp_1.exr IMG_6812.png IMG_6871.jpg report.pdf README sh_plates.mov b_comp_2.exr'.split(
    ' ',
  )
const [first = '', older = '', newest = ''] = [snapshotDates[0], snapshotDates[4], snapshotDates[9]]
const volumes: number[] = []

beforeAll(async () => {
  for (const name of ['studio', 'office']) volumes.push(await newVolume(platform, name))
  const random = newRandom(7)
  for (const [index, indexingDate] of [first, older, newest].entries())
    for (const volumeId of volumes) await scanFolders(platform, { volumeId, indexingDate }, treeOf(random, index))
  const [studio = 0] = volumes
  const entry = { volumeId: studio, path: '/projects/aurora', isDirectory: true }
  await changeTagsOf(platform, [entry], {
    decide: () => ({ add: ['client'], remove: [] }),
    by: system,
    scope: 'everything',
  })
  const draft = {
    name: 'Aurora',
    description: '',
    allocatedSize: 1e6,
    paths: [{ volumeId: studio, path: '/projects/aurora' }],
  }
  await platform.db.transaction().execute((trx) => createProject(changeIn(trx, system), draft as never))
})

/** Files of the folders: some in every scan, some of each, and some with a copy. */
function treeOf(random: ReturnType<typeof newRandom>, scan: number) {
  const isDirectory = true
  const below = (folder: string) => folders.filter((path) => path.slice(0, path.lastIndexOf('/')) === folder)
  const files = (folder: string): File[] =>
    folder === ''
      ? []
      : names.slice(0, 5 + scan).map((name, n) => ({
          path: `${folder}/${name}`,
          inode: 100 + n,
          size: n < 2 ? 5_000 : 1 + random.below(3_000_000),
          modified: 1_500_000_000 + (n < 2 ? n : random.below(80_000_000)),
          accessed: 1_600_000_000 + random.below(80_000_000),
          owner: random.pick(['ana', 'bo']),
        }))
  return ['', ...folders].map((path) => ({
    path,
    entries: [...below(path).map((each, n) => ({ path: each, isDirectory, inode: 2 + n })), ...files(path)],
  }))
}

const place = (n: number, path: string) => ({ volume: volumes[n] ?? 0, path })

test('answers all kinds of questions of the benchmark as the API does', async () => {
  const kinds = kindsOf({
    studio: volumes[0] ?? 0,
    office: volumes[1] ?? 0,
    show: place(0, '/projects/aurora'),
    render: place(0, '/projects/aurora/render'),
    inbox: place(1, '/inbox'),
    department: place(1, '/projects'),
    deep: place(1, '/projects/aurora/render/deep'),
  })
  const asked = kinds.flatMap(({ variants }) => variants.flatMap(({ paths }) => paths))
  for (const path of new Set(asked)) {
    const question = toolsFor(path)
    const expected = question.ofApi((await get(path)) as never)
    const result = await ask(question.tool, question.input)
    expect({ path, ...result, text: '' }).toMatchObject({ path, isError: false })
    expect({ path, answer: question.ofTool(result.data) }).toEqual({ path, answer: expected })
    expect(unknownIn(String(result.data['link']))).toEqual([])
  }
  expect(kinds.flatMap(({ variants }) => variants).length).toBeGreaterThanOrEqual(32)
})

const screens = readFileSync(join(import.meta.dirname, '../../../client/screens.tsx'), 'utf8')
const routes = [...screens.matchAll(/^ {2}\['([^']+)',/gm)].map(
  ([, path = '']) => new RegExp(`^${path.replace(/:\w+/, '\\d+')}$`),
)

/** Faults of a link to a screen. */
function unknownIn(link: string): string[] {
  const { origin, pathname, searchParams } = new URL(link)
  const faults = origin === address && routes.some((route) => route.test(pathname)) ? [] : [link]
  return pathname === '/search' ? [...faults, ...readSearchAddress(searchParams).invalid] : faults
}

/** Other questions, with the call whose answer they have. */
const others: [tool: string, input: object, path: string, list?: string][] = [
  ['list_storages', {}, '/v1/storages/overview', ''],
  ['capacity_forecast', {}, '/v1/dashboard', 'storages'],
  ['scans', {}, '/v1/dashboard', 'scans'],
  ['snapshot_dates', {}, '/administration/dates', ''],
  ['projects', {}, '/v1/projects', 'elements'],
  ['project', { project: 'Aurora' }, '/v1/projects/1'],
  ['statement', { project: 'aurora' }, '/v1/projects/1/statements', ''],
  ['reports', {}, '/v1/reports/templates', 'elements'],
  ['jobs', {}, '/v1/jobs', 'elements'],
  ['firing_alerts', {}, '/v1/alerts/firing', ''],
  ['saved_searches', {}, '/v1/savedSearches', 'elements'],
  ['event_log', { limit: 10 }, '/v1/events?size=10', 'elements'],
  ['compare_dates', { previousDate: first }, `/v1/comparisons/${first}`],
  ['growth', { previousDate: first, by: 'owner' }, `/v1/comparisons/${first}/groups?by=owner`, 'elements'],
  ['growth', { previousDate: first }, `/v1/comparisons/${first}/groups`, 'elements'],
  ['duplicate_folders', {}, '/files/search/duplicateFolders', 'elements'],
]

test.each(others)('%s %o', async (tool, input, path, list) => {
  const answer = await get(path)
  const { data, isError, text } = await ask(tool, { ...input })
  expect([isError, isError ? text : '']).toEqual([false, ''])
  expect(unknownIn(String(data['link']))).toEqual([])
  const expected = list === undefined ? answer : list === '' ? answer : answer[list]
  const given = list === undefined ? data : data.rows
  expect(Array.isArray(given) ? byText(given) : given).toMatchObject(
    Array.isArray(expected) ? byText(expected.map(known)) : known(expected),
  )
})

const byText = (rows: object[]) =>
  rows.toSorted((a, b) => (JSON.stringify(known(a)) < JSON.stringify(known(b)) ? -1 : 1))

/** Numbers and texts of an answer, without what results leave out or name in another way. */
const known = (answer: object): object =>
  Object.fromEntries(
    Object.entries(answer).filter(([, value]) => ['number', 'string'].includes(typeof value) && value !== ''),
  )

test('the other tools find what these find', async () => {
  const file = '/studio/projects/aurora/a_comp_1.exr'
  const details = await ask('details', { path: file })
  expect(details.data).toMatchObject({ fullPath: file, size: 5_000, sizeText: '4.9 KiB', dupe: true })
  const copies = await ask('who_has_a_copy', { path: file, limit: 100 })
  const found = await get('/files/search?name=a_comp_1.exr&size=100')
  expect(copies.data['shown']).toBe(`${found.total - 1} of ${found.total - 1}`)
  const { data } = await ask('is_it_safe_to_delete', { path: file })
  expect(data).toMatchObject({
    verdict: 'Ask first: another copy is known, but there are reasons against.',
    otherCopies: [`Copies elsewhere: ${found.total - 1}.`],
    reasonsAgainst: ['It belongs to the project Aurora.'],
  })
  expect(data['notKnown']).toEqual(
    expect.arrayContaining(['Whether contents are the same: they were not compared.', 'Whether it is archived.']),
  )
  const alone = await ask('is_it_safe_to_delete', { path: '/studio/inbox/sh_plates.mov' })
  expect(alone.data['verdict']).toBe('Not known to be safe: no other copy of all of it is known.')
  expect((await ask('tags', {})).data.rows).toEqual([{ tag: 'client' }])
  const byTerms = await ask('search', { search: 'comp size>1kb ext:exr', storage: 'studio', limit: 100 })
  const same = { search: 'comp', minimumSize: 1_024, extension: 'exr', storage: 'studio', limit: 100 }
  expect(byTerms.data.rows).toEqual((await ask('search', same)).data.rows)
  expect(byTerms.data.rows.length).toBeGreaterThan(0)
  expect((await ask('search', { search: 'size>huge' })).text).toMatch(/search has size>huge, which isn't a filter$/)
  const conditions = 'Size is at least 1 MiB AND Storage is one of "studio"'
  const byConditions = await ask('search', { conditions, limit: 100 })
  const byFilters = await ask('search', { minimumSize: 1_048_576, storage: 'studio', limit: 100 })
  expect(byConditions.data.rows).toEqual(byFilters.data.rows)
  expect(byConditions.data['size']).toEqual(byFilters.data['size'])
})

test('a tool that prepares something starts nothing', async () => {
  const events = () => platform.db.selectFrom('events').select('position').execute()
  const before = await events()
  const archive = await ask('prepare_action', { action: 'archive', conditions: 'Name matches "*.exr"' })
  const found = await ask('search', { search: '*.exr' })
  expect(archive.data).toMatchObject({ isStarted: false, link: expect.stringContaining('/search?criteria=') })
  expect(`${archive.data['count']}`).toBe(/\d+$/.exec(String(found.data['shown']))?.[0])
  const report = await ask('prepare_report', { conditions: 'Last access is before 2 years ago' })
  expect(report.data).toMatchObject({
    isCreated: false,
    link: expect.stringContaining('/reports?wizard=new&criteria='),
  })
  expect(await events()).toEqual(before)
})

test('fuzzed inputs give a result, or a sentence that says what is wrong', async () => {
  const random = newRandom(11)
  const { tools } = await client.listTools()
  const words = [
    '',
    '*',
    '../..',
    '/',
    '//',
    "' OR 1=1 --",
    '\u202e\0',
    '🎬',
    '-1',
    'now-2y',
    '2026-02-31',
    newest,
    'x'.repeat(5_000),
    'studio',
    '/projects',
  ]
  const values = [...words, 0, -1, 1e308, 3.5, null, true, [], {}, [[]], ['*'], { a: 1 }, '9'.repeat(40)]
  const bad: object[] = []
  for (let n = 0; n < cases(250, 1_000); n++) {
    const { name, inputSchema } = random.pick(tools)
    const known = Object.keys(inputSchema.properties ?? {})
    const fields = Array.from({ length: random.below(4) }, () => (random.chance(0.9) ? random.pick(known) : 'unknown'))
    const input = Object.fromEntries(fields.map((field) => [field, random.pick(random.chance(0.6) ? words : values)]))
    const { isError, data, text } = await ask(name, input)
    const isWell = isError
      ? text.length > 3 && !/Something went wrong|undefined|\[object/.test(text)
      : typeof data['link'] === 'string'
    if (!isWell) bad.push({ name, input, text })
  }
  expect(bad).toEqual([])
})
