import { hasStray } from '#events/scans/names.ts'
import { ScanFailed } from '../../system.ts'
import { SignInRefused } from '../failures.ts'
import type { Directories } from '../listing/directories.ts'
import { lookUp } from '../listing/lookUp.ts'
import { type Child, ownerName } from '../listing/namespaceEntry.ts'
import type { PlacedChange } from './change.ts'

type Options = { directories: Directories; root: string; signal: AbortSignal }

/** Names of users and groups by their numbers, as the cluster lists them. */
export type OwnerNames = { owner(uid: number): string; group(gid: number): string }

/** Looks up the names of the owners of entries, as many as possible with each request. */
export async function readOwnerNames(changes: readonly PlacedChange[], options: Options): Promise<OwnerNames> {
  const users = new Map<number, string>()
  const groups = new Map<number, string>()
  const learn = ({ uid, gid, owner, group }: Child) => {
    if (typeof uid === 'number') users.set(uid, ownerName(owner, uid))
    if (typeof gid === 'number') groups.set(gid, ownerName(group, gid))
  }
  let open = examplesOf(changes, options)
  while (open.length > 0) {
    const [directory, examples] = mostExamples(open)
    const requested = new Set(examples)
    const names = examples.map(({ name }) => name)
    const children = await readEntries(directory, names, options)
    children.forEach(learn)
    open = open.filter((each) => !requested.has(each) && !(users.has(each.uid) && groups.has(each.gid)))
  }
  return { owner: (uid) => users.get(uid) ?? String(uid), group: (gid) => groups.get(gid) ?? String(gid) }
}

/** Owners that can't be looked up are numbers. */
async function readEntries(path: string, names: string[], { directories, signal }: Options): Promise<Child[]> {
  try {
    return await lookUp(directories, path, names, signal)
  } catch (error) {
    if (error instanceof ScanFailed && !(error instanceof SignInRefused)) return []
    throw error
  }
}

type Example = { directory: string; name: string; uid: number; gid: number }

/** An entry of each directory for each pair of owner and group. */
function examplesOf(changes: readonly PlacedChange[], { directories, root }: Options): Example[] {
  const examples = new Map<string, Example>()
  for (const { path, uid, gid } of changes) {
    const place = directories.placeOf(root + path)
    const key = `${uid} ${gid} ${place.directory}`
    // A query can't name an entry with stray bytes.
    if (!examples.has(key) || !hasStray(place.name)) examples.set(key, { ...place, uid, gid })
  }
  return [...examples.values()]
}

/** The directory that shows most owners with one request, and its entries that do. */
function mostExamples(examples: readonly Example[]): [directory: string, examples: Example[]] {
  const isListed = ({ name }: Example) => hasStray(name)
  const score = (each: Example[]) => (each.some(isListed) ? 0.5 : each.length)
  const byDirectory = [...Map.groupBy(examples, ({ directory }) => directory)]
  return byDirectory.reduce((most, next) => (score(next[1]) > score(most[1]) ? next : most))
}
