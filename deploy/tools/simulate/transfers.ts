import { startTransfers } from '#agent/systems/transfers/simulator/index.ts'
import type { Simulated, SimulateOptions } from './options.ts'

const foldersOf = 100

/** A SoDA transfer service with files in one storage, and an empty second one. */
export async function simulateTransfers({ entries, port = 8_082, log }: SimulateOptions): Promise<Simulated> {
  const transfers = await startTransfers({ port, onAnswer: log })
  transfers.addStorage('st-1', { name: 'Projects' })
  transfers.addStorage('st-2', { name: 'Cloud A', type: 'Amazon S3' })
  transfers.addStorage('st-3', { name: 'Offline', isOnline: false })
  for (let i = 0; i < entries; i++) transfers.addFile('st-1', `/projects/reel-${i % foldersOf}/clip-${i}.mov`)
  return {
    Address: transfers.url,
    'Client ID': transfers.clientId,
    Secret: transfers.clientSecret,
    Storages: `Projects (${entries} files), Cloud A, Offline`,
  }
}
