import { expect, test } from 'vitest'
import type { Entry } from '#events/entries.ts'
import { TagPayload } from '#events/jobs/payloads.ts'
import { noFilters, SearchFilters } from '#events/search/filters.ts'
import { listEntries } from '#server/content/entries/listEntries.ts'
import { selectEntries } from '#server/content/entries/selectEntries.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { commitScan } from '#server/content/snapshots/index.ts'
import { snapshotAt } from '#server/content/snapshots/reading/snapshotAt.ts'
import { changeDisk } from '#server/content/snapshots/oracle/changeDisk.ts'
import { create, newDisk } from '#server/content/snapshots/oracle/disk.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { readRows } from '#server/content/snapshots/oracle/readRows.ts'
import { newScan, newVolume, stage } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { walkDisk } from '#server/content/snapshots/oracle/walkDisk.ts'
import { changeTagsOf } from './changeTagsOf.ts'
import { tagResults } from './tagResults.ts'
import { cases, testSeed } from '#server/platform/testing/cases.ts'

const platform = await testPlatform()
const { db, clickhouse } = platform
const random = newRandom(testSeed(2026))
const names = ['raw', 'final', 'Ärger', 'x y']

/** Expected tags of each entry on each day, by plain loops: by day, then by the entry's key. */
const expected = new Map<string, Map<string, Set<string>>>()
const keyOf = (volumeId: number, isDirectory: boolean, path: string) => `${volumeId} ${isDirectory} ${path}`
let today = ''

function beginDay(day: string): void {
  if (day !== today) {
    const before = expected.get(today) ?? new Map<string, Set<string>>()
    expected.set(day, new Map([...before].map(([key, tags]) => [key, new Set(tags)])))
  }
  today = day
}
const tagsNow = () => expected.get(today)!
function tag(key: string, add: string[], remove: string[]): void {
  const tags = new Set([...(tagsNow().get(key) ?? []), ...add])
  tagsNow().set(key, new Set([...tags].filter((each) => !remove.includes(each))))
}

async function scan(volumeId: number, disk: ReturnType<typeof newDisk>, day: string): Promise<void> {
  const before = await readRows(platform, volumeId, today || day)
  const scanId = await newScan(platform, { volumeId, indexingDate: day })
  await stage(platform, random, scanId, walkDisk(disk))
  await commitScan(platform, scanId, async () => {})
  beginDay(day)
  const moved: [string, string][] = []
  for (const [key, row] of await readRows(platform, volumeId, day)) {
    if (before.has(key) || row.fromScan !== scanId || row.previousPath === '') continue
    const { isDirectory, parentPath, name } = row
    moved.push([keyOf(volumeId, isDirectory, row.previousPath), keyOf(volumeId, isDirectory, parentPath + name)])
  }
  for (const [from, to] of moved) {
    tag(to, [...(tagsNow().get(from) ?? [])], [])
    tagsNow().delete(from)
  }
}

async function entriesOn(day: string, kind: 'files' | 'folders', filters = noFilters): Promise<Entry[]> {
  const snapshot = (await snapshotAt(db, 'everything', day))!
  const selection = await selectEntries({ db, clickhouse }, snapshot, filters, kind)
  const page = await listEntries(clickhouse, selection, { page: 1, size: 1000 }, { sort: 'path', direction: 'asc' })
  return page.elements
}
const keyOfEntry = ({ volumeId, isDirectory, path }: Entry) => keyOf(volumeId, isDirectory, path)

async function changeSome(): Promise<void> {
  const all = [...(await entriesOn(today, 'files')), ...(await entriesOn(today, 'folders'))]
  const chosen = Array.from({ length: 1 + random.below(4) }, () => random.pick(all))
  const mixed = names.toSorted(() => random.next() - 0.5)
  const [add, remove] = [mixed.slice(0, random.below(3)), mixed.slice(3 - random.below(2))]
  await changeTagsOf(platform, chosen, { decide: () => ({ add, remove }), by: system, scope: 'everything' })
  for (const entry of chosen) tag(keyOfEntry(entry), add, remove)
}

async function changeResults(): Promise<void> {
  const isDirectory = random.chance(0.3)
  const filters = SearchFilters.parse({
    search: random.pick(['a*', '*1*', 'tx', '']),
    tag: random.chance(0.3) ? names[0] : '',
  })
  const found = await entriesOn(today, isDirectory ? 'folders' : 'files', filters)
  const payload = TagPayload.parse({ tags: [random.pick(names)], remove: random.chance(0.4), isDirectory, filters })
  const result = await tagResults(platform, payload, async () => true)
  expect(result).toEqual({ tagged: found.length, toTag: found.length })
  for (const entry of found)
    tag(keyOfEntry(entry), payload.remove ? [] : payload.tags, payload.remove ? payload.tags : [])
}

