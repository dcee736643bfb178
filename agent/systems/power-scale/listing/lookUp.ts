import { hasStray } from '#events/contract/fileNames.ts'
import { whileBusy } from '../../whileBusy.ts'
import { Refused } from '../failures.ts'
import { isQueryRefused } from '../unconfirmed.ts'
import type { Directories } from './directories.ts'
import type { Child } from './namespaceEntry.ts'

/** Bytes of the names in a query. OneFS accepts 8,192 for its whole body. */
const maxQueryBytes = 5_500
const maxConditions = 25
/** Bytes of a condition without its name. */
const conditionBytes = 50
/** Pages that are read where a query can't name an entry. */
const maxPages = 50

/** Children of a directory by their names, and maybe others. JSON can't name those that are not UTF-8: the directory is listed. */
export async function lookUp(
  directories: Directories,
  path: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<Child[]> {
  const missing = new Set(names)
  const listed = () => search(directories, path, ({ name }) => missing.delete(name) && missing.size === 0, signal)
  if (names.some(hasStray)) return listed()
  try {
    const children: Child[] = []
    for (const chunk of chunksOf(names)) children.push(...(await directories.query(path, chunk, signal)))
    return children
  } catch (error) {
    if (!(error instanceof Refused) || !isQueryRefused(error.status)) throw error
    return listed()
  }
}

/** Children of a directory up to the page with the one that is wanted. */
export async function search(
  { list }: Directories,
  path: string,
  isWanted: (child: Child) => boolean,
  signal: AbortSignal,
): Promise<Child[]> {
  const found: Child[] = []
  let resume: string | undefined
  for (let pages = 0; pages < maxPages; pages++) {
    const page = await whileBusy(() => list(path, resume, signal), signal)
    found.push(...page.children)
    if (page.resume === undefined || page.children.filter(isWanted).length > 0) break
    resume = page.resume
  }
  return found
}

/** Names in groups, each of which fits into a query. */
function chunksOf(names: readonly string[]): string[][] {
  const chunks: string[][] = []
  let bytes = Infinity
  for (const name of names) {
    const more = Buffer.byteLength(JSON.stringify(name)) + conditionBytes
    const chunk = chunks.at(-1)
    if (chunk && chunk.length < maxConditions && bytes + more <= maxQueryBytes) {
      chunk.push(name)
      bytes += more
    } else {
      chunks.push([name])
      bytes = more
    }
  }
  return chunks
}
