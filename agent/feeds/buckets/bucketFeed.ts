import type { FlushAnswer } from '#events/feeds/flushes.ts'
import type { FollowStatus } from '#events/feeds/follow.ts'
import { pause } from '../../abortable.ts'
import type { TransportOptions } from '../../systems/http/transport.ts'
import { checkBucket } from '../../systems/s3/endpoints.ts'
import { newSpelling } from '../../systems/s3/listing/keys.ts'
import type { Queue, QueueMessage } from '../../systems/s3/queue.ts'
import { messageOf, StoreBusy } from '../../systems/system.ts'
import type { BucketOrder, Feed, Flush } from '../messages.ts'
import { type FlushContents, Outbox } from '../outbox.ts'
import { newBucketLister } from './bucketLister.ts'
import { flushBucket } from './flushBucket.ts'
import { HeldMessages } from './heldMessages.ts'
import { readNotification } from './notifications.ts'

/** Listing takes requests, which cost: a folder that changes all the time is listed for 5 % of it. */
const spacing = { costPart: 20, maxLatestMs: 3_600_000 }
/** Messages in memory. Others stay in the queue until these are shown. */
const maxHeld = 10_000
/** The most requests for messages at a time, while there are many. */
const maxReaders = 16
/** Milliseconds between tries to read the queue, and for which it may be busy until that is shown. */
const firstPauseMs = 250
const maxPauseMs = 60_000
const busyForMs = 60_000

type Options = {
  send: (flush: Flush) => void
  /** Only for tests. */
  transport?: TransportOptions
}
type OpenBucket = Awaited<ReturnType<typeof open>>

/**
 * Follows a bucket by the notifications in a queue. A message only says which folder changed. It is deleted once a listing of that folder is shown that
 * began after the message arrived; another process of the agent receives it again.
 */
export class BucketFeed implements Feed<BucketOrder> {
  readonly #options: Options
  readonly #outbox: Outbox<BucketOrder>
  #held = new HeldMessages()
  #reading = new AbortController()
  #listing: AbortController | undefined
  #opened: OpenBucket | undefined
  /** Reasons for which the queue can't be read or the bucket can't be listed. */
  readonly #faults: { queue?: string | undefined; bucket?: string | undefined; other?: string | undefined } = {}
  #hasOwn = false

  constructor(order: BucketOrder, options: Options) {
    this.#options = options
    this.#outbox = new Outbox(order, options.send, spacing)
    void this.#start()
  }

