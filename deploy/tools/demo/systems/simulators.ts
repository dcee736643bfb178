import { mkdirSync, rmSync } from 'node:fs'
import { newClock } from '#agent/simulator/clock.ts'
import { startArchiware } from '#agent/systems/archiware/simulator/index.ts'
import { startIconik } from '#agent/systems/iconik/simulator/index.ts'
import { fillTree, startPowerScale } from '#agent/systems/power-scale/simulator/index.ts'
import { startStorNext } from '#agent/systems/stornext/simulator/index.ts'
import { startTransfers } from '#agent/systems/transfers/simulator/index.ts'
import { readContents } from './contents.ts'
import { disksOf, placesOf, storNextPath } from './places.ts'

const clusterEntries = 1_200
const capacity = { totalBytes: 2 ** 31, availableBytes: 2 ** 29 }

export type Simulators = Awaited<ReturnType<typeof startSimulators>>

/** Starts the simulated systems on the loopback, on the ports of an earlier start if they are free, with what they kept. */
export async function startSimulators(data: string, hosts: Record<string, string>) {
  const { disks, tape, uploads } = placesOf(data)
  rmSync(uploads, { recursive: true, force: true })
  for (const folder of [...disksOf(data).values(), tape, uploads]) mkdirSync(folder, { recursive: true })
  const onPort = <T>(name: string, start: (port: number) => Promise<T>): Promise<T> => {
    const port = Number(hosts[name]?.split(':')[1] ?? 0)
    return start(port).catch((error: unknown) => (port === 0 ? Promise.reject(error) : start(0)))
  }
  // So quick that files are in the index before the scan that follows an archive job.
  const p5 = await onPort('p5', (port) => startArchiware({ port, folder: tape, clock: { speed: 20 } }))
  p5.clients.clear()
  p5.addClient('edit-bay', { description: 'Disks of the demo', folders: { [disks]: disks } })
  p5.addPlan('10001', { name: 'Copy to tape (simulated)' })
  p5.addPlan('10002', { name: 'Move to tape (simulated)', deletesFiles: true })
  const onStorNext = { folder: tape, clock: { speed: 10 }, folders: { [storNextPath(data, disks)]: disks } }
  const storNext = await onPort('storNext', (port) => startStorNext({ port, ...onStorNext }))
  const transfers = await onPort('transfers', (port) => startTransfers({ port }))
  for (const [name, folder] of disksOf(data)) transfers.addStorage(name, { name, folder, capacityUsed: undefined })
  const iconik = await onPort('iconik', (port) => startIconik({ port, folder: uploads }))
  iconik.storages.clear()
  iconik.addStorage({ name: 'Simulated iconik storage' })
  for (const title of ['Dailies', 'Reviews', 'Trailers']) iconik.addCollection({ title })
  const clock = newClock({ start: Date.now() / 1_000, speed: 1 / 1_000 })
  const powerScale = await onPort('powerScale', (port) => startPowerScale({ port, clock, switches: { capacity } }))
  fillTree(powerScale.tree, clusterEntries)
  readContents({ p5, storNext }, data)
  return { p5, storNext, transfers, iconik, powerScale }
}
