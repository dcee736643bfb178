import Excel from 'exceljs'
import { beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '#events/contract/endpoint.ts'
import { roles as allRoles } from '#events/contract/needs.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { changeTagsOf } from '#server/work/tags/changeTagsOf.ts'
import { queueTagging } from '#server/work/tags/queueTagResults.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { type File, scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { isLong } from '#server/platform/testing/cases.ts'
import { asUser } from '#server/testing.ts'
import { named, openAllCalls } from '../testing/allCalls.ts'
import { isFor } from '../testing/roles.ts'
import { namesOf } from '../testing/hostileQueries.ts'
import { newLimitedUser } from './testing/limitedHistory.ts'

/** In no name, tag, owner or text that the user may see. Requests have parts of it only, because errors repeat what was sent. */
const word = 'Qzxjvqu'
const all = await openAllCalls()
const { platform, app } = all
const { db, clickhouse } = platform
const held = allRoles.filter((role) => role !== 'ROLE_ADMIN')
const dates = ['2026-01-01', '2026-01-02']
const at = { films: 0, others: 0, project: 0, job: 0, user: 0, ids: [] as string[], hashes: [] as string[] }

const owned = { owner: word, group: word, metadata: { [word]: word } }
const link = { linkCount: 2, inode: 77, size: 500 }
/** The visible project, with a file that came from outside, one that left, a hard link, and a copy of files outside. */
const folders = (isLater: boolean) => {
  const moved = { inode: 55, size: 700, modified: 1_650_000_000 }
  const came: File[] = [{ ...moved, path: isLater ? '/clients/aurora/came.mov' : `/clients/${word}/${word}.mov` }]
  const left: File[] = [
    { ...moved, inode: 56, path: isLater ? `/clients/${word}/left-${word}.mov` : '/clients/aurora/left.mov' },
  ]
  const files = [...came, ...left]
  const inFolder = (folder: string) => files.filter(({ path }) => path.startsWith(`${folder}/`))
  const copy = { size: 900, modified: 1_640_000_000, inode: 60 }
  return [
    { path: '', entries: [{ path: '/clients', isDirectory: true, inode: 2, ...owned }] },
    {
      path: '/clients',
      entries: [
        { path: '/clients/aurora', isDirectory: true, inode: 3 },
        { path: `/clients/${word}`, isDirectory: true, inode: 4, ...owned },
        { path: `/clients/${word}.${word}`, inode: 5, ...owned },
      ],
    },
    {
      path: '/clients/aurora',
      entries: [
        { ...link, path: '/clients/aurora/linked.mov' },
        { ...copy, path: '/clients/aurora/copy.mov' },
        ...inFolder('/clients/aurora'),
      ],
    },
    {
      path: `/clients/${word}`,
      entries: [
        { ...link, path: `/clients/${word}/a-${word}.mov` },
        { ...copy, inode: 61, path: `/clients/${word}/copy.mov`, ...owned },
        ...inFolder(`/clients/${word}`),
      ],
    },
  ]
}

beforeAll(async () => {
  at.films = await newVolume(platform, 'Films')
  at.others = await newVolume(platform, `${word} storage`)
  for (const [index, indexingDate] of dates.entries()) {
    await scanFolders(platform, { volumeId: at.films, indexingDate }, folders(index === 1))
    const entries = [
      { path: `/${word}`, isDirectory: true, ...owned },
      { path: `/${word}.${word}`, ...owned },
    ]
    await scanFolders(platform, { volumeId: at.others, indexingDate }, [
      { path: '', entries },
      { path: `/${word}`, entries: [] },
    ])
  }
  const tagged = [
    { volumeId: at.films, path: '/clients', isDirectory: true },
    { volumeId: at.films, path: `/clients/${word}`, isDirectory: true },
    { volumeId: at.others, path: `/${word}.${word}`, isDirectory: false },
  ]
  await changeTagsOf(platform, tagged, {
    decide: () => ({ add: [word, `dataintell.report.${word}.2026-01-02`], remove: [] }),
    by: system,
    scope: 'everything',
  })
  const draft = { name: `${word} project`, description: word, allocatedSize: 1 }
  at.project = (await db.insertInto('projects').values(draft).returning('id').executeTakeFirstOrThrow()).id
  await db
    .insertInto('projectFolders')
    .values({ projectId: at.project, volumeId: at.others, path: '/', isNested: false })
    .execute()
  const criteria = { searchOperator: 'AND' as const, searchQueries: [], searchQueryNodes: [] }
  at.job = await queueTagging(
    platform,
    { tags: [word], remove: false, isDirectory: false, criteria },
    { ...system, name: word },
  )
  const limited = await newLimitedUser(platform, held, { folders: [{ storageId: at.films, path: '/clients/aurora' }] })
  at.user = limited.id
  const rows = await clickhouse.rows<{ id: string; hash: string }>(
    sql`SELECT lower(hex(file_id)) AS id, lower(hex(identification_hash)) AS hash FROM entries`,
  )
  at.ids = rows.map(({ id }) => id)
  at.hashes = [...new Set(rows.map(({ hash }) => hash))]
})

/** Values that may reach what is outside, by the name of a parameter. */
const valuesOf = (name: string): string[] => {
  const { films, others, project, job } = at
  const places = ['/', '/clients', '/clients/aurora', `/${word.slice(0, 3)}`]
  if (/path|directory$|startingPath/i.test(name)) return places
  if (/storageAndPath|volumeAndPath/.test(name))
    return [films, others].flatMap((id) => places.map((path) => `${id}:${path}`))
  if (/storage|volume/i.test(name)) return [`${films}`, `${others}`]
  if (/date/i.test(name)) return dates
  if (name === 'size') return ['1000']
  if (/^(search|name|owner|group|extension|report|reports|customTag|tag.*)$/.test(name))
    return ['*', `${word.slice(0, 4)}*`, '?']
  if (name === 'by' || name === 'fieldName') return ['folder', 'owner', 'extension', 'customTag', 'project', 'storage']
  if (/only|show|is/.test(name)) return ['true', 'false']
  return [`${project}`, `${job}`, '1']
}
const base: Record<string, string> = { path: '/', by: 'owner', tagToApply: 'x', everything: 'true' }

const search = all.calls.find(({ path }) => path === '/files/search')
const filters = search ? namesOf(search) : []
/** Filters are read by one schema, so one call covers those that take them. */
const isTried = (call: Endpoint, name: string) =>
  call === search || !filters.includes(name) || /^(search|storageId)$/.test(name)

/** Addresses of a call: with some values of each parameter, and some ids of its path. */
function addressesOf(call: Endpoint): string[] {
  const names = namesOf(call)
  const required = names.flatMap((name) => {
    const value = /^(storageId|volumeId)$/.test(name) && call.path.includes('director') ? `${at.films}` : base[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  const queries = [
    [],
    ...names
      .filter((name) => isTried(call, name))
      .flatMap((name) =>
        (isLong ? valuesOf(name) : valuesOf(name).slice(0, /path|search/i.test(name) ? 3 : 1)).map((value) => [
          [name, value] as const,
        ]),
      ),
  ]
  const ids = [
    `${at.films}`,
    `${at.others}`,
    `${at.project}`,
    `${at.job}`,
    ...at.ids.slice(0, 3),
    ...(call.path.includes('hash') ? at.hashes : []),
  ]
  const fixed = call.path.replace(':previousDate', '2026-01-01').replace(':part', 'folders')
  const paths = fixed.includes(':') ? [...new Set(ids)].map((id) => fixed.replace(/:\w+/g, id)) : [fixed]
  const asked = queries.map((query) => new URLSearchParams(Object.fromEntries([...required, ...query])).toString())
  return [...paths.map((path) => `${path}?${asked[0]}`), ...asked.slice(1).map((query) => `${paths[0]}?${query}`)]
}

const bodiesOf = (call: Endpoint): (object | string | undefined)[] => {
  if (!call.body) return [undefined]
  const outside = [
    { volumeId: at.films, path: '/clients', isDirectory: true },
    { volumeId: at.others, path: '/', isDirectory: true },
  ]
  return [
    '[]',
    {},
    { searchOperator: 'AND', searchQueries: [], searchQueryNodes: [] },
    ...outside.map((entry) => ({ entries: [entry], add: ['mine'] })),
    { hashes: at.hashes },
    { customTag: ['mine'], isDirectory: true },
  ]
}

/** The text of an answer, also of a spreadsheet. */
async function textOf(bytes: Buffer): Promise<string> {
  if (bytes.subarray(0, 2).toString() !== 'PK') return bytes.toString()
  const book = new Excel.Workbook()
  await book.xlsx.load(bytes as unknown as ArrayBuffer)
  return JSON.stringify(book.worksheets.map((sheet) => sheet.getSheetValues()))
}

const mayTry = all.calls.filter((call) => call.needs !== 'nothing' && isFor(held, call))

test.each(named(mayTry))('%s has no word from outside for a user with limits', async (_, call) => {
  const found: object[] = []
  const ask = asUser(app, await openSession(db, at.user, '127.0.0.1'))
  const isRefused = (call.limitedBy ?? 'refused') === 'refused'
  const addresses = isRefused || call.body ? addressesOf(call).slice(0, 1) : addressesOf(call)
  for (const address of addresses)
    for (const body of isRefused ? bodiesOf(call).slice(0, 1) : bodiesOf(call)) {
      const answer = await ask(call.method, `/api${address}`, body).responseType('blob')
      const text = await textOf(answer.body as Buffer)
      const leaks = text.toLowerCase().includes(word.toLowerCase())
      if (leaks || answer.status >= 500 || (isRefused && answer.status !== 403))
        found.push({ address, body, status: answer.status, text: text.slice(0, 600) })
    }
  expect(found).toEqual([])
})
