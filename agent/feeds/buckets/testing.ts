import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { FlushAnswer } from '#events/feeds/flushes.ts'
import { forTest } from '#agent/simulator/testing.ts'
import { decodeRows, isEntry, isListed, pathOf, type Row } from '#agent/testing/decodeRows.ts'
import { keyIn } from '../../systems/s3/simulator/answers.ts'
import { type BucketEvent, objectsOf } from '../../systems/s3/simulator/index.ts'
import { startQueue } from '../../systems/s3/simulator/queue.ts'
import { account, openMedia, simulator } from '../../systems/s3/testing.ts'
import { filesIn, rowsOf } from '../../systems/testing.ts'
import type { BucketOrder, Flush } from '../messages.ts'
import { BucketFeed } from './bucketFeed.ts'

/** A notification as S3 sends it. */
export const notificationOf = ({ bucket, key, name }: BucketEvent) => ({
  Records: [
    {
      eventSource: 'aws:s3',
      eventName: name,
      eventTime: new Date().toISOString(),
      s3: { bucket: { name: bucket }, object: { key: keyIn(key, true) } },
    },
  ],
})

const kindOf = ({ is_directory }: Row) => (is_directory === '1' ? 'folder' : 'file')
const shown = ({ attempt: _, batch: __, ...row }: Row) => JSON.stringify(row)

/** A server that keeps the entries of each folder, and replaces what a flush has. */
function fakeServer() {
  const folders = new Map<string, Map<string, Row>>()
  const known = new Set<string>()
  const put = (row: Row) => {
    const entries = folders.get(row.parent_path) ?? new Map<string, Row>()
    folders.set(row.parent_path, entries.set(`${kindOf(row)} ${row.name}`, row))
  }
  const remove = (folder: string) => {
    for (const path of folders.keys()) if (path.startsWith(folder)) folders.delete(path)
    for (const path of known) if (`${path}/`.startsWith(folder)) known.delete(path)
  }
  return {
    flushes: [] as string[][],
    apply(rows: Row[]): string[] {
      const listed = rows.filter(isListed)
      const has = new Set(rows.filter(isEntry).map((row) => `${kindOf(row)} ${pathOf(row)}`))
      for (const mark of listed) {
        known.add(pathOf(mark))
        for (const [key, row] of folders.get(`${pathOf(mark)}/`) ?? []) {
          if (has.has(`${kindOf(row)} ${pathOf(row)}`)) continue
          folders.get(row.parent_path)?.delete(key)
          if (kindOf(row) === 'folder') remove(`${pathOf(row)}/`)
        }
      }
      rows.filter(isEntry).forEach(put)
      return [...has]
        .filter((one) => one.startsWith('folder '))
        .map((one) => one.slice(7))
        .filter((path) => !known.has(path))
    },
    /** Rows of files, and folders, in order. */
    state() {
      const rows = [...folders.values()].flatMap((entries) => [...entries.values()])
      const paths = rows.filter((row) => kindOf(row) === 'folder').map((row) => `${pathOf(row)}/`)
      return [...filesIn(rows).map(shown), ...paths].sort()
    },
    seed(rows: Row[]) {
      filesIn(rows).forEach(put)
      for (const folder of foldersOf(rows)) {
        const at = folder.lastIndexOf('/', folder.length - 2) + 1
        put({
          ...rows[0],
          kind: '0',
          parent_path: folder.slice(0, at),
          name: folder.slice(at, -1),
          is_directory: '1',
        } as Row)
        known.add(folder.slice(0, -1))
      }
    },
  }
}

/** The folders that files are in. */
const foldersOf = (rows: Row[]) => {
  const all = filesIn(rows).flatMap(({ parent_path: path }) =>
    [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1)),
  )
  return [...new Set(all)].filter((path) => path !== '/')
}

type Behaviour = Omit<Parameters<typeof startQueue>[0], 'accounts'>
type Options = Behaviour & { keys?: string[]; prefix?: string; notifies?: boolean }

