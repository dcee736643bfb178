import { savedSearches } from '#events/search/savedSearches.ts'
import { crudRoutes } from '#server/platform/crud/crudRoutes.ts'
import type { Platform } from '#server/platform/platform.ts'
import { createSavedSearch, removeSavedSearch, updateSavedSearch } from './savedSearches.ts'
import { listSavedSearches } from './savedSearches.ts'

export const savedSearchRoutes = (platform: Pick<Platform, 'db' | 'live'>) =>
  crudRoutes(platform, savedSearches, {
    topics: ['savedSearches'],
    list: (query, by) => listSavedSearches(platform.db, query, by),
    create: createSavedSearch,
    update: updateSavedSearch,
    remove: removeSavedSearch,
  })
