/** A tape. Blocks are counted from its start. */
export type Media = {
  mediaId: string
  /** Offline tapes are outside of the library. */
  isOnline: boolean
  /** Reads and writes fail after the tape was positioned. */
  isDamaged: boolean
  capacityBytes: number
  usedBytes: number
  /** Block at which the next file is written. */
  nextBlock: number
  /** Milliseconds since 1970. */
  importedAt: number
  /** Name of its library. */
  archive: string
}

/** Bytes of a block. */
const blockBytes = 1_048_576

/** A tape of 12 TB. */
export const newMedia = (mediaId: string, values: Partial<Media>): Media => ({
  mediaId,
  isOnline: true,
  isDamaged: false,
  capacityBytes: 12e12,
  usedBytes: 0,
  nextBlock: 0,
  importedAt: Date.UTC(2024, 0, 15),
  archive: 'i6000',
  ...values,
})

export const blocksOf = (bytes: number): number => Math.max(1, Math.ceil(bytes / blockBytes))

/** Class of a policy: the files in its directories get this number of tape copies. */
export type PolicyClass = {
  name: string
  directories: string[]
  copies: 1 | 2
  hasChecksums: boolean
}

/** Class of a path, by the longest matching directory. */
export function classOf(classes: Iterable<PolicyClass>, path: string): PolicyClass | undefined {
  const matches = [...classes].flatMap((policyClass) =>
    policyClass.directories
      .filter((directory) => path === directory || path.startsWith(`${directory}/`))
      .map((directory) => ({ policyClass, length: directory.length })),
  )
  return matches.sort((a, b) => b.length - a.length)[0]?.policyClass
}
