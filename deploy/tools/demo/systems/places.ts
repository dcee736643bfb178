import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { isPrefix } from '#events/sources/pathMapping.ts'

/** Folders of a demo in its data folder: disks with real files, and files that the simulated systems keep. */
export const placesOf = (data: string) => ({
  disks: join(data, 'disks'),
  editBay: join(data, 'disks/edit-bay'),
  nearline: join(data, 'disks/nearline'),
  tape: join(data, 'simulated/tape'),
  uploads: join(data, 'simulated/uploads'),
  contents: join(data, 'simulated/contents.json'),
  systems: join(data, 'simulated/systems.json'),
})

const Simulated = z.object({
  /** Host and port of each simulated system, by its name. */
  hosts: z.record(z.string(), z.string()),
  /** The product has been connected to them. */
  isConnected: z.boolean(),
})
type Simulated = z.infer<typeof Simulated>

/** Reads the simulated systems of a demo. It has none before its first start. */
export function readSimulated(data: string): Simulated {
  const file = placesOf(data).systems
  if (!existsSync(file)) return { hosts: {}, isConnected: false }
  return Simulated.parse(JSON.parse(readFileSync(file, 'utf8')))
}

export const writeSimulated = (data: string, simulated: Simulated): void =>
  replaceFile(placesOf(data).systems, JSON.stringify(simulated))

/** Writes a file as a whole, also if the process ends meanwhile. */
export function replaceFile(file: string, text: string): void {
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}

/** True for the disks of a demo and its simulated systems, in orders and requests. A demo opens nothing else. */
export function isOfDemo(data: string, order: object): boolean {
  const folder = ('path' in order && order.path) || ('root' in order && order.root)
  const addresses = addressesOf(order)
  if (addresses.length === 0) return typeof folder === 'string' && isPrefix(placesOf(data).disks, folder)
  const known = Object.values(readSimulated(data).hosts)
  return addresses.every((address) => known.includes(address.replace(/^https?:\/\//, '').replace(/\/.*$/, '')))
}

/** All addresses of systems in an order. */
const addressesOf = (order: object): string[] =>
  Object.entries(order).flatMap(([name, value]) => {
    if (typeof value === 'object' && value !== null) return addressesOf(value as object)
    return ['url', 'host'].includes(name) ? [String(value)] : []
  })

/** Bytes that a disk of a demo holds: a made-up number, since the disk of this machine has nothing to do with the studio. */
const diskBytes = 48 * 2 ** 20

/** Capacity of a disk of a demo. */
export function capacityOf(folder: string) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const used = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  return { total: diskBytes, used, free: Math.max(0, diskBytes - used), fileSystem: `demo:${folder}` }
}
