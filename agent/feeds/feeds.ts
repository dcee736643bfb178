import { Worker } from 'node:worker_threads'
import type { FlushAnswer } from '#events/feeds/flushes.ts'
import type { FollowStatus } from '#events/feeds/follow.ts'
import { endThread, exitOf } from '../scan/folders/thread.ts'
import type { Flush, FromFeeds, ToFeeds } from './messages.ts'

const program = new URL('thread.ts', import.meta.url)
/** Megabytes of young objects, most of which die at once. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 }

type Options = {
  /** Sends a flush. Resolves to undefined without an answer. */
  send: (flush: Flush) => Promise<FlushAnswer | undefined>
  /** The thread broke; it follows nothing now. */
  failed: (error: unknown) => void
}

/** The thread that follows storages, which runs only while there are any. */
export function newFeeds({ send, failed }: Options) {
  let thread: ReturnType<typeof startThread> | undefined
  let statuses: FollowStatus[] = []
  let heardMs = 0
  const startThread = () => {
    const worker = new Worker(program, { resourceLimits })
    const post = (message: ToFeeds) => worker.postMessage(message)
    worker.on('message', (message: FromFeeds) => {
      if (message.type === 'flush') return void answer(message)
      statuses = message.statuses
      heardMs = performance.now()
    })
    const answer = async (flush: Flush) => {
      const { volumeId, session } = flush
      post({ type: 'answered', volumeId, session, answer: await send(flush) })
    }
    worker.on('error', (error) => {
      thread = undefined
      statuses = []
      failed(error)
    })
    return { worker, post, exited: exitOf(worker) }
  }
  return {
    send(message: ToFeeds): void {
      thread ??= startThread()
      thread.post(message)
    },
    /** The states of followed storages that the thread last reported. While it is busy, or a disk keeps it waiting, they get older. */
    statuses(): FollowStatus[] {
      const ageMs = performance.now() - heardMs
      return statuses.map((status) => ({
        ...status,
        behindMs: status.behindMs === null || status.behindMs === 0 ? status.behindMs : status.behindMs + ageMs,
      }))
    },
    async end(): Promise<void> {
      const ending = thread
      thread = undefined
      statuses = []
      if (ending) await endThread(ending.worker, ending.exited)
    },
  }
}
