import { hash } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { KnownListings } from '#agent/feeds/knownListings.ts'
import { now } from '#events/contract/endpoint.ts'
import type { FlushAnswer } from '#events/feeds/flushes.ts'
import { blockOf } from '#events/node/blocks/testing/blockOf.ts'
import type { Stores } from '#server/platform/platform.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { cases } from '#server/platform/testing/cases.ts'
import { testClickHouse, testDb } from '#server/platform/testing/stores.ts'
import { changeDisk } from '#server/content/snapshots/oracle/changeDisk.ts'
import { type Disk, newDisk, places } from '#server/content/snapshots/oracle/disk.ts'
import { rowsOf } from '#server/content/snapshots/oracle/expectedRows.ts'
import { learn } from '#server/content/snapshots/oracle/expectedVersions.ts'
import { scanVolume } from '#server/content/snapshots/oracle/history.ts'
import { newRandom, type Random } from '#server/content/snapshots/oracle/random.ts'
import { readRows } from '#server/content/snapshots/oracle/readRows.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { addSeen, type SeenEntry, walkDisk } from '#server/content/snapshots/oracle/walkDisk.ts'
import { withVolumeLock } from '#server/content/snapshots/locks.ts'
import { startSession } from '#server/content/snapshots/sessions/sessions.ts'
import { applyFlush, type FlushStep } from './applyFlush.ts'

let stores: Stores
beforeAll(async () => {
  stores = { db: await testDb(), clickhouse: await testClickHouse() }
})

/** An agent's listing of each folder, by its path: its own entry, its contents, and the end of the listing. */
function listings(disk: Disk): Map<string, SeenEntry[]> {
  for (const { node } of places(disk)) Object.assign(node, { failing: false, unreadable: 'no' })
  const found = new Map<string, SeenEntry[]>()
  const put = (folder: string, seen: SeenEntry) => found.set(folder, [...(found.get(folder) ?? []), seen])
  for (const seen of walkDisk(disk)) {
    const { parentPath, name } = seen.kind === 'entry' ? seen.row : seen
    if (seen.kind !== 'entry') put(parentPath + name, seen)
    else if (parentPath !== '') {
      put(parentPath.slice(0, -1), seen)
      if (seen.row.isDirectory) put(parentPath + name, seen)
    }
  }
  return found
}

type SentRow = SeenEntry | { kind: 'gone'; parentPath: string; name: string }
const blocksOf = (sent: SentRow[][]) => [
  blockOf((rows) =>
    sent.flat().forEach((each) => (each.kind === 'gone' ? rows.addGone(each, 0) : addSeen(rows, each))),
  ),
]

/** Rows without what depends on the scan that found them, and the access times of folders and links, which make no versions. */
const plain = (rows: Awaited<ReturnType<typeof readRows>>) =>
  [...rows.values()].map(({ fromScan: _, previousPath: __, accessed, ...row }) => ({
    ...row,
    accessed: row.isDirectory ? 0 : accessed,
    ...(row.linkTarget !== '' && { accessed: 0, lastAccess: 0 }),
  }))
const inOrder = (rows: ReturnType<typeof plain>) =>
  rows.map((row) => JSON.stringify(row, Object.keys(row).sort())).sort()

const hashOf = (text: string): number => Number(`0x${hash('sha1', text).slice(0, 13)}`)

class KilledError extends Error {}
const steps: FlushStep[] = ['cleaned', 'staged', 'compared', 'written', 'recorded', 'shown']

/** An agent that sends folders whose listing changed, and those that the answers name, sometimes late, twice or until a kill. */
class Feed {
  readonly #sent: Map<string, string>
  #known = new KnownListings()
  readonly #random: Random
  readonly #flush: { volumeId: number; session: string }
  constructor(random: Random, disk: Disk, flush: { volumeId: number; session: string }) {
    this.#random = random
    this.#flush = flush
    this.#sent = new Map([...listings(disk)].map(([path, seen]) => [path, JSON.stringify(seen)]))
  }

