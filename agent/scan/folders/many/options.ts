import type { Lookups } from '../../../systems/local/lookups/lookups.ts'
import type { Folder, FolderStack } from '../folderStack.ts'
import type { FolderRecording, LeftFolder } from '../recordFolder.ts'
import type { Memory } from './memory.ts'

/** Parts that a thread lends to its walk with many calls at once. */
export type ManyWalkOptions = {
  stack: FolderStack
  recording: FolderRecording
  memory: Memory
  lookups: (onAnswers: () => void) => Lookups
  /** Calls that may be in flight now. */
  max: () => number
  /** Takes one of the entries that may be read now; false if no more may be. */
  takeEntry: () => boolean
  /** Milliseconds after which a call counts as never answered. */
  answerMs: number
  /** Lists a folder with one call after another, if that suits it. Returns what is left to do: the folder, or the rest of it. */
  walkAlone: (folder: Folder) => Folder | LeftFolder | undefined
  /** Called regularly; throws `WalkStopped`. */
  tick: () => void
}