/** A bucket of these keys that is followed, with a clock of its own, and a server that has a scan of it. */
export async function followedBucket({ keys = [], prefix = '', notifies = true, ...behaviour }: Options = {}) {
  const queue = await forTest(startQueue({ accounts: [account], ...behaviour }))
  const object = (key: string, size = 1) => ({ key, size, modified: 1_700_000_000 + size, owner: 'ana' })
  const objects = objectsOf(keys.map((key) => object(key)))
  const notify = (event: BucketEvent) => void (notifies && queue.send(notificationOf(event)))
  const store = await simulator({ buckets: { media: { objects } }, notify })
  const scan = async () => {
    const rows = await rowsOf(openMedia(store, { prefix: prefix && `${prefix}/` }))
    const cut = (row: Row) => ({ ...row, parent_path: row.parent_path.slice(prefix.length && prefix.length + 1) })
    return filesIn(rows)
      .map(cut)
      .filter((row) => prefix === '' || pathOf(row) !== '/')
  }
  const server = fakeServer()
  server.seed(await scan())
  const newOrder = (): BucketOrder => ({
    volumeId: 1,
    source: {
      kind: 'bucket',
      store: {
        type: 'OTHER',
        region: '',
        namespace: '',
        endpoint: store.url,
        bucket: 'media',
        ...account,
        prefix,
        queue: queue.url,
      },
    },
    ignoredPaths: [],
    indexFolderOnlyPaths: [],
    crossFileSystems: false,
    session: randomUUID(),
    baseStartedAt: new Date().toISOString(),
  })
  const sent: Flush[] = []
  const start = () =>
    new BucketFeed(newOrder(), { send: (flush) => void sent.push(flush), transport: { idleMs: 5_000 } })
  let feed = start()
  onTestFinished(() => feed.close())
  let nowMs = performance.now()
  const answer = (flush: Flush): FlushAnswer => {
    const rows = flush.parts.flatMap((part) => decodeRows(part))
    server.flushes.push(rows.filter(isListed).map(pathOf).sort())
    return { type: 'shown', asOf: Date.now(), list: server.apply(rows) }
  }
  const step = async (ms = 100, answers: (flush: Flush) => FlushAnswer | undefined = answer) => {
    feed.tick((nowMs += ms))
    for (let n = 0; n < 5; n++) await wait(1)
    for (const flush of sent.splice(0)) feed.answered(flush.session, answers(flush))
  }
  return {
    queue,
    store,
    server,
    step,
    answer,
    feed: () => feed,
    put: (key: string, size?: number) => store.put('media', object(key, size)),
    remove: (key: string) => store.remove('media', key),
    rescan: async () => {
      const order = newOrder()
      server.seed(await scan())
      feed.follow(order)
    },
    /** Starts the agent again, which forgets all that it has in memory. */
    restart(): void {
      feed.close()
      sent.length = 0
      feed = start()
      feed.tick(nowMs)
    },
    /** Until the feed has this state. */
    async until(state: 'LIVE' | 'UNAVAILABLE', reason = /(?:)/) {
      for (let n = 0; n < 500; n++) {
        const now = feed.status()
        if (now.state === state && reason.test(now.reason ?? '') && !now.reason?.includes('being read')) return now
        await step()
      }
      throw new Error(JSON.stringify(feed.status()))
    },
    /** Continues until no message is left and all is shown. */
    async quiet() {
      for (let n = 0; n < 30 || queue.size() > 0 || feed.status().behindMs !== 0; n++) {
        await step()
        if (n > 2_000) throw new Error(`Changes are never shown: ${queue.size()} ${JSON.stringify(feed.status())}`)
      }
    },
    /** Rows that only the server has, and those that only a scan has; none if they are equal. */
    async differences(): Promise<string[]> {
      const rows = await scan()
      const [known, found] = [server.state(), [...rows.map(shown), ...foldersOf(rows)]]
      return [...known.filter((row) => !found.includes(row)), ...found.filter((row) => !known.includes(row))]
    },
  }
}