async function expectAll(): Promise<void> {
  for (const [day, tags] of expected) {
    for (const kind of ['files', 'folders'] as const) {
      const all = await entriesOn(day, kind)
      const wanted = (entry: Entry) => [...(tags.get(keyOfEntry(entry)) ?? [])].sort(compareBytes)
      expect(all.map((entry) => [day, entry.path, ...entry.customTag])).toEqual(
        all.map((entry) => [day, entry.path, ...wanted(entry)]),
      )
      for (const word of names) {
        const tagged = await entriesOn(day, kind, SearchFilters.parse({ tag: word }))
        expect(tagged.map(keyOfEntry)).toEqual(all.filter((entry) => wanted(entry).includes(word)).map(keyOfEntry))
      }
    }
  }
}
const compareBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

test('each day shows the tags that plain loops say, over changes, moves and scans of the same day', async () => {
  const volumes = [
    { id: await newVolume(platform, 'One'), disk: newDisk(random, 30) },
    { id: await newVolume(platform, 'Two'), disk: newDisk(random, 15) },
  ]
  for (const { id, disk } of volumes) await scan(id, disk, '2026-01-01')
  for (let step = 1; step <= cases(4, 30); step++) {
    for (let n = cases(1, 0) + random.below(4); n > 0; n--) await (random.chance(0.6) ? changeSome() : changeResults())
    const { id, disk } = random.pick(volumes)
    for (let n = random.below(8); n > 0; n--) changeDisk(random, disk)
    await scan(id, disk, `2026-01-${String(1 + Math.floor(step / 3)).padStart(2, '0')}`)
  }
  await expectAll()
  const moves = [...expected.values()].some((tags) => [...tags.values()].some(({ size }) => size > 0))
  expect(moves).toBe(true)
})

test('a file that is renamed and renamed back on one day keeps its tags', async () => {
  const volumeId = await newVolume(platform, 'Back')
  const scanOf = (indexingDate: string, path: string) =>
    scanFolders(platform, { volumeId, indexingDate }, [{ path: '', entries: [{ path, inode: 5 }] }])
  const tagsOn = async (day: string) =>
    (await entriesOn(day, 'files', SearchFilters.parse({ volumeId }))).map(({ path, customTag }) => [
      path,
      ...customTag,
    ])
  await scanOf('2026-02-01', '/a')
  await changeTagsOf(platform, [{ volumeId, path: '/a', isDirectory: false }], {
    decide: () => ({ add: ['old'], remove: [] }),
    by: system,
    scope: 'everything',
  })
  await scanOf('2026-02-02', '/a')
  await changeTagsOf(platform, [{ volumeId, path: '/a', isDirectory: false }], {
    decide: () => ({ add: ['new'], remove: [] }),
    by: system,
    scope: 'everything',
  })
  await scanOf('2026-02-02', '/b')
  expect(await tagsOn('2026-02-02')).toEqual([['/b', 'new', 'old']])
  await scanOf('2026-02-02', '/a')
  expect([await tagsOn('2026-02-01'), await tagsOn('2026-02-02')]).toEqual([[['/a', 'old']], [['/a', 'new', 'old']]])
})

test('tags that are given while a scan finds a rename are there after it', async () => {
  const volumeId = await newVolume(platform, 'Meeting')
  const scanOf = async (indexingDate: string, path: string) => {
    const scanId = await newScan(platform, { volumeId, indexingDate })
    const folder = newDisk(random, 0)
    const file = create(random, folder, false)
    folder.root.children?.delete(file.name)
    Object.assign(file.facts, { inode: 5, size: 1, modified: 1_600_000_000 })
    folder.root.children?.set(path, Object.assign(file, { name: path }))
    await stage(platform, random, scanId, walkDisk(folder))
    return scanId
  }
  const give = (path: string, word: string) =>
    changeTagsOf(platform, [{ volumeId, path, isDirectory: false }], {
      decide: () => ({ add: [word], remove: [] }),
      by: system,
      scope: 'everything',
    })
  await commitScan(platform, await scanOf('2026-03-01', 'old'), async () => {})
  await give('/old', 'first')
  const meeting: Promise<unknown>[] = []
  await commitScan(
    platform,
    await scanOf('2026-03-02', 'new'),
    async () => {},
    async (step) => {
      if (step === 'duplicates') await give('/old', 'second')
      if (step !== 'switched') return
      // They wait until the first two have followed.
      meeting.push(
        give('/new', 'third'),
        give('/old', 'late').catch((error: unknown) => error),
      )
    },
  )
  expect(await Promise.all(meeting)).toMatchObject([1, { status: 404 }])
  const [file] = await entriesOn('2026-03-02', 'files', SearchFilters.parse({ volumeId }))
  expect([file?.path, file?.customTag]).toEqual(['/new', ['first', 'second', 'third']])
  const [before] = await entriesOn('2026-03-01', 'files', SearchFilters.parse({ volumeId }))
  expect([before?.path, before?.customTag]).toEqual(['/old', ['first', 'second']])
})
