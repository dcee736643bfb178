import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { isRemote, readMounts } from '../systems/local/mounts.ts'
import type { DiskPath } from '../systems/local/paths.ts'
import { devicePartsOf } from '../systems/local/statx.ts'
import { callLater } from '../systems/local/systemCalls.ts'

/** A file that is open to be read. `giveBack` restores its access time where reading changed it, and never fails. */
type UnusedFile = { handle: FileHandle; stats: BigIntStats; giveBack(): Promise<void> }

/**
 * Opens a file so that reading is no access: data that the agent reads must not look used. Links aren't followed, and a pipe or device doesn't
 * block. O_NOATIME is for the owner of a file and root, and a server updates the time anyway; there, `giveBack` sets the time again.
 */
export async function openUnused(path: DiskPath): Promise<UnusedFile> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOATIME = 0 } = constants
  const flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
  let isRefused = false
  const handle = await open(path, flags | O_NOATIME).catch((error: NodeJS.ErrnoException) => {
    isRefused = error.code === 'EPERM'
    if (!isRefused) throw error
    return open(path, flags)
  })
  try {
    const stats = await handle.stat({ bigint: true })
    return {
      handle,
      stats,
      async giveBack() {
        if (isRefused || (await isOnServer(stats.dev))) await restoreAccess(handle, stats).catch(() => {})
      },
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Leaves the time of change alone, and the access if it is not later. The file system may refuse it. */
async function restoreAccess(handle: FileHandle, { atimeNs }: BigIntStats): Promise<void> {
  if ((await handle.stat({ bigint: true })).atimeNs <= atimeNs) return
  const second = 1_000_000_000n
  const nanoseconds = BigInt.asUintN(64, atimeNs) % second
  const times = new BigInt64Array(new ArrayBuffer(32))
  times.set([(atimeNs - nanoseconds) / second, nanoseconds, 0n, unchanged])
  await callLater(times, (calls, address, done) => calls.futimensLater(handle.fd, address, done))
}

/** UTIME_OMIT of <sys/stat.h>. */
const unchanged = (1n << 30n) - 2n

/** Types of mounted file systems by device, as they were when a file of an unknown one was read. */
let types = new Map<string, string>()

async function isOnServer(dev: bigint): Promise<boolean> {
  const device = devicePartsOf(dev).join(':')
  // A subvolume has a device without a mount.
  if (!types.has(device)) {
    const mounts = await readMounts().catch(() => [])
    types = new Map([[device, ''], ...mounts.map((each) => [each.device, each.type] as const)])
  }
  return isRemote(types.get(device) ?? '')
}
