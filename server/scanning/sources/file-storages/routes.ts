import { fileStorages } from '#events/sources/fileStorages.ts'
import { crudRoutes } from '#server/platform/crud/crudRoutes.ts'
import type { Platform } from '#server/platform/platform.ts'
import { sourceTopics } from '../sourceTable.ts'
import { fileStorage } from './fileStorage.ts'
import { listFileStorages } from './listFileStorages.ts'

export const fileStorageRoutes = (platform: Pick<Platform, 'db' | 'live'>) =>
  crudRoutes(platform, fileStorages, {
    topics: sourceTopics,
    list: (query) => listFileStorages(platform.db, query),
    ...fileStorage,
  })
