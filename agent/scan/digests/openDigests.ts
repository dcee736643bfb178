import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ScanOrder } from '#events/sources/scanOrder.ts'
import { rulesDigest } from '../rulesDigest.ts'
import { readDigests, writeDigests } from './digestFile.ts'

/** Digests for a thread: the known ones, and the scan that they are of. Without `known` the rows of all files are sent. */
export type ThreadDigests = {
  /** Part of each digest: everything that decides rows in addition to the disk. */
  rules: string
  known?: { table: SharedArrayBuffer; scan: number; isCheck: boolean }
}

/** The digests of a scan: those that are known go to the threads, and those that these make into a file. */
export type ScanDigests = {
  forThreads: ThreadDigests
  add(digests: Uint8Array): void
  /** Returns the name of the file for the server; undefined without a file. */
  finish(): Promise<string | undefined>
  /** The scan has ended well: its digests are those of the volume. */
  keep(): Promise<void>
  /** Removes everything that was not kept. */
  close(): Promise<void>
}

/** Opens the digests of the order's volume in the agent's own folder. Undefined without a folder, or if it accepts no files. */
export async function openDigests(state: string | undefined, order: ScanOrder): Promise<ScanDigests | undefined> {
  if (state === undefined) return undefined
  const { product, volumeId: volume, scanId: scan, compareWith } = order
  await removeOthers(join(state, 'digests'), product)
  const path = join(state, 'digests', product, String(volume))
  const rules = rulesDigest(order)
  const writer = await writeDigests(path, { product, volume, scan, rules }).catch(() => undefined)
  if (!writer) return undefined
  const table =
    compareWith && (await readDigests(path, { product, volume, scan: compareWith.scan, rules }, compareWith.baseline))
  const known = compareWith && table && { table, scan: compareWith.scan, isCheck: compareWith.isCheck }
  return {
    forThreads: { rules, ...(known && { known }) },
    add: writer.add,
    finish: writer.finish,
    keep: () => writer.keep().catch(() => undefined),
    close: () => writer.drop().catch(() => undefined),
  }
}

/** Removes the digests of other products, such as this one before it was restored from a backup. */
async function removeOthers(folder: string, product: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names)
    if (name !== product) await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined)
}
