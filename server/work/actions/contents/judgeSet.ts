import type { Digests, FileContent } from '#events/actions/contents.ts'

/** The newest result of a file. `reason` is why it could not be read; `comparedAt` is in milliseconds. */
export type ComparedFile = Digests & { fileId: string; size: number; reason: string; comparedAt: number }

/**
 * Judges the files of a set by what was read of them, maybe in several jobs. Two files are the same if everything of them is, or if they are hard
 * links of one file; they differ if their ends do, or everything. What was not read in full can be neither.
 */
export function judgeSet(files: readonly ComparedFile[]): { files: FileContent[]; verifiedReclaimable: number } {
  const read = files.filter(({ reason }) => reason === '').map((file) => ({ ...file, whole: wholeOf(file, files) }))
  const groups = [...Map.groupBy(read, contentKey).values()]
    .filter(({ length }) => length > 1)
    .sort((a, b) => b.length - a.length)
  const judged = files.map((file) => {
    const own = read.find(({ fileId }) => fileId === file.fileId)
    const at = own ? groups.findIndex((group) => group.includes(own)) : -1
    const others = (groups[at] ?? []).filter((other) => other !== own)
    return {
      fileId: file.fileId,
      state: own ? (others.length > 0 ? 'same' : stateOfSingle(own, read)) : 'failed',
      group: at + 1,
      others: others.length,
      isHardLink: others.some((other) => other.file === own?.file),
      sharedBytes: file.shared,
      comparedAt: new Date(file.comparedAt).toISOString(),
      reason: file.reason,
    } satisfies FileContent
  })
  return { files: judged, verifiedReclaimable: groups.reduce((sum, group) => sum + reclaimable(group), 0) }
}

/** Hard links have the same content, so one of them has to be read. An inode that was reused shows by the ends. */
const isLinkOf = (a: Digests, b: Digests): boolean => a.file !== '' && a.file === b.file && a.ends === b.ends

const wholeOf = (file: Digests, files: readonly Digests[]): string =>
  file.whole || (files.find((other) => isLinkOf(file, other) && other.whole !== '')?.whole ?? '')

const contentKey = ({ whole, file, ends }: Digests): string => whole || `${file}:${ends}`

function stateOfSingle(file: ComparedFile, read: readonly ComparedFile[]): 'different' | 'unknown' {
  const others = read.filter((other) => other !== file)
  const differs = (other: ComparedFile) => other.ends !== file.ends || (other.whole !== '' && file.whole !== '')
  return others.length > 0 && others.every(differs) ? 'different' : 'unknown'
}

/**
 * Bytes freed at least by keeping one file of those with the same content. Shared bytes may be those of a snapshot, which stay; of a group with
 * an own copy and shared ones, either the own copy is deleted or the last of the shared ones.
 */
function reclaimable(group: readonly ComparedFile[]): number {
  const own = [...new Map(group.map(({ file, size, shared }) => [file, Math.max(0, size - shared)])).values()]
  return own.reduce((sum, bytes) => sum + bytes, 0) - Math.min(...own)
}
