import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { isPrefix } from '#events/sources/pathMapping.ts'

/** Folders of a demo in its data folder: disks with real files, and the files of the simulated systems. */
export const placesOf = (data: string) => ({
  disks: join(data, 'disks'),
  tape: join(data, 'simulated/tape'),
  uploads: join(data, 'simulated/uploads'),
  contents: join(data, 'simulated/contents.json'),
  systems: join(data, 'simulated/systems.json'),
})

/** Folders of the storages with real files, by name. */
export const disksOf = (data: string) =>
  new Map([
    ['Edit bay', join(data, 'disks/edit-bay')],
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

/** Capacity of a disk of a demo. */
export function capacityOf(folder: string) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const used = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  return { total: diskBytes, used, free: Math.max(0, diskBytes - used), fileSystem: `demo:${folder}` }
}
