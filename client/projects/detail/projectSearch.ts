import type { Project, ProjectItem, ProjectShare } from '#events/projects/calls.ts'
import { isKnownOf } from '#events/sources/kinds.ts'
import type { SearchParams } from '#client/parts/statistics/statistics.ts'

type Place = Pick<ProjectItem, 'volumeId' | 'pathOnDate'>

/** Search in several folders, with additional conditions. */
export function searchIn(folders: readonly Place[], conditions: SearchParams = {}): SearchParams {
  const [first, ...others] = folders
  if (first && others.length === 0)
    return { volumeId: [String(first.volumeId)], startingPath: first.pathOnDate, ...conditions }
  return { volumeAndPath: folders.map(({ volumeId, pathOnDate }) => `${volumeId}:${pathOnDate}`), ...conditions }
}

/** Existing folders without those nested in another one. */
export const searchedFolders = (shares: readonly ProjectShare[]): ProjectItem[] =>
  shares
    .filter(({ isDeleted }) => !isDeleted)
    .flatMap(({ projectItems }) => projectItems.filter(({ isNested, isGone }) => !isNested && !isGone))

/** Search for all files of a project; undefined if none of its folders exists. */
export function searchOfProject({ projectShares }: Pick<Project, 'projectShares'>): SearchParams | undefined {
  const folders = searchedFolders(projectShares)
  return folders.length === 0 ? undefined : searchIn(folders)
}

/** True if the storage type has access times; otherwise the date of last change is used. */
export const knowsAccess = (type: string): boolean => isKnownOf(type, 'ACCESS_DATE')
