import { volumeSettings } from '#events/volume-settings.ts'
import { crudRoutes } from '#server/platform/crudRoutes.ts'
import type { Platform } from '#server/platform/platform.ts'
import { createVolume, removeVolume, updateVolume } from './changeVolume.ts'
import { listVolumes } from './listVolumes.ts'

export const volumeRoutes = ({ db, live }: Platform) => {
  const tell = <Result>(result: Result): Result => {
    live({ type: 'changed', topics: ['volumeSettings', 'volumes', 'snapshots', 'dashboard'] })
    return result
  }
  return crudRoutes(volumeSettings, {
    list: (query) => listVolumes(db, query),
    create: (draft, by) => createVolume(db, draft, by).then(tell),
    update: (id, draft, by) => updateVolume(db, id, draft, by).then(tell),
    remove: (id, by) => removeVolume(db, id, by).then(tell),
  })
}
