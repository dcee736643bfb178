import { detailedVolume, mostActiveVolumes, storages } from '#events/storages.ts'
import type { Stores } from '#server/platform/platform.ts'
import { route } from '#server/platform/http/route.ts'
import { listDetails } from './listDetails.ts'
import { listMostActive } from './listMostActive.ts'
import { listStorages } from './listStorages.ts'

export const storageRoutes = (stores: Stores) => [
  route(detailedVolume, ({ params, query }) => listDetails(stores, params.id, query)),
  route(storages, ({ query }) => listStorages(stores.db, query)),
  route(mostActiveVolumes, ({ query }) => listMostActive(stores.db, query)),
]
