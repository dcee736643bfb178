import type { PendingPage } from '#events/tasks.ts'
import type { Folders } from './folderStack.ts'
import type { ToThread } from './messages.ts'

type Options = {
  threads: number
  /** The first of the order's folders; `nextPage` gives the others. */
  first: PendingPage
  nextPage: (after: string) => Promise<PendingPage>
  send: (thread: number, message: ToThread) => void
  setIdle: (threads: number) => void
  failed: (error: unknown) => void
}

/** Paths that a thread is given at once: few, so that none is idle while another has many. */
const pathsAtOnce = 16

/**
 * Gives folders to each idle thread: those shared by another thread, otherwise the next ones of the order. When all threads are idle and no
 * folders are left, the listing is complete, and the threads receive `finish`.
 */
export function newFolderQueue({ threads, first, nextPage, send, setIdle, failed }: Options) {
  const idle: number[] = []
  const shared: Folders[] = []
  let { pending, morePending } = first
  let last = pending.at(-1) ?? ''
  let fetching = false

  const dispatch = () => {
    while (idle.length > 0) {
      const message = next()
      if (!message) break
      send(idle.pop() as number, message)
    }
    if (pending.length < pathsAtOnce && morePending > 0 && !fetching) void fetchPage().catch(failed)
    setIdle(idle.length)
    if (idle.length === threads && !fetching) for (const thread of idle) send(thread, { type: 'finish' })
  }
  const next = (): ToThread | undefined => {
    const folders = shared.pop()
    if (folders) return { type: 'shared', folders }
    const paths = pending.slice(0, pathsAtOnce)
    pending = pending.slice(pathsAtOnce)
    return paths.length > 0 ? { type: 'ordered', paths } : undefined
  }
  const fetchPage = async () => {
    fetching = true
    const page = await nextPage(last)
    fetching = false
    last = page.pending.at(-1) ?? last
    pending = [...pending, ...page.pending]
    morePending = page.pending.length > 0 ? page.morePending : 0
    dispatch()
  }
  return {
    /** A thread has nothing to do. */
    idle(thread: number) {
      idle.push(thread)
      dispatch()
    },
    share(folders: Folders) {
      shared.push(folders)
      dispatch()
    },
    /** Folders that no thread has yet. */
    size: () => morePending + pending.length + shared.reduce((sum, { names }) => sum + names.length, 0),
  }
}
export type FolderQueue = ReturnType<typeof newFolderQueue>
