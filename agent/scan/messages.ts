import type { ScanOrder } from '#events/scans.ts'
import type { Packed } from './batches.ts'
import type { Folders } from './folders.ts'
import type { Tally } from './tally.ts'

/** What a thread is given when it starts. */
export type Start = { order: ScanOrder; controls: SharedArrayBuffer }

/** What a thread is told: to walk folders that the order named, or that another thread found, or to send what it has. */
export type ToThread = { type: 'ordered'; paths: string[] } | { type: 'found'; folders: Folders } | { type: 'finish' }

/** What a thread says. `idle`: it has listed all it was given; `finished`: and has sent all of it. */
export type FromThread =
  | ({ type: 'batch' } & Packed)
  | { type: 'unreadable'; path: string; error: string }
  | { type: 'progressed'; tally: Tally; path: string }
  | { type: 'shared'; folders: Folders }
  | { type: 'failed'; reason: string }
  | { type: 'idle' }
  | { type: 'finished' }
