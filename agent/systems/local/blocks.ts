import { statxWords as at } from '#events/scans/blocks/rowsOfFiles.ts'
import { isServed } from './mounts.ts'
import { blockBytes, isFolder, isLink, sizeOf, type Statx } from './statx.ts'

/*
 * Space of files on disk where the file system doesn't report it. Programs that show remote or packed files as a file system (FUSE) and
 * SMB servers may report no blocks for any file, or one for each of any size. Such files would cost nothing. File systems of this
 * machine, and NFS, which derives blocks from the size if the server sends none, are always right: there a file without blocks has none.
 */

/** Blocks that some programs report for every file. */
const placeholder = 1

/** Number of a device as in `statx`, from `major:minor` of a mount. */
const deviceNumber = (device: string): number => {
  const [major = 0, minor = 0] = device.split(':').map(Number)
  return major * 2 ** 32 + minor
}

/**
 * Returns a function that gives a file the blocks that its size needs if its file system reported none. The function returns true for such a
 * file. Undefined if all file systems (types by device, `major:minor`) report blocks.
 */
export function newBlockFiller(types: ReadonlyMap<string, string>): ((stat: Statx) => boolean) | undefined {
  const devices = new Set([...types].flatMap(([device, type]) => (isServed(type) ? [deviceNumber(device)] : [])))
  if (devices.size === 0) return undefined
  return (stat) => {
    if (!devices.has((stat[at.major] as number) * 2 ** 32 + (stat[at.minor] as number))) return false
    if (stat[at.blocks + 1] !== 0 || (stat[at.blocks] as number) > placeholder) return false
    const needed = Math.ceil(sizeOf(stat) / blockBytes)
    if (needed <= (stat[at.blocks] as number) || isFolder(stat) || isLink(stat)) return false
    stat[at.blocks] = needed
    stat[at.blocks + 1] = Math.floor(needed / 2 ** 32)
    return true
  }
}
