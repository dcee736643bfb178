import { parentPort } from 'node:worker_threads'
import { BucketFeed } from './buckets/bucketFeed.ts'
import { FolderFeed } from './folderFeed.ts'
import { type Feed, type Flush, type FromFeeds, isBucketOrder, type ToFeeds } from './messages.ts'

/*
 * The thread that follows all storages of an agent. It reads what the kernel reports every 100 ms, without waiting for it: that takes two system
 * calls per storage, holds no thread of the process's pool, and lets the kernel join the changes of a folder until then.
 */
const tickMs = 100
const statusEveryMs = 1_000

const feeds = new Map<number, Feed>()
let timer: NodeJS.Timeout
let drainAtMs = 0
let statusAtMs = 0

parentPort?.on('message', (message: ToFeeds) => {
  if (message.type === 'follow') follow(message)
  else if (message.type === 'forget') forget(message.volumeId)
  else if (message.type === 'answered') feeds.get(message.volumeId)?.answered(message.session, message.answer)
  else {
    clearTimeout(timer)
    for (const volumeId of feeds.keys()) forget(volumeId)
    parentPort?.close()
  }
})
tick()

function follow({ order, names }: Extract<ToFeeds, { type: 'follow' }>): void {
  const { volumeId } = order
  const known = feeds.get(volumeId)
  if (known) return known.follow(order, names)
  if (isBucketOrder(order)) feeds.set(volumeId, new BucketFeed(order, { send: sendFlush }))
  else feeds.set(volumeId, new FolderFeed(order, names, { send: sendFlush, pulse }))
}

function forget(volumeId: number): void {
  feeds.get(volumeId)?.close()
  feeds.delete(volumeId)
}

function tick(): void {
  const nowMs = performance.now()
  for (const feed of feeds.values()) feed.tick(nowMs)
  if (nowMs >= statusAtMs) {
    statusAtMs = nowMs + statusEveryMs
    send({ type: 'statuses', statuses: Array.from(feeds.values(), (feed) => feed.status()) })
  }
  timer = setTimeout(tick, tickMs)
}

/** While a large folder is listed, the changes of others would fill the kernel's queues. */
function pulse(): void {
  const nowMs = performance.now()
  if (nowMs < drainAtMs) return
  drainAtMs = nowMs + tickMs
  for (const feed of feeds.values()) feed.drain()
}

function sendFlush({ parts, ...flush }: Flush): void {
  // Small blocks are in a buffer that others share, and can't be moved.
  const whole = parts.filter(({ byteLength, buffer }) => byteLength === buffer.byteLength)
  send({ type: 'flush', ...flush, parts }, [...new Set(whole.map(({ buffer }) => buffer))])
}

function send(message: FromFeeds, handedOver: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, handedOver)
}
