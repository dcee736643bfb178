import { statxWords as at } from '#events/node/blocks/rowsOfFiles.ts'
import { isRemote, isServed } from './mounts.ts'
import { migratedFiles } from '#events/actions/contents.ts'
import { allocatedSizeOf, blockBytes, isFolder, isLink, sizeOf, type Statx } from './statx.ts'

/*
 * Space of files on disk where the file system doesn't report it. Programs that show remote or packed files as a file system (FUSE) and
 * SMB servers may report no blocks for any file, or one for each of any size. Such files would cost nothing. File systems of this
 * machine, and NFS, which derives blocks from the size if the server sends none, are always right: there a file without blocks has none.
 */

/** Blocks that some programs report for every file. */
const placeholder = 1

/** Returns whether a file has more blocks than a server invents for every file. */
const hasOwnBlocks = (stat: Statx): boolean =>
  sizeOf(stat) > migratedFiles.inlineBytes && allocatedSizeOf(stat) * 2 >= sizeOf(stat)

/** Number of a device as in `statx`, from `major:minor` of a mount. */
const deviceNumber = (device: string): number => {
  const [major = 0, minor = 0] = device.split(':').map(Number)
  return major * 2 ** 32 + minor
}

/**
 * Returns a function that gives a file the blocks that its size needs if its file system, of those that may report none, did so. It counts such
 * files, and those that show that their server reports blocks. Undefined if all file systems (types by device, `major:minor`) are of this
 * machine.
 */
export function newBlockFiller(
  types: ReadonlyMap<string, string>,
  counts: { withoutBlocks: number; withBlocks: number },
): ((stat: Statx) => void) | undefined {
  const devices = new Map(
    [...types].filter(([, type]) => isRemote(type)).map(([device, type]) => [deviceNumber(device), isServed(type)]),
  )
  if (devices.size === 0) return undefined
  return (stat) => {
    const mayLack = devices.get((stat[at.major] as number) * 2 ** 32 + (stat[at.minor] as number))
    if (mayLack === undefined || isFolder(stat) || isLink(stat)) return
    if (stat[at.blocks + 1] !== 0 || (stat[at.blocks] as number) > placeholder) {
      if (hasOwnBlocks(stat)) counts.withBlocks++
      return
    }
    const needed = Math.ceil(sizeOf(stat) / blockBytes)
    if (!mayLack || needed <= (stat[at.blocks] as number)) return
    stat[at.blocks] = needed
    stat[at.blocks + 1] = Math.floor(needed / 2 ** 32)
    counts.withoutBlocks++
  }
}
