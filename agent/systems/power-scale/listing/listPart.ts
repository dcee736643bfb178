import { isFileName } from '#events/contract/fileNames.ts'
import { type Page, type PageOptions, ScanFailed } from '../../system.ts'
import { Refused } from '../failures.ts'
import { type Directories, ListingExpired } from './directories.ts'
import { type Child, entryOf, isDirectory } from './namespaceEntry.ts'
import { type Continuation, directoryParts, type Head, type Part, writePart } from './parts.ts'

export type Listing = {
  directories: Directories
  /** Path of the storage on the cluster. */
  root: string
  isIgnored: (path: string) => boolean
  /** A listed file had several hard links. */
  hasLinks: boolean
}

const maxRestarts = 5

/** Lists one page of one directory of a part. */
export async function listPart(listing: Listing, part: Part, options: PageOptions): Promise<Page> {
  if (!('names' in part)) return listPage(listing, part, options)
  const { parent, names, ...head } = part
  const path = `${parent}/${names.at(-1)}`
  const page = await listDirectory(listing, head, path, options)
  const others = directoryParts(head, parent, names.slice(0, -1), options.idle + 1).map(writePart)
  return { ...page, rest: [...others, ...page.rest] }
}

/** Lists a directory from its start. */
export const listDirectory = (listing: Listing, head: Head, path: string, options: PageOptions): Promise<Page> =>
  listPage(listing, { ...head, path, sent: 0, last: '', passed: 0, restarts: 0 }, options)

async function listPage(listing: Listing, part: Continuation, { idle, signal }: PageOptions): Promise<Page> {
  const { path, resume } = part
  try {
    const { children, resume: next } = await listing.directories.list(listing.root + path, resume, signal)
    if (next !== undefined && next === resume) throw new ScanFailed(`The cluster lists ${path || '/'} without an end.`)
    const { fresh, passed } = unsent(part, children)
    listing.hasLinks ||= fresh.some((child) => !isDirectory(child) && (child.nlink ?? 2) > 1)
    const rest = directoryParts(headOf(part), path, directoriesIn(listing, path, fresh), idle + 1)
    if (next !== undefined) rest.push(continued(part, { fresh, passed, resume: next }))
    return { entries: entriesOf(path, listed(listing, path, fresh)), rest: rest.map(writePart) }
  } catch (error) {
    return pageInstead(error, part, listing)
  }
}

/** A directory that the user may not list is unreadable; one that does not exist is gone. */
function pageInstead(error: unknown, part: Continuation, { root }: Listing): Page {
  if (error instanceof ListingExpired) return { entries: [], rest: [writePart(startOver(part))] }
  if (!(error instanceof Refused)) throw error
  const isStart = part.sent === 0 && part.resume === undefined
  if (error.status === 404 && isStart) {
    if (part.path === '') throw new ScanFailed(`${root} does not exist on the cluster. Check the path of the storage.`)
    return { entries: [], rest: [] }
  }
  if (part.path === '' && isStart) throw error
  return { entries: [], rest: [], unreadable: [{ path: part.path, error: error.message }] }
}

/** A snapshot never changes, so that a directory is listed in the same order again. */
function startOver({ resume: _, ...part }: Continuation): Continuation {
  if (part.restarts === maxRestarts) throw expired(part)
  return { ...part, passed: 0, restarts: part.restarts + 1 }
}

const expired = ({ path }: { path: string }) =>
  new ScanFailed(`The listing of ${path || '/'} expired on the cluster. Start the scan again.`)

/** Children that were not sent by an earlier page. Throws `ScanFailed` where the order of a repeated listing differs. */
function unsent(part: Continuation, children: Child[]): { fresh: Child[]; passed: number } {
  const { sent, last, passed } = part
  const repeated = Math.min(sent - passed, children.length)
  const isEnd = repeated > 0 && passed + repeated === sent
  if (isEnd && children[repeated - 1]?.name !== last) throw expired(part)
  return { fresh: children.slice(repeated), passed: passed + repeated }
}

function continued(part: Continuation, at: { fresh: Child[]; passed: number; resume: string }): Continuation {
  const { fresh, passed, resume } = at
  const sent = part.sent + fresh.length
  return { ...part, resume, sent, last: fresh.at(-1)?.name ?? part.last, passed: passed + fresh.length }
}

const headOf = ({ snapshot, days, changelist, note }: Part): Head => ({
  snapshot,
  days,
  ...(changelist !== undefined && { changelist }),
  ...(note !== undefined && { note }),
})

/** Below '/ifs' itself, the directory of all snapshots is not part of the tree. */
const listed = ({ root }: Listing, path: string, children: Child[]): Child[] =>
  root + path === '/ifs' ? children.filter(({ name }) => name !== '.snapshot') : children

const directoriesIn = (listing: Listing, path: string, children: Child[]): string[] =>
  listed(listing, path, children).flatMap((child) =>
    isDirectory(child) && isFileName(child.name) && !listing.isIgnored(`${path}/${child.name}`) ? [child.name] : [],
  )

function* entriesOf(path: string, children: Child[]) {
  for (const child of children) yield entryOf(child, `${path}/`)
}
