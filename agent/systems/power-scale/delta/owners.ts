import { hasStray } from '#events/contract/fileNames.ts'
import { ScanFailed } from '../../system.ts'
import { SignInRefused } from '../failures.ts'
import type { Directories } from '../listing/directories.ts'
import { lookUp } from '../listing/lookUp.ts'
import { type Child, ownerName } from '../listing/namespaceEntry.ts'
import type { PlacedChange } from './change.ts'

type Options = { directories: Directories; root: string; signal: AbortSignal }

/** Names of users and groups by their numbers, as the cluster lists them. */
export type OwnerNames = { owner(uid: number): string; group(gid: number): string }

/** Collects owners of entries, and looks up their names, as many as possible with each request. */
export function newOwnerReader(options: Options) {
  const examples = newExamples(options)
  return {
    see: examples.see,
    async names(): Promise<OwnerNames> {
      const users = new Map<number, string>()
      const groups = new Map<number, string>()
      const learn = ({ uid, gid, owner, group }: Child) => {
        if (typeof uid === 'number') users.set(uid, ownerName(owner, uid))
        if (typeof gid === 'number') groups.set(gid, ownerName(group, gid))
      }
      let open = examples.all()
      while (open.length > 0) {
        const [directory, examples] = mostExamples(open)
        const requested = new Set(examples)
        const names = examples.map(({ name }) => name)
        const children = await readEntries(directory, names, options)
        children.forEach(learn)
        open = open.filter((each) => !requested.has(each) && !(users.has(each.uid) && groups.has(each.gid)))
      }
      return { owner: (uid) => users.get(uid) ?? String(uid), group: (gid) => groups.get(gid) ?? String(gid) }
    },
  }
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

/** Examples that are kept in memory, with one more for each further pair of owner and group. */
const maxExamples = 10_000

/** An entry of each directory for each pair of owner and group. */
function newExamples({ directories, root }: Options) {
  const examples = new Map<string, Example>()
  const pairs = new Set<string>()
  return {
    see({ path, uid, gid }: PlacedChange): void {
      const pair = `${uid} ${gid}`
      const place = directories.placeOf(root + path)
      const key = `${pair} ${place.directory}`
      if (examples.size >= maxExamples && pairs.has(pair)) return
      // A query can't name an entry with stray bytes.
      if (!examples.has(key) || !hasStray(place.name)) examples.set(key, { ...place, uid, gid })
      pairs.add(pair)
    },
    all: (): Example[] => [...examples.values()],
  }
}

/** The directory that shows most owners with one request, and its entries that do. */
function mostExamples(examples: readonly Example[]): [directory: string, examples: Example[]] {
  const isListed = ({ name }: Example) => hasStray(name)
  const score = (each: Example[]) => (each.some(isListed) ? 0.5 : each.length)
  const byDirectory = [...Map.groupBy(examples, ({ directory }) => directory)]
  return byDirectory.reduce((most, next) => (score(next[1]) > score(most[1]) ? next : most))
}
