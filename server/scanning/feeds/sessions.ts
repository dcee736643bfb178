import type { FlushAnswer } from '#events/feeds/flushes.ts'
import type { Stores } from '#server/platform/platform.ts'

/** Live states of volumes. */
export type Sessions = {
  /** Begins a session on the committed state of a volume; undefined without one. */
  startSession: (stores: Stores, volumeId: number) => Promise<{ session: string; baseScan: number } | undefined>
  applyFlush: (stores: Stores, flush: { volumeId: number; session: string; blocks: Buffer[] }) => Promise<FlushAnswer>
  endSession: (stores: Stores, volumeId: number) => Promise<void>
}
