import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { quarantineFolder } from '#events/actions/orders.ts'
import { isPrefix } from '#events/sources/pathMapping.ts'
import type { MadeFile } from '../world/files.ts'
import type { MadeStorage } from '../world/storages.ts'

/** Folders of a demo in its data folder: disks with real files, and the files of the simulated systems. */
export const placesOf = (data: string) => ({
  disks: join(data, 'disks'),
  tape: join(data, 'simulated/tape'),
  uploads: join(data, 'simulated/uploads'),
  contents: join(data, 'simulated/contents.json'),
  systems: join(data, 'simulated/systems.json'),
})

/** The disk whose files policies may change. */
export const changedDisk = 'Edit bay'

/** Folders of the storages with real files, by name. */
export const disksOf = (data: string) =>
  new Map([
    [changedDisk, join(data, 'disks/edit-bay')],
    ['Nearline', join(data, 'disks/nearline')],
  ])

/** Path of a file of a disk as the simulated StorNext has it. */
export const storNextPath = (data: string, path: string): string =>
  `/stornext/snfs1${path.slice(placesOf(data).disks.length)}`

/** Host and port of each simulated system, and true once the product has been connected to them. */
const Simulated = z.object({ hosts: z.record(z.string(), z.string()), isConnected: z.boolean() })
type Simulated = z.infer<typeof Simulated>

/** Reads the simulated systems of a demo. It has none before its first start. */
export function readSimulated(data: string): Simulated {
  const { systems } = placesOf(data)
  return existsSync(systems)
    ? Simulated.parse(JSON.parse(readFileSync(systems, 'utf8')))
    : { hosts: {}, isConnected: false }
}

/** Writes JSON to a file as a whole, also if the process ends meanwhile. */
export function writeJson(file: string, content: object): void {
  writeFileSync(`${file}.new`, JSON.stringify(content))
  renameSync(`${file}.new`, file)
}

/** True for the disks of a demo and its simulated systems, in orders and requests. A demo opens nothing else. */
export function isOfDemo(data: string, order: object): boolean {
  const addresses = addressesOf(order)
  const hosts = Object.values(readSimulated(data).hosts)
  if (addresses.length > 0) return addresses.every((address) => hosts.includes(hostOf(address)))
  const folder = ('path' in order && order.path) || ('root' in order && order.root)
  return typeof folder === 'string' && isPrefix(placesOf(data).disks, folder)
}

const hostOf = (address: string): string => address.replace(/^https?:\/\//, '').replace(/\/.*$/, '')

/** All addresses of systems in an order. */
const addressesOf = (order: object): string[] =>
  Object.entries(order).flatMap(([name, value]) => {
    if (typeof value === 'object' && value !== null) return addressesOf(value as object)
    return ['url', 'host'].includes(name) ? [String(value)] : []
  })

/** Made-up size of a disk of a demo in bytes: that of this machine's disk has nothing to do with the studio. */
const diskBytes = 48 * 2 ** 20

/**
 * A disk of a demo as a storage with the files that it has now. They count as created when they were last changed: the demo has just written
 * them, and policies leave new files alone.
 */
export const diskStorage = (folder: string): MadeStorage => ({
  key: folder,
  name: basename(folder),
  kind: 'fileStorage',
  capacity: diskBytes,
  files: () =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.split('/').includes(quarantineFolder))
      .map(({ parentPath, name }): MadeFile => {
        const path = join(parentPath, name)
        const { size, mtimeMs, atimeMs, blocks, ino: inode, nlink: linkCount, mode, uid } = statSync(path)
        const [modified, accessed] = [Math.floor(mtimeMs / 1_000), Math.floor(atimeMs / 1_000)]
        const owner = uid === userInfo().uid ? userInfo().username : String(uid)
        const attributes = { inode, linkCount, mode, accessed, allocatedSize: blocks * blockBytes }
        return { path: path.slice(folder.length), size, modified, from: modified, owner, group: '', attributes }
      }),
})

/** Bytes of a block as the system counts them. */
const blockBytes = 512
