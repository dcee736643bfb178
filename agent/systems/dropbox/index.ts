import { z } from 'zod'
import { newOddRecords } from '../oddRecords.ts'
import { newSeenPaths } from '../seenPaths.ts'
import { type Capacity, type Page, type OpenedStore, ScanFailed, StoreBusy } from '../system.ts'
import type { TransportOptions } from '../http/transport.ts'
import { type Client, newClient, type SignIn } from './client.ts'
import { ListingReset, NoFolder } from './failures.ts'
import { ListedPage, newReader } from './listing.ts'

/** A folder of a Dropbox, '/' being all of it, and what of it is scanned: '' or '/some/folder'. */
export type FolderOptions = SignIn & { path: string; scannedPath: string }

/** Place at which the listing continues, or the number of times that it started over. */
type Part = { cursor?: string; again?: number }

const ofPage = 2_000
/** Maximum number of times that the listing may start over. */
const maxResets = 5

type OpenedFolder = OpenedStore & Required<Pick<OpenedStore, 'capacity'>>

/**
 * A folder of Dropbox, open until it is closed. Its listing is one sequence of pages. Empty folders are left out, as with all object
 * stores. `check` and pages throw `ScanFailed` for errors that users have to correct, and `StoreBusy` for those that may pass; neither
 * contains a token. Throws `ScanFailed` for an invalid path.
 */
export function openDropbox(options: FolderOptions, transport: TransportOptions = {}): OpenedFolder {
  const root = rootOf(options.path)
  const listed = root + options.scannedPath
  const client = newClient(options, transport)
  const odd = newOddRecords()
  const objectsIn = newReader(listed, options.scannedPath, { seen: newSeenPaths(), odd })
  // Entries that an earlier attempt sent are not known here: a listing that starts over would send them twice.
  let hasBegun = false
  let resets = 0
  return {
    async page(text, { signal }) {
      const part: Part = text === '' ? {} : JSON.parse(text)
      if (text === '') hasBegun = true
      if (part.again !== undefined && !hasBegun) throw cannotGoOn()
      try {
        const page = await listPage(client, listed, part, signal)
        if (page.has_more && page.cursor === part.cursor)
          throw new ScanFailed('Dropbox says that there are more files, but not where')
        const rest = page.has_more ? [JSON.stringify({ cursor: page.cursor })] : []
        return { entries: odd.entriesOf(objectsIn(page)), rest }
      } catch (error) {
        return pageInstead(error, part)
      }
    },
    check: (signal) => checkFolder(client, root, signal),
    capacity: (signal) => readCapacity(client, signal),
    note: odd.note,
    oddRecords: odd.total,
    requests: client.requests,
    close: client.close,
  }

  function pageInstead(error: unknown, part: Part): Page {
    if (error instanceof NoFolder && options.scannedPath !== '' && part.cursor === undefined)
      return { entries: [], rest: [] }
    if (!(error instanceof ListingReset)) throw error
    if (!hasBegun || ++resets > maxResets) throw cannotGoOn()
    return { entries: [], rest: [JSON.stringify({ again: resets })] }
  }
}

const cannotGoOn = () =>
  new ScanFailed('Dropbox does not know any more where the listing was: scan again from the beginning')

/** Dropbox uses '' for its root, where other tools use '/'. */
function rootOf(path: string): string {
  if (!/^\/(?:[^/]+(?:\/[^/]+)*)?$/.test(path))
    throw new ScanFailed(`'${path}' is no path of Dropbox: it begins with '/'`)
  return path === '/' ? '' : path
}

function listPage(client: Client, path: string, { cursor }: Part, signal: AbortSignal): Promise<ListedPage> {
  const call = { read: ListedPage, folder: path || '/', signal }
  if (cursor !== undefined) return client.call('files/list_folder/continue', { cursor }, call)
  return client.call('files/list_folder', { path, recursive: true, limit: ofPage, include_deleted: false }, call)
}

async function checkFolder(client: Client, path: string, signal: AbortSignal): Promise<void> {
  const argument = { path, recursive: false, limit: 1, include_deleted: false }
  await client.call('files/list_folder', argument, {
    read: z.object({ cursor: z.string() }),
    folder: path || '/',
    signal,
  })
}

const Account = z.object({ account_id: z.string(), team: z.object({ id: z.string() }).nullish() })
const Allocation = z.discriminatedUnion('.tag', [
  z.object({ '.tag': z.literal('individual'), allocated: z.number() }),
  z.object({
    '.tag': z.literal('team'),
    allocated: z.number(),
    used: z.number(),
    user_within_team_space_allocated: z.number().default(0),
  }),
])
const Usage = z.object({ used: z.number(), allocation: Allocation })

/** A member of a team who has no limit of their own fills the space of the team, as all its members do. */
async function readCapacity(client: Client, signal: AbortSignal): Promise<Capacity | undefined> {
  try {
    const account = await client.call('users/get_current_account', null, { read: Account, signal })
    const { used, allocation } = await client.call('users/get_space_usage', null, { read: Usage, signal })
    const ownLimit = allocation['.tag'] === 'team' ? allocation.user_within_team_space_allocated : allocation.allocated
    const isShared = allocation['.tag'] === 'team' && ownLimit === 0
    const [total, taken] = isShared ? [allocation.allocated, allocation.used] : [ownLimit, used]
    if (total === 0) return undefined
    const whose = isShared ? (account.team?.id ?? account.account_id) : account.account_id
    return { total, used: taken, free: Math.max(0, total - taken), fileSystem: `Dropbox ${whose}` }
  } catch (error) {
    // A scan is worth as much without it.
    if (error instanceof ScanFailed || error instanceof StoreBusy) return undefined
    throw error
  }
}

/** Throws the reason why a folder of Dropbox can't be scanned: `ScanFailed` or `StoreBusy`. */
export async function dropboxCheck(
  { path, ...signIn }: SignIn & { path: string },
  signal: AbortSignal,
  transport: TransportOptions = {},
): Promise<void> {
  const root = rootOf(path)
  const client = newClient(signIn, transport)
  try {
    await client.call('users/get_current_account', null, { read: Account, signal })
    await checkFolder(client, root, signal)
  } finally {
    client.close()
  }
}
