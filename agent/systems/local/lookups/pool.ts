import { closeFolder, openFolderLater, toList } from '../beneath.ts'
import { statxMask } from '../statx.ts'
import { statxFlags } from '../systemCalls.ts'
import type { AsyncCalls } from './asyncCalls.ts'
import { type Answered, type Lookups, maxPooled } from './lookups.ts'

/** Calls in threads of the process: of every machine that has glibc. */
export function openPool({ errno, getdents64, statx, readlinkat }: AsyncCalls, onAnswers: () => void): Lookups {
  const waiting: (() => void)[] = []
  let running = 0
  let isAnnounced = false
  const announce = () => {
    isAnnounced = false
    onAnswers()
  }
  const end = (answered: Answered, index: number, result: number) => {
    running--
    waiting.shift()?.()
    answered(index, result)
    if (!isAnnounced) setImmediate(announce)
    isAnnounced = true
  }
  const done =
    (answered: Answered, index = 0) =>
    (error: Error | null, result: number) =>
      end(answered, index, error ? -ioError : result < 0 ? -errno() : result)
  /** More calls than threads would delay other work of the process. */
  const run = (call: () => void) => {
    const start = () => {
      running++
      call()
    }
    if (running < maxPooled) start()
    else waiting.push(start)
  }
  return {
    open(root, path, answered) {
      const failed = ({ errno }: NodeJS.ErrnoException) => end(answered, 0, errno ?? -ioError)
      run(() => void openFolderLater(root, path, toList).then((fd) => end(answered, 0, fd), failed))
    },
    shut: closeFolder,
    look: (folder, name, stat, answered, index) =>
      run(() => statx(folder, name, statxFlags, statxMask, stat, done(answered, index))),
    list: (folder, buffer, size, answered) => run(() => getdents64(folder, buffer, size, done(answered))),
    readLink: (folder, name, buffer, size, answered, index) =>
      run(() => readlinkat(folder, name, buffer, size, done(answered, index))),
    submit() {},
    close() {},
  }
}

/** EIO: the call itself could not be made. */
const ioError = 5
