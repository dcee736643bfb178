import { startIconik } from '#agent/systems/iconik/simulator/index.ts'
import type { Simulated, SimulateOptions } from './options.ts'

const maxCollections = 6_000

/**
 * An iconik with storages of all methods, and with a number of collections. It counts the bytes of uploads and checks their checksums, but
 * does not keep them. The gateway of `FILE 1` serves the folder that is the current directory.
 */
export async function simulateIconik({ entries, port = 8_090, log }: SimulateOptions): Promise<Simulated> {
  const iconik = await startIconik({ port, onAnswer: log })
  iconik.fillCollections(Math.min(entries, maxCollections))
  const storage = iconik.storageNamed('FILE 1')
  const folder = process.cwd()
  storage.folder = folder
  storage.settings.mount_point = folder
  return {
    Address: iconik.url,
    Uploads: iconik.uploadUrl,
    'App-ID': iconik.appId,
    'Auth-Token': iconik.token,
    Collections: String(iconik.collections.size),
    Storages: String(iconik.storages.size),
  }
}