  follow(order: BucketOrder): void {
    const before = this.#outbox.order
    if (order.session === before.session) return
    this.#listing?.abort()
    this.#listing = undefined
    this.#outbox.begin(order)
    this.#outbox.listSinceScan()
    if (JSON.stringify(order.source) === JSON.stringify(before.source)) {
      for (const folder of this.#held.putBack()) this.#outbox.changed.add(folder, this.#outbox.nowMs)
      return
    }
    this.close()
    this.#held = new HeldMessages()
    this.#reading = new AbortController()
    this.#hasOwn = false
    this.#outbox.isStarting()
    void this.#start()
  }

  tick(nowMs: number): void {
    this.#outbox.tick(nowMs)
    if (this.#opened && !this.#listing && this.#outbox.isDue()) void this.#flush(this.#opened)
  }

  drain(): void {}

  answered(session: string, answer: FlushAnswer | undefined): void {
    const isShown = this.#outbox.answered(session, answer)
    if (isShown) this.#delete(this.#held.shown())
    else if (isShown === false) this.#held.putBack()
  }

  status(): FollowStatus {
    const oldestMs = this.#held.oldestMs()
    return this.#outbox.status(oldestMs === Infinity ? 0 : Date.now() - oldestMs)
  }

  close(): void {
    this.#reading.abort()
    this.#listing?.abort()
    this.#opened?.close()
    this.#listing = this.#opened = undefined
  }

  async #start(): Promise<void> {
    const { signal } = this.#reading
    try {
      const opened = await open(this.#outbox.order, this.#options.transport)
      if (signal.aborted) return opened.close()
      this.#opened = opened
      await this.#read(opened.queue, signal)
    } catch (error) {
      if (!signal.aborted) this.#judge({ queue: messageOf(error) })
    }
  }

  /** Reads the queue until that is aborted. */
  async #read(queue: Queue, signal: AbortSignal): Promise<void> {
    let readers = 1
    let isWaiting = false
    let failedMs: number | undefined
    for (let pauseMs = firstPauseMs; ; signal.throwIfAborted()) {
      if (this.#held.size >= maxHeld) await pause(firstPauseMs, signal)
      else
        try {
          const reading = Array.from({ length: readers }, () => queue.receive(isWaiting, signal))
          const messages = (await Promise.all(reading)).flat()
          for (const message of messages) this.#take(message)
          this.#judge({ queue: undefined })
          const areMany = messages.length >= readers * 5
          readers = areMany ? Math.min(readers * 2, maxReaders) : 1
          isWaiting = !areMany
          failedMs = undefined
          pauseMs = firstPauseMs
        } catch (error) {
          signal.throwIfAborted()
          failedMs ??= performance.now()
          const mayPass = error instanceof StoreBusy && performance.now() - failedMs < busyForMs
          if (!mayPass) this.#judge({ queue: messageOf(error) })
          await pause(pauseMs, signal)
          pauseMs = Math.min(pauseMs * 2, maxPauseMs)
        }
    }
  }

  #take(message: QueueMessage): void {
    const { bucket, prefix = '' } = this.#outbox.order.source.store
    const root = prefix && `${prefix}/`
    // Events have the name of the bucket, not of its access point.
    const isOwn = (name: string) => name === bucket || bucket.startsWith('arn:')
    const read = readNotification(message.body)
    const names = !read ? [] : 'testOf' in read ? [read.testOf] : read.map((one) => one.bucket)
    if (!names.some(isOwn)) return void (this.#hasOwn || this.#judge({ other: otherThan(bucket, names[0]) }))
    this.#hasOwn = true
    this.#judge({ other: undefined })
    const keys = Array.isArray(read) ? read.filter((one) => isOwn(one.bucket) && one.key.startsWith(root)) : []
    const folders = new Set(keys.map(({ key }) => `/${key.slice(root.length)}`.replace(/\/[^/]*$/, '')))
    if (folders.size === 0) return this.#delete([message.receipt])
    if (this.#held.add(message, new Set(folders)))
      for (const folder of folders) this.#outbox.changed.add(folder, this.#outbox.nowMs)
  }

  #delete(receipts: string[]): void {
    // Messages that stay are received again, and listed again.
    void this.#opened?.queue.delete(receipts, this.#reading.signal).catch(() => {})
  }

  async #flush({ client, bucket, root, spelling }: OpenBucket): Promise<void> {
    const { signal } = (this.#listing = new AbortController())
    const contents: FlushContents = { parts: [], taken: [], paths: [], oldestMs: Infinity }
    const outbox = this.#outbox
    const lister = newBucketLister({ client, bucket, root, spelling, order: outbox.order, signal })
    try {
      await flushBucket(contents, { outbox, held: this.#held, lister, signal })
      if (signal.aborted) return
      this.#listing = undefined
      this.#judge({ bucket: undefined })
      outbox.post(contents)
    } catch (error) {
      if (signal.aborted) return
      this.#listing = undefined
      if (!(error instanceof StoreBusy)) this.#judge({ bucket: messageOf(error) })
      this.#held.putBack()
      outbox.again(contents)
    }
  }

  /** The storage is followed while it has no fault, and seen in whole from then on. */
  #judge(faults: { queue?: string | undefined; bucket?: string | undefined; other?: string | undefined }): void {
    Object.assign(this.#faults, faults)
    const fault = this.#faults.queue ?? this.#faults.other ?? this.#faults.bucket
    if (fault !== undefined) this.#outbox.unavailable = fault
    else if (this.#outbox.unavailable !== undefined) this.#outbox.isLive()
  }
}

/** Opens the queue and the bucket. The SDK is large, and only loaded where a bucket is followed. */
async function open({ source: { store } }: BucketOrder, transport?: TransportOptions) {
  const [{ newClient }, { newQueue }] = await Promise.all([
    import('../../systems/s3/client.ts'),
    import('../../systems/s3/queue.ts'),
  ])
  const { bucket, prefix = '', type } = store
  checkBucket(store)
  const queue = newQueue(store, transport)
  const client = newClient(store, transport)
  return {
    queue,
    client,
    bucket,
    root: prefix && `${prefix}/`,
    spelling: newSpelling(type === 'S3'),
    close() {
      queue.close()
      client.close()
    },
  }
}

const otherThan = (bucket: string, other: string | undefined): string =>
  `The queue has ${other === undefined ? 'messages that are not notifications of S3' : `notifications of the bucket ${other.slice(0, 100)}`}, and none of ${bucket}. Send the notifications of ${bucket} to a queue of its own.`
