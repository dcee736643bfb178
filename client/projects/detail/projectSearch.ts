import type { Project, ProjectItem, ProjectShare } from '#events/projects/calls.ts'
import { isKnownOf } from '#events/sources/kinds.ts'
import type { SearchWords } from '#client/parts/statistics/statistics.ts'

type Place = Pick<ProjectItem, 'volumeId' | 'path'>

/** The search for the files in some folders, and what else must hold of them. */
export function searchIn(folders: readonly Place[], words: SearchWords = {}): SearchWords {
  const [first, ...others] = folders
  if (first && others.length === 0) return { volumeId: [String(first.volumeId)], startingPath: first.path, ...words }
  return { volumeAndPath: folders.map(({ volumeId, path }) => `${volumeId}:${path}`), ...words }
}

/** The folders of storages that can be searched: those within others are found with them. */
export const searchedFolders = (shares: readonly ProjectShare[]): ProjectItem[] =>
  shares
    .filter(({ isDeleted }) => !isDeleted)
    .flatMap(({ projectItems }) => projectItems.filter(({ isNested, isGone }) => !isNested && !isGone))

/** The search for all files of a project; nothing where none of its folders is there. */
export function searchOfProject({ projectShares }: Pick<Project, 'projectShares'>): SearchWords | undefined {
  const folders = searchedFolders(projectShares)
  return folders.length === 0 ? undefined : searchIn(folders)
}

/** Whether files of such a storage tell when they were accessed; else their last change counts. */
export const knowsAccess = (type: string): boolean => isKnownOf(type, 'ACCESS_DATE')
