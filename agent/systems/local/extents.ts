import { type FileHandle, open } from 'node:fs/promises'
import { callLater } from './systemCalls.ts'

/*
 * Space that files share on disk. Copies made as reflinks have the same extents as their original, and snapshots have those of the files
 * around them, so deleting one of these files frees nothing of them.
 */

/** FS_IOC_FIEMAP of <linux/fs.h>; its flags of an extent, and sizes of its structures in bytes. */
const fiemap = 0xc020660b
const extentFlags = { last: 1, shared: 0x2000 } as const
const [headerBytes, extentBytes] = [32, 56]
/** Extents in an answer, and answers about a file. Of a file in more pieces, the rest counts as not shared. */
const maxExtents = 1_000
const maxAnswers = 100

/** Bytes of an open file that other files or snapshots have, too; 0 if the file system doesn't report that. */
export async function sharedBytesOf({ fd }: FileHandle, size: number): Promise<number> {
  const data = new DataView(new ArrayBuffer(headerBytes + maxExtents * extentBytes))
  let shared = 0
  let start = 0
  for (let answers = 0; answers < maxAnswers && start < size; answers++) {
    data.setBigUint64(0, BigInt(start), true)
    data.setBigUint64(8, BigInt(size - start), true)
    data.setUint32(16, 0, true)
    data.setUint32(24, maxExtents, true)
    if ((await callLater(data, (calls, address, done) => calls.ioctlLater(fd, fiemap, address, done))) < 0) return 0
    const count = data.getUint32(20, true)
    if (count === 0) break
    for (let at = headerBytes; at < headerBytes + count * extentBytes; at += extentBytes) {
      const [from, length] = [Number(data.getBigUint64(at, true)), Number(data.getBigUint64(at + 16, true))]
      const flags = data.getUint32(at + 40, true)
      const end = Math.min(size, from + length)
      if (flags & extentFlags.shared) shared += Math.max(0, end - Math.max(start, from))
      start = flags & extentFlags.last ? size : end
    }
  }
  return shared
}

/** XFS_IOC_FSGEOMETRY_V4 of <xfs/xfs_fs.h>, the place of the flags in its answer, and the flag of file systems with reflinks. */
const xfsGeometry = { request: 0x8070587c, bytes: 112, flagsAt: 92, reflinks: 1 << 20 } as const

/** True if files of a folder may share extents. Of XFS, the file system itself says so. */
export async function sharesExtents(folder: string, type: string): Promise<boolean> {
  if (type !== 'xfs') return type === 'btrfs' || type === 'bcachefs'
  const handle = await open(folder)
  try {
    const data = new DataView(new ArrayBuffer(xfsGeometry.bytes))
    const { request, flagsAt, reflinks } = xfsGeometry
    const result = await callLater(data, (calls, address, done) => calls.ioctlLater(handle.fd, request, address, done))
    return result === 0 && (data.getUint32(flagsAt, true) & reflinks) !== 0
  } finally {
    await handle.close()
  }
}
