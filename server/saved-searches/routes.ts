import { savedSearches } from '#events/saved-searches.ts'
import { crudRoutes } from '#server/platform/crudRoutes.ts'
import { wakeFollowers } from '#server/platform/follow.ts'
import type { Platform } from '#server/platform/platform.ts'
import { createSavedSearch, removeSavedSearch, updateSavedSearch } from './changeSavedSearch.ts'
import { listSavedSearches } from './listSavedSearches.ts'

export const savedSearchRoutes = ({ db, live }: Pick<Platform, 'db' | 'live'>) => {
  const tell = <Result>(result: Result): Result => {
    wakeFollowers()
    live({ type: 'changed', topics: ['savedSearches'] })
    return result
  }
  return crudRoutes(savedSearches, {
    list: (query, by) => listSavedSearches(db, query, by),
    create: (draft, by) => createSavedSearch(db, draft, by).then(tell),
    update: (id, draft, by) => updateSavedSearch(db, id, draft, by).then(tell),
    remove: (id, by) => removeSavedSearch(db, id, by).then(tell),
  })
}
