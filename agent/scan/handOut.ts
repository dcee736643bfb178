import type { Folders } from './folders.ts'
import type { ToThread } from './messages.ts'

/** Some of the folders that an order names, and how many come after them. */
export type Page = { pending: string[]; morePending: number }

type Ways = {
  threads: number
  first: Page
  nextPage: (after: string) => Promise<Page>
  tell: (thread: number, message: ToThread) => void
  /** How many threads wait. */
  hungry: (threads: number) => void
  failed: (error: unknown) => void
}

/** Paths that are handed to a thread at once: few, so that none waits while another has many. */
const orderedAtOnce = 16

/**
 * Gives each waiting thread folders: those that another one shares, else the next of the order. When all wait and
 * nothing is left, all is listed, and they are told to finish.
 */
export function handOut({ threads, first, nextPage, tell, hungry, failed }: Ways) {
  const waiting: number[] = []
  const shared: Folders[] = []
  let { pending, morePending } = first
  let last = pending.at(-1) ?? ''
  let fetching = false

  const settle = () => {
    while (waiting.length > 0) {
      const message = next()
      if (!message) break
      tell(waiting.pop() as number, message)
    }
    if (pending.length < orderedAtOnce && morePending > 0 && !fetching) void fetchPage().catch(failed)
    hungry(waiting.length)
    if (waiting.length === threads && !fetching) for (const thread of waiting) tell(thread, { type: 'finish' })
  }
  const next = (): ToThread | undefined => {
    const folders = shared.pop()
    if (folders) return { type: 'found', folders }
    const paths = pending.slice(0, orderedAtOnce)
    pending = pending.slice(orderedAtOnce)
    return paths.length > 0 ? { type: 'ordered', paths } : undefined
  }
  const fetchPage = async () => {
    fetching = true
    const page = await nextPage(last)
    fetching = false
    last = page.pending.at(-1) ?? last
    pending = [...pending, ...page.pending]
    morePending = page.pending.length > 0 ? page.morePending : 0
    settle()
  }
  return {
    /** A thread has nothing to do. */
    idle(thread: number) {
      waiting.push(thread)
      settle()
    },
    shared(folders: Folders) {
      shared.push(folders)
      settle()
    },
    /** Folders that no thread has yet. */
    queued: () => morePending + pending.length + shared.reduce((sum, { names }) => sum + names.length, 0),
  }
}
export type HandOut = ReturnType<typeof handOut>
