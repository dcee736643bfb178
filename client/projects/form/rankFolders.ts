import type { Entry } from '#events/entries.ts'
import { nameIn } from '#client/ui/text/path.ts'

type Ranked = Pick<Entry, 'path' | 'fullPath' | 'size'>

/**
 * Folders by relevance to the typed text, then by size: the same name or path first, then names that start with the text,
 * then all others. Ignores case.
 */
export function rankFolders<Folder extends Ranked>(folders: readonly Folder[], typed: string): Folder[] {
  const text = typed
    .trim()
    .toLowerCase()
    .replace(/(.)\/+$/, '$1')
  return folders
    .map((folder) => ({ folder, rank: rankOf(folder, text) }))
    .toSorted((one, other) => one.rank - other.rank || other.folder.size - one.folder.size)
    .map(({ folder }) => folder)
}

function rankOf({ path, fullPath }: Ranked, text: string): number {
  const paths = [path.toLowerCase(), fullPath.toLowerCase()]
  const name = nameIn(path).toLowerCase()
  if (name === text || paths.includes(text) || paths.some((each) => each.endsWith(`/${text}`))) return 0
  return name.startsWith(nameIn(text)) ? 1 : 2
}
