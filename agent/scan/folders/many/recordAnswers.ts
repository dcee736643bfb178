import { giveError, giveName, newDiskEntry } from '../../../systems/local/diskEntry.ts'
import { isGone, reason } from '../../../systems/local/failures.ts'
import type { Statx } from '../../../systems/local/statx.ts'
import { errorOf } from '../../../systems/local/systemCalls.ts'
import { type FolderRecorder, type FolderRecording, newFolderRecorder } from '../recordFolder.ts'
import { type Block, type Memory, noLoop } from './memory.ts'
import type { OpenFolder } from './openFolder.ts'

/** Blocks of a folder until its recording starts, unless they were all of it. */
const blocksToStart = 8

type Options = { recording: FolderRecording; memory: Memory }

/** Records the entries of open folders in the order of the listing, when all before them have their answers. */
export function newAnswerRecorder({ recording, memory }: Options) {
  const files = recording.digests?.files
  const entry = newDiskEntry()
  /** Few large folders are recorded at the same time, for their digests need memory. A small one is recorded at once. */
  const recorderOf = (folder: OpenFolder): FolderRecorder | undefined => {
    if (folder.recorder) return folder.recorder
    const { isComplete } = folder
    if (!isComplete && !isWaiting(folder)) return undefined
    folder.files = files?.take(isComplete)
    if (files && !folder.files) return undefined
    folder.recorder = newFolderRecorder(folder.folder, recording, folder.files)
    return folder.recorder
  }
  const recordBlock = (block: Block, recorder: FolderRecorder) => {
    for (let n = 0; n < block.count; n++) {
      const result = block.results[n] as number
      entry.stat = block.stats[n] as Statx
      entry.error = undefined
      entry.linkTarget = block.targets[n] as string
      if (result < 0) {
        const error = errorOf(-result, 'statx')
        if (isGone(error)) continue
        giveError(entry, block.kinds[n] as number, reason(error))
      }
      giveName(entry, block.names.bytes, block.starts[n], block.ends[n])
      recorder.take(entry, result === noLoop)
    }
  }
  return {
    /** Records what may be. Returns the recorder of a folder that is complete by that. */
    record(folder: OpenFolder): FolderRecorder | undefined {
      const recorder = recorderOf(folder)
      if (!recorder) return undefined
      for (let block = folder.blocks[0]; block?.left === 0; block = folder.blocks[0]) {
        recordBlock(block, recorder)
        folder.blocks.shift()
        memory.freeBlock(block)
      }
      return folder.isComplete ? recorder : undefined
    },
  }
}

/** True for a large folder whose recording has not started. */
export const isWaiting = ({ recorder, blocks }: OpenFolder): boolean => !recorder && blocks.length >= blocksToStart