  changed(disk: Disk): string[] {
    const found = listings(disk)
    for (const path of this.#sent.keys()) if (!found.has(path)) this.#sent.delete(path)
    return [...found.keys()].filter((path) => {
      const sent = this.#sent.get(path)
      return sent !== undefined && sent !== JSON.stringify(found.get(path))
    })
  }

  async send(disk: Disk, paths: string[]): Promise<void> {
    const found = listings(disk)
    const there = paths.flatMap((path) => (found.has(path) ? [[path, found.get(path) ?? []] as const] : []))
    if (there.length === 0) return
    const blocks = blocksOf(there.map(([path, seen]) => this.#differing(path, seen)))
    // Changes after the listing are sent later.
    if (this.#random.chance(0.3)) changeDisk(this.#random, disk)
    const answer = await this.#apply(blocks)
    for (const [path, seen] of there) this.#sent.set(path, JSON.stringify(seen))
    const now = listings(disk)
    const isBelow = (path: string) => answer.list.some((folder) => path === folder || path.startsWith(`${folder}/`))
    const asked = [...now.keys()].filter(
      (path) => isBelow(path) && this.#sent.get(path) !== JSON.stringify(now.get(path)),
    )
    for (const path of asked) this.#known.forget(path)
    if (asked.length > 0) await this.send(disk, asked)
  }

  /** The rows that differ in a folder that was sent before, and sometimes all. */
  #differing(path: string, seen: SeenEntry[]): SentRow[] {
    const [own, ...contents] = seen.flatMap((each) => (each.kind === 'entry' ? [each] : []))
    if (path === '' || !own) return seen
    const key = `${own.row.inode} ${own.row.created}`
    const before = this.#random.chance(0.8) ? this.#known.of(key, path) : undefined
    const now = new Map(contents.map(({ row }) => [row.name, hashOf(JSON.stringify(row))]))
    this.#known.addFolder(path)
    this.#known.remember(key, path, now)
    if (!before) return seen
    const gone = [...before.keys()].filter((name) => !now.has(name))
    return [
      own,
      ...contents.filter(({ row }) => row.isDirectory || before.get(row.name) !== now.get(row.name)),
      ...gone.map((name) => ({ kind: 'gone' as const, parentPath: `${path}/`, name })),
    ]
  }

  async #apply(blocks: Buffer[]): Promise<Extract<FlushAnswer, { type: 'shown' }>> {
    const flush = { ...this.#flush, blocks }
    if (this.#random.chance(0.3)) {
      const end = this.#random.pick(steps)
      const kill = (step: FlushStep) => {
        if (step === end) throw new KilledError(step)
      }
      await applyFlush(stores, flush, kill).catch((error: unknown) => {
        if (!(error instanceof KilledError)) throw error
      })
    }
    const answer = await applyFlush(stores, flush)
    if (answer.type !== 'shown') throw new Error(JSON.stringify(answer))
    return answer
  }
}

async function newLiveVolume(seed: number) {
  const random = newRandom(seed)
  const disk = newDisk(random, 40)
  listings(disk)
  const volumeId = await newVolume(stores, `live ${seed}`)
  const volume = { volumeId, disk, known: new Map(), rows: new Map() }
  volume.rows = (await scanVolume(stores, random, volume, '2026-01-01')).after
  const session = await startSession(stores, volumeId)
  if (!session) throw new Error('The volume has no committed scan')
  return { random, disk, volume, volumeId, session: session.session }
}

test.each(Array.from({ length: cases(1, 40) }, (_, i) => i + 1))(
  'after its last flush a live state has the entries of a full scan, and the day stays as it was (seed %i)',
  async (seed) => {
    const { random, disk, volume, volumeId, session } = await newLiveVolume(seed)
    const day = await readRows(stores, volumeId, '2026-01-01')
    const feed = new Feed(random, disk, { volumeId, session })
    for (let round = 0; round < cases(2, 8); round++) {
      for (let change = random.below(12); change > 0; change--) changeDisk(random, disk)
      for (let changed = feed.changed(disk); changed.length > 0; changed = feed.changed(disk)) {
        const some = changed.toSorted(() => random.next() - 0.5).slice(0, 1 + random.below(changed.length))
        await feed.send(disk, some)
      }
      const expected = plain(rowsOf(learn(new Map(), walkDisk(disk))) as never)
      expect(inOrder(plain(await readRows(stores, volumeId, now)))).toEqual(inOrder(expected))
    }
    expect(await readRows(stores, volumeId, '2026-01-01')).toEqual(day)
    await scanVolume(stores, random, volume, '2026-01-02')
    expect(await readRows(stores, volumeId, now)).toEqual(await readRows(stores, volumeId, '2026-01-02'))
    const { missed } = await stores.db
      .selectFrom('liveVolumes')
      .select('missed')
      .where('volumeId', '=', volumeId)
      .executeTakeFirstOrThrow()
    expect(missed).toMatchObject({ entries: 0 })
    const late = await applyFlush(stores, { volumeId, session, blocks: [] })
    expect(late).toEqual({ type: 'over', reason: 'The session is over' })
  },
)

test('a flush waits for a running commit, and one that is malformed changes nothing', async () => {
  const { disk, volumeId, session } = await newLiveVolume(77)
  const before = await readRows(stores, volumeId, now)
  const [root = []] = listings(disk).values()
  const lacking = root.filter((seen) => seen.kind !== 'entry' || seen.row.name !== 'x').slice(1)
  expect(await applyFlush(stores, { volumeId, session, blocks: blocksOf([lacking]) })).toMatchObject({ type: 'over' })
  expect(await applyFlush(stores, { volumeId, session, blocks: [Buffer.from('rows')] })).toMatchObject({ type: 'over' })
  const locked = withVolumeLock(stores.db, volumeId, () =>
    applyFlush(stores, { volumeId, session, blocks: blocksOf([root]) }),
  )
  expect(await locked).toMatchObject({ type: 'later' })
  expect(await readRows(stores, volumeId, now)).toEqual(before)
})

/** A file in the top folder, or in another one. */
const file = (name: string, inode: number, size: number, more: object = {}): SeenEntry => ({
  kind: 'entry',
  row: {
    parentPath: '/',
    name,
    isDirectory: false,
    size,
    allocatedSize: 512,
    linkCount: 1,
    device: 7,
    inode,
    owner: 'ana',
    group: '',
    mode: 33188,
    linkTarget: '',
    created: 5,
    modified: size,
    accessed: 9,
    ...more,
  },
})

test('names the folders of other links of a file that changed, got a link or lost one', async () => {
  const { volumeId, session } = await newLiveVolume(6)
  const link = (parentPath: string, name: string, size: number, linkCount: number) =>
    file(name, 950, size, { parentPath, linkCount })
  const folder = (name: string, inode: number) => file(name, inode, 0, { isDirectory: true, mode: 0o40755 })
  const listing = (name: string, ...files: SeenEntry[]): SeenEntry[] => [
    folder(name, name.charCodeAt(0)),
    ...files,
    { kind: 'listed', parentPath: '/', name, children: files.length },
  ]
  const send = async (...sent: SeenEntry[][]) => {
    const answer = await applyFlush(stores, { volumeId, session, blocks: blocksOf(sent) })
    return answer.type === 'shown' ? answer.list : answer
  }
  expect(await send(listing('p', link('/p/', 'a', 10, 2)), listing('q', link('/q/', 'b', 10, 2)))).toEqual([])
  expect(await send(listing('p', link('/p/', 'a', 20, 2)))).toEqual(['/q'])
  expect(await send(listing('q', link('/q/', 'b', 20, 2)))).toEqual([])
  expect(await send(listing('r', link('/r/', 'c', 20, 3)))).toEqual(['/p', '/q'])
  expect(await send(listing('p', link('/p/', 'a', 20, 3)), listing('q', link('/q/', 'b', 20, 3)))).toEqual([])
  expect(await send(listing('q'))).toEqual(['/p', '/r'])
  expect(await send(listing('p', link('/p/', 'a', 20, 2)), listing('r', link('/r/', 'c', 20, 2)))).toEqual([])
})

test('counts created, deleted, moved and rewritten files by folder and owner', async () => {
  const { volumeId, session } = await newLiveVolume(5)
  const send = (...files: SeenEntry[]) =>
    applyFlush(stores, {
      volumeId,
      session,
      blocks: blocksOf([[...files, { kind: 'listed', parentPath: '', name: '', children: files.length }]]),
    })
  await send(file('a', 901, 10), file('b', 902, 20), file('c', 903, 30), file('d.mov', 905, 50))
  await stores.clickhouse.command(sql`TRUNCATE TABLE live_changes`)
  await send(file('a', 901, 15), file('moved', 902, 20), file('new', 904, 40), file('d.mov.locked', 905, 50))
  const columns = sql`parent_path, owner, created, deleted, moved, renamed, rewritten, added_bytes, removed_bytes`
  expect(await stores.clickhouse.rows(sql`SELECT ${columns} FROM live_changes`)).toEqual([
    {
      parent_path: '/',
      owner: 'ana',
      created: 1,
      deleted: 1,
      moved: 2,
      renamed: 1,
      rewritten: 1,
      added_bytes: 45,
      removed_bytes: 30,
    },
  ])
})
