import { createHash } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ScanOrder } from '#events/scans/order.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import { readDigests, writeDigests } from './digestFile.ts'

/** What a thread is given for digests: what is known, and as of which scan. Without `known` the rows of all files are sent. */
export type ThreadDigests = {
  /** Goes into each digest: what decides rows beside the disk. */
  rules: string
  known?: { table: SharedArrayBuffer; scan: number; isCheck: boolean }
}

/** The digests of a scan: those that are known go to the threads, and those that these make into a file. */
export type ScanDigests = {
  forThreads: ThreadDigests
  add(digests: Uint8Array): void
  /** What the file is called by when it is told of; undefined if there is none. */
  finish(): Promise<string | undefined>
  /** The scan has ended well: its digests are those of the volume. */
  keep(): Promise<void>
  /** Whatever is not kept goes. */
  close(): Promise<void>
}

/** Opens the digests of the volume of an order, in the agent's own folder; undefined where there is none or it takes no files. */
export async function openDigests(state: string | undefined, order: ScanOrder): Promise<ScanDigests | undefined> {
  if (state === undefined) return undefined
  const { product, volumeId: volume, scanId: scan, compareWith } = order
  await removeOthers(join(state, 'digests'), product)
  const path = join(state, 'digests', product, String(volume))
  const rules = rulesOf(order)
  const writer = await writeDigests(path, { product, volume, scan, rules }).catch(() => undefined)
  if (!writer) return undefined
  const table =
    compareWith && (await readDigests(path, { product, volume, scan: compareWith.scan, rules }, compareWith.digests))
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

/**
 * What of an order decides rows. An agent of another version may see more of a file, or call it otherwise. Who signs in to a share
 * makes no difference to what a file is once it is seen.
 */
function rulesOf(order: ScanOrder): string {
  const { ignoredPaths, indexFolderOnlyPaths, crossFileSystems, withoutOwners = false } = order
  const more = [ignoredPaths, indexFolderOnlyPaths, crossFileSystems, withoutOwners]
  const rules = [packageJson.version, ...placeOf(order.source), ...more]
  return createHash('sha256').update(JSON.stringify(rules)).digest('hex')
}

function placeOf(source: ScanOrder['source']): unknown[] {
  if (source.kind === 'fileStorage') return [source.path, undefined]
  if (source.kind !== 'networkShare') return []
  const { type, host, shareName, options } = source.mount
  return [source.path, [type, host, shareName, options]]
}
