import type { Clock } from '#agent/systems/archiware/simulator/clock.ts'
import type { Failure } from '../unconfirmed.ts'
import { blocksOf, type Media } from './media.ts'

/** Simulated times of tapes. */
export type DriveTimes = { mountMs: number; msPerBlock: number; bytesPerSecond: number }

/** A file that is read from or written to a tape. */
export type TapeTask = {
  kind: 'read' | 'write'
  path: string
  media: Media
  /** Block of a file that is read. Writes begin at the tape's next block. */
  startBlock?: number
  bytes: number
  end: (result: { failure: Failure } | { startBlock: number }) => void
}

/** A finished access of a tape. `at` in simulated milliseconds since 1970. */
export type TapeAccess = { kind: 'read' | 'write'; path: string; mediaId: string; startBlock: number; at: number }

export type Drive = ReturnType<typeof newDrive>

const busyPollMs = 5_000

/** One drive. Tasks run one after another, in the order in which they were submitted. */
export function newDrive(clock: Clock, times: DriveTimes) {
  const queue: TapeTask[] = []
  const log: TapeAccess[] = []
  const state = { isBusy: false, mounts: 0, mountedId: undefined as string | undefined, block: 0 }
  let current: TapeTask | undefined

  const runNext = () => {
    if (current || queue.length === 0) return
    if (state.isBusy) return clock.after(busyPollMs, runNext)
    current = queue.shift()
    if (current) run(current)
  }
  const finish = (task: TapeTask, result: Parameters<TapeTask['end']>[0]) => {
    // A restart has dropped the task.
    if (current !== task) return
    current = undefined
    task.end(result)
    runNext()
  }
  const run = (task: TapeTask) => {
    const { media, kind, path, bytes } = task
    if (!media.isOnline) return finish(task, { failure: 'tape offline' })
    const startBlock = task.startBlock ?? media.nextBlock
    const ms = mount(media) + Math.abs(startBlock - state.block) * times.msPerBlock
    clock.after(ms + (bytes / times.bytesPerSecond) * 1_000, () => {
      if (current !== task) return
      if (media.isDamaged) return finish(task, { failure: kind === 'read' ? 'read error' : 'write error' })
      state.block = startBlock + blocksOf(bytes)
      if (kind === 'write') {
        media.nextBlock = state.block
        media.usedBytes += bytes
      }
      log.push({ kind, path, mediaId: media.mediaId, startBlock, at: clock.now() })
      finish(task, { startBlock })
    })
  }
  /** Time to mount a tape. */
  const mount = ({ mediaId }: Media): number => {
    if (state.mountedId === mediaId) return 0
    Object.assign(state, { mountedId: mediaId, block: 0, mounts: state.mounts + 1 })
    return times.mountMs
  }
  return {
    /** A busy drive starts no task. */
    state,
    times,
    log,
    submit(task: TapeTask): void {
      queue.push(task)
      runNext()
    },
    /** Drops all tasks, also the running one. */
    clear(): void {
      queue.length = 0
      current = undefined
    },
  }
}
