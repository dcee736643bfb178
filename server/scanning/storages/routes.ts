import { detailedVolume, mostActiveVolumes, storages } from '#events/storages.ts'
import type { Stores } from '#server/platform/platform.ts'
import { route } from '#server/platform/http/route.ts'
import { listDetails } from './listDetails.ts'
import { listMostActive } from './listMostActive.ts'
import { listStorages } from './listStorages.ts'

export const storageRoutes = (stores: Stores) => [
  route(detailedVolume, ({ params, query }, { scope }) => listDetails(stores, scope, params.id, query)),
  route(storages, ({ query }, { scope }) => listStorages(stores.db, scope, query)),
  route(mostActiveVolumes, ({ query }, { scope }) => listMostActive(stores.db, scope, query)),
]
