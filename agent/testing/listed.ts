import { newBlockWriter } from '#events/node/blocks/blockWriter.ts'
import { decodeBlock, type DecodedRow } from '#events/node/blocks/testing/decodeBlock.ts'
import { pathOfChildren } from '#events/scans/entryRow.ts'
import { type DiskEntry, type ListFolder, nameOf } from '../systems/local/diskEntry.ts'
import { openLocal } from '../systems/local/index.ts'
import { kernelFolders } from '../systems/local/kernelFolders.ts'
import { nodeFolders } from '../systems/local/nodeFolders.ts'
import { ownersInFiles } from '../systems/local/owners.ts'
import { systemCalls } from '../systems/local/systemCalls.ts'

/** The implementations for listing folders that this machine supports. */
export const listings: Record<string, () => ListFolder> = {
  ...(systemCalls && { 'system calls': () => kernelFolders(systemCalls as NonNullable<typeof systemCalls>) }),
  "Node's calls": nodeFolders,
}

/** Result of a listing: rows as written, and errors by path; paths of listing errors end with a slash. */
export type FolderListing = { rows: DecodedRow[]; errors: Record<string, string> }

/** Lists a folder and, by default, everything below it. */
export function listed(root: string, list: ListFolder, { path: first = '', deep = true } = {}): FolderListing {
  const system = openLocal(root, list)
  const rows: DecodedRow[] = []
  const errors: Record<string, string> = {}
  const paths = [first]
  for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
    const writer = newBlockWriter(ownersInFiles())
    const folder = writer.folder(pathOfChildren({ parentPath: '', name: path }))
    const add = (entry: DiskEntry) => {
      writer.addFrom(folder, entry.stat, entry.names, entry.nameAt, entry.nameEnd, entry.linkTarget)
      if (entry.error !== undefined) errors[`${path}/${nameOf(entry)}`] = entry.error
    }
    try {
      system.list(path, add)
    } catch (error) {
      errors[`${path}/`] = String(error)
    }
    const found = writer.rows() === 0 ? [] : decodeBlock(writer.encode())
    rows.push(...found)
    if (deep)
      for (const { is_directory, parent_path, name } of found)
        if (is_directory) paths.push(`${String(parent_path)}${String(name)}`)
  }
  system.close()
  return { rows, errors }
}
