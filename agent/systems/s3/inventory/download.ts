import { createHash } from 'node:crypto'
import { type FileHandle, mkdtemp, open, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ScanFailed } from '../../system.ts'
import { StoreRefused } from '../failures.ts'
import type { InventoryFile } from './manifest.ts'

/** Bytes of one request. */
const chunkBytes = 4 * 1024 * 1024

/** Bytes of an object from one place to another, both included. */
export type ReadRange = (key: string, from: number, to: number) => Promise<Uint8Array>

export type Download = {
  /** The whole file, once its checksum is right. If the store was busy, the next call continues from there. */
  finish(read: ReadRange): Promise<FileHandle>
  close(): Promise<void>
}

/**
 * Brings a file of an inventory to this machine, so that nothing is read of one that is damaged. It has no name there: when the
 * agent ends, however it does, the file is gone. Throws `ScanFailed` where it is not what the manifest says.
 */
export function newDownload({ key, size, md5 }: InventoryFile): Download {
  const hash = createHash('md5')
  const wrongSize = new ScanFailed(`The file ${key} of the inventory does not have ${size} bytes, as its manifest says`)
  const tellWhatIsMissing = (error: unknown): never => {
    const code = error instanceof StoreRefused ? error.refusal : ''
    if (code === 'NoSuchKey') throw new ScanFailed(`The file ${key} of the inventory is not there`)
    throw code === 'InvalidRange' ? wrongSize : error
  }
  let handle: FileHandle | undefined
  let bytes = 0
  return {
    async finish(read) {
      if (!handle) await checkSpace(key, size)
      handle ??= await openNameless()
      while (bytes < size) {
        const chunk = await read(key, bytes, Math.min(size, bytes + chunkBytes) - 1).catch(tellWhatIsMissing)
        if (chunk.length === 0 || bytes + chunk.length > size) throw wrongSize
        await handle.write(chunk, 0, chunk.length, bytes)
        hash.update(chunk)
        bytes += chunk.length
      }
      if (hash.digest('hex') !== md5)
        throw new ScanFailed(`The file ${key} of the inventory does not have the checksum that its manifest says`)
      return handle
    },
    close: async () => handle?.close(),
  }
}

/** Part of the free space of this machine's temporary folder that a download leaves to others. */
const spaceLeft = 0.1

/** Throws `ScanFailed` if there is no space for the file. */
async function checkSpace(key: string, size: number): Promise<void> {
  const { bavail, bsize } = await statfs(tmpdir())
  const free = Math.floor(bavail * bsize * (1 - spaceLeft))
  if (size > free)
    throw new ScanFailed(
      `The file ${key} of the inventory has ${size} bytes, and there is only space for ${free} in ${tmpdir()}`,
    )
}

async function openNameless(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'dataintell-inventory-'))
  try {
    return await open(join(folder, 'file'), 'wx+', 0o600)
  } finally {
    await rm(folder, { recursive: true })
  }
}
