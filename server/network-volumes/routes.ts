import { networkCredentials, networkVolumes } from '#events/network-volumes.ts'
import { crudRoutes } from '#server/platform/crudRoutes.ts'
import type { Platform } from '#server/platform/platform.ts'
import { createCredential, removeCredential, updateCredential } from './changeCredential.ts'
import { createNetworkVolume, removeNetworkVolume, updateNetworkVolume } from './changeNetworkVolume.ts'
import { listCredentials } from './listCredentials.ts'
import { listNetworkVolumes } from './listNetworkVolumes.ts'

export const networkVolumeRoutes = (platform: Platform) => {
  const { db } = platform
  const telling =
    (topics: string[]) =>
    <Result>(result: Result): Result => {
      platform.live({ type: 'changed', topics })
      return result
    }
  const tell = telling(['volumeSettings', 'volumes', 'snapshots', 'dashboard'])
  const tellOfCredentials = telling(['networkCredentials'])
  return [
    ...crudRoutes(networkCredentials, {
      list: (query) => listCredentials(platform, query),
      create: (draft, by) => createCredential(platform, draft, by).then(tellOfCredentials),
      update: (id, draft, by) => updateCredential(platform, id, draft, by).then(tellOfCredentials),
      remove: (id, by) => removeCredential(platform, id, by).then(tellOfCredentials),
    }),
    ...crudRoutes(networkVolumes, {
      list: (query) => listNetworkVolumes(db, query),
      create: (draft, by) => createNetworkVolume(db, draft, by).then(tell),
      update: (id, draft, by) => updateNetworkVolume(db, id, draft, by).then(tell),
      remove: (id, by) => removeNetworkVolume(db, id, by).then(tell),
    }),
  ]
}
