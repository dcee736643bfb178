import { createHash } from 'node:crypto'

/** A file at a path as its owner spells it, '/Some/Folder/file'. */
export type SimulatedFile = { path: string; size: number; modified: number; owner?: string }

/** An entry as lists have it. */
export type ListedEntry = {
  '.tag': string
  name: string
  path_lower: string
  path_display: string
  [fact: string]: unknown
}

type Options = { recursive: boolean; repeats: boolean }

/**
 * The entries of a folder: folders in the order in which they come up, files in none. Every other file spells the folders above it in
 * capitals. With repeats, half of the files come at the end once more, and one that is no more comes as deleted. A text says what
 * is wrong with the path.
 */
export function listedEntries(
  files: SimulatedFile[],
  folder: string,
  { recursive, repeats }: Options,
): ListedEntry[] | string {
  const prefix = `${folder.toLowerCase()}/`
  if (files.some(({ path }) => path.toLowerCase() === folder.toLowerCase())) return 'path/not_folder'
  const below = files.filter(({ path }) => path.toLowerCase().startsWith(prefix))
  if (below.length === 0 && folder !== '') return 'path/not_found'
  const entries = new Map<string, ListedEntry>()
  const shouted: ListedEntry[] = []
  for (const [i, file] of below.entries()) {
    const parts = file.path.split('/')
    for (let depth = 1; depth < parts.length - 1; depth++) {
      const path = parts.slice(0, depth + 1).join('/')
      if (`${path.toLowerCase()}/`.length < prefix.length) continue
      if (!entries.has(path.toLowerCase())) entries.set(path.toLowerCase(), entryOf('folder', path))
    }
    const entry = fileEntry(file, i % 2 === 1)
    entries.set(entry.path_lower, entry)
    if (repeats && i % 2 === 0) shouted.push(entry)
  }
  const all = [...entries.values()].filter(
    ({ path_lower: path }) => recursive || !path.slice(prefix.length).includes('/'),
  )
  const deleted = { '.tag': 'deleted', ...namesOf('/deleted meanwhile') }
  return repeats ? [...all, ...shouted, deleted] : all
}

const namesOf = (path: string) => ({
  name: path.slice(path.lastIndexOf('/') + 1),
  path_lower: path.toLowerCase(),
  path_display: path,
})

const entryOf = (tag: string, path: string): ListedEntry => ({ '.tag': tag, id: `id:${path}`, ...namesOf(path) })

function fileEntry({ path, size, modified, owner }: SimulatedFile, isShouted: boolean): ListedEntry {
  const nameAt = path.lastIndexOf('/')
  return {
    ...entryOf('file', path),
    path_display: isShouted ? path.slice(0, nameAt).toUpperCase() + path.slice(nameAt) : path,
    size,
    rev: '0123456789',
    client_modified: `${new Date(modified * 1_000).toISOString().slice(0, 19)}Z`,
    server_modified: '2026-01-01T00:00:00Z',
    content_hash: hashOf(path),
    ...(owner ? { sharing_info: { read_only: false, parent_shared_folder_id: '1', modified_by: owner } } : {}),
  }
}

export const hashOf = (path: string): string => createHash('sha256').update(path).digest('hex')
