import { z } from 'zod'
import { newOddRecords } from '../oddRecords.ts'
import { newSeenPaths } from '../seenPaths.ts'
import { type Page, type OpenedStore, ScanFailed } from '../system.ts'
import type { TransportOptions } from '../http/transport.ts'
import { readAccount, readCapacity, teamSpaceOf } from './account.ts'
import { type Client, newClient, type SignIn } from './client.ts'
import { ListingReset, NoFolder, NotGranted } from './failures.ts'
import { ListedPage, newReader, ownersIn } from './listing.ts'
import { newOwnerNames } from './ownerNames.ts'

/**
 * A folder of a Dropbox, '/' being all of it, and what of it is scanned: '' or '/some/folder'. With `teamSpace`, paths begin in the space
 * of the account's team, which contains the account's own folder.
 */
export type FolderOptions = SignIn & { path: string; scannedPath: string; teamSpace?: boolean | undefined }

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
  const owners = newOwnerNames(client)
  const objectsIn = newReader(listed, options.scannedPath, { seen: newSeenPaths(), odd, nameOf: owners.nameOf })
  const space = newSpace(client, options.teamSpace)
  // Entries that an earlier attempt sent are not known here: a listing that starts over would send them twice.
  let hasBegun = false
  let resets = 0
  return {
    server: client.server,
    async page(text, { signal }) {
      const part: Part = text === '' ? {} : JSON.parse(text)
      if (text === '') hasBegun = true
      if (part.again !== undefined && !hasBegun) throw cannotGoOn()
      try {
        await space.enter(signal)
        const page = await listPage(client, listed, part, signal)
        await owners.resolve(ownersIn(page), signal)
        if (page.has_more && page.cursor === part.cursor)
          throw new ScanFailed('Dropbox says that there are more files, but not where')
        const rest = page.has_more ? [JSON.stringify({ cursor: page.cursor })] : []
        return { entries: odd.entriesOf(objectsIn(page)), rest }
      } catch (error) {
        return pageInstead(error, part)
      }
    },
    async check(signal) {
      await space.enter(signal)
      await checkFolder(client, root, signal)
    },
    capacity: (signal) => readCapacity(client, signal),
    note: () =>
      [odd.note(), space.note(), owners.isGranted() ? undefined : namesNote].filter(Boolean).join(' ') || undefined,
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

const namesNote =
  'Owners are shown as IDs: get a new code for the credentials, so that Dropbox allows reading their names.'
const noTeamFolders =
  "This account belongs to a team, and the folders of the team are not included. Turn on the team space in the storage's settings to include them."

/** The space in which paths begin. The account is read once. */
function newSpace(client: Client, isOfTeam = false) {
  let entered: Promise<void> | undefined
  let note: string | undefined
  const enter = async (signal: AbortSignal) => {
    const account = await readAccount(client, signal).catch((error: unknown) => {
      // Without the right to read the account, its own folder can be listed all the same.
      if (isOfTeam || !(error instanceof NotGranted)) throw error
    })
    const team = account && teamSpaceOf(account)
    if (isOfTeam && team === undefined)
      throw new ScanFailed('This account of Dropbox has no team space. Turn it off in the settings of the storage.')
    if (isOfTeam && team !== undefined) client.startIn(team)
    else if (team !== undefined) note = noTeamFolders
  }
  return {
    /** Throws as calls do. */
    enter: (signal: AbortSignal): Promise<void> =>
      (entered ??= enter(signal).catch((error: unknown) => {
        entered = undefined
        throw error
      })),
    note: () => note,
  }
}

const cannotGoOn = () => new ScanFailed('The listing expired at Dropbox. Start the scan again.')

/** Dropbox uses '' for its root, where other tools use '/'. */
function rootOf(path: string): string {
  if (!/^\/(?:[^/]+(?:\/[^/]+)*)?$/.test(path))
    throw new ScanFailed(`'${path}' is not a Dropbox path. Paths begin with '/'`)
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

/** Throws the reason why a folder of Dropbox can't be scanned: `ScanFailed` or `StoreBusy`. */
export async function dropboxCheck(
  { path, teamSpace, ...signIn }: Omit<FolderOptions, 'scannedPath'>,
  signal: AbortSignal,
  transport: TransportOptions = {},
): Promise<void> {
  const root = rootOf(path)
  const client = newClient(signIn, transport)
  try {
    const space = newSpace(client, teamSpace)
    await space.enter(signal)
    await checkFolder(client, root, signal)
  } finally {
    client.close()
  }
}
