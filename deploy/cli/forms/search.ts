import type { Entry } from '#events/entries.ts'
import type { searchEntries, searchEntriesSizes } from '#events/search/criteria.ts'
import type { filesByHash, searchFields, searchFiles, searchSizes } from '#events/search/calls.ts'
import type { searchDuplicateFolders } from '#events/search/duplicateFolders.ts'
import type { QueryTextError } from '#events/search/string-format/Scanner.ts'
import type { volumes } from '#events/snapshots.ts'
import { collect, type Context, inheritedQuery, type ShortForm } from '../context.ts'
import { UsageError } from '../failures.ts'
import { own } from '../options.ts'
import { findEntry, findFolder } from '../places.ts'

export const dateOption = own('date', 'Day of the snapshot, such as 2026-11-28. Default: the newest.', 'text')
const limitOption = own('limit', 'Maximum number of rows. Default: 100 on a terminal, otherwise all.', 'number', 'n')
const foldersOption = own('folders', 'Folders instead of files.')

/** Maximum rows of a list on a terminal. */
const shownRows = 100
const limitOf = (context: Context): number => context.number('limit') ?? (context.isShown ? shownRows : Infinity)

/** The filters of a search call, each under one of its names. */
const filters = {
  call: 'GET /files/search',
  except: ['page', 'size', 'cursor', 'totals', 'indexingDate', 'volumeId', 'volumeAndPath', 'tags', 'reports'],
}

const search: ShortForm = {
  name: 'search',
  words: '[TERM...]',
  summary: 'Searches files or folders, as the line of the screen Search does.',
  examples: [
    "search 'size>1GB modified<now-2y' --csv",
    "search 'final accessed>1y storage:films type:video in:/projects'",
    "search 'ext:mov,mp4 owner:ana created<30d' --totals",
    'search is:duplicate -0 | xargs -0 ls -l',
  ],
  options: [
    foldersOption,
    own('where', 'Conditions with AND, OR and NOT, as Advanced writes them as text.', 'text'),
    own('totals', 'Only the number and bytes of the matches.'),
    limitOption,
    dateOption,
  ],
  inherits: filters,
  async run(context) {
    if (context.text('where') !== undefined) return searchByConditions(context)
    const query = await readFilters(context)
    const sizes = { ...query, isDirectory: context.flag('folders') } as never
    if (!context.flag('totals')) return writeFound(context, query, limitOf(context))
    return writeTotals(context, await context.call<typeof searchSizes>('GET /files/search/sizes', { query: sizes }))
  },
}

const duplicates: ShortForm = {
  name: 'duplicates',
  words: '[TERM...]',
  summary: 'Lists files with copies, the largest first and copies next to each other.',
  examples: ['duplicates storage:films', 'duplicates --folders -n 20'],
  options: [
    own('folders', 'Sets of folders that contain the same files, by the space they waste.'),
    limitOption,
    dateOption,
  ],
  inherits: filters,
  async run(context) {
    const query = { ...(await readFilters(context)), onlyDuplicates: 'true' }
    if (!context.flag('folders')) return writeFound(context, { sort: 'duplicateSet', ...query }, limitOf(context))
    const size = Math.min(limitOf(context), 1000)
    const { elements } = await context.call<typeof searchDuplicateFolders>('GET /files/search/duplicateFolders', {
      query: { ...query, size } as never,
    })
    const rows = elements.flatMap(({ folders, ...set }) => folders.map((folder) => ({ ...set, ...folder })))
    await context.write(rows, ['reclaimable', 'files', 'folderCount', 'fullPath'])
  },
}

const top: ShortForm = {
  name: 'top',
  words: '[PATH]',
  summary: 'Lists the largest files or folders at any depth, or the owners or types with most data.',
  examples: ['top films:/projects', 'top --by owner', 'top films --folders -n 50'],
  options: [
    foldersOption,
    own('by', 'Values of a field instead of files: owner, group, extension, fileType or storageName.', 'text'),
    own('limit', 'Maximum number of rows. Default: 20.', 'number', 'n'),
    dateOption,
  ],
  async run(context) {
    const [path] = context.words
    const place = path === undefined ? undefined : await findFolder(context, path)
    const query = {
      indexingDate: context.text('date'),
      ...(place && { storageAndPath: [`${place.volumeId}:${place.path}`] }),
    }
    const size = context.number('limit') ?? 20
    const fieldName = context.text('by') as 'owner' | undefined
    if (fieldName === undefined) return writeFound(context, query, size)
    const rows = context.call<typeof searchFields>('GET /files/search/fields', { query: { ...query, fieldName, size } })
    await context.write(await rows, ['size', 'count', 'field'])
  },
}

const whohas: ShortForm = {
  name: 'whohas',
  words: 'PATH',
  summary: 'Lists the copies of a file or folder in all storages, and in archives.',
  examples: ["whohas 'films:/aurora/final.mov'"],
  options: [dateOption],
  async run(context) {
    const entry = await findEntry(context, context.words[0] ?? '')
    const count = await context.write(placesOf(context, entry), ['where', 'size', 'since', 'storage', 'path'])
    if (count === 1 && context.isShown)
      context.note('No copy and no archive is known. Copies are found by name, size and date.')
  },
}

async function* placesOf(context: Context, entry: Entry) {
  const { archive, identificationHash, isDirectory, size } = entry
  const rowOf = (where: string, { volumeName, fullPath, lastModified }: Entry) =>
    ({ where, size, since: lastModified, storage: volumeName, path: fullPath }) as const
  yield rowOf('original', entry)
  if (archive && archive.state !== 'notArchived')
    yield { ...rowOf(archive.state, entry), since: archive.since, storage: archive.index }
  if (identificationHash === '') return
  const name = isDirectory ? 'GET /directories/hash/:hash' : 'GET /files/hash/:hash'
  const copies = context.list<typeof filesByHash>(name as 'GET /files/hash/:hash', {
    params: { hash: identificationHash },
    query: { exceptFileId: entry.fileId, indexingDate: context.text('date') },
  })
  for await (const copy of copies) yield rowOf('copy', copy)
}

export const searchForms: readonly ShortForm[] = [search, duplicates, top, whohas]

/** Reads the words of a search line and the options as filters. Throws a `UsageError` for a term that is no filter. */
async function readFilters(context: Context): Promise<Record<string, unknown>> {
  // Loaded here, because it takes longer than the start of other commands.
  const { readTerms, termIn } = await import('#events/search/terms.ts')
  const line = context.words.join(' ')
  const { words, found } = readTerms(line, {}, /\bstorage[:=]/i.test(line) ? await readVolumes(context) : [])
  const unread = termIn(words)
  if (unread !== undefined)
    throw new UsageError(`${unread} isn't a filter. To search for it in names, use --name '${unread}'.`)
  const own = inheritedQuery(context, search)
  return { ...found, ...own, indexingDate: context.text('date'), ...(words && { search: words }) }
}

const readVolumes = (context: Context) =>
  collect(context.list<typeof volumes>('GET /v1/volumes', { query: { indexingDate: context.text('date') } }))

async function searchByConditions(context: Context): Promise<void> {
  const { conditionsIn } = await import('#events/search/string-format/parseQuery.ts')
  const text = context.text('where') ?? ''
  const { sort, direction, live, ...others } = inheritedQuery(context, search)
  if (context.words.length + Object.keys(others).length > 0)
    throw new UsageError('Write all conditions in --where, or use terms and filters without it.')
  const known = await readVolumes(context)
  let conditions: unknown
  try {
    conditions = conditionsIn(text, known)
  } catch (error) {
    const { message, at = 0 } = error as QueryTextError
    throw new UsageError(`${message}\n  ${text}\n  ${' '.repeat(at)}^`)
  }
  const isDirectory = { isDirectory: { value: context.flag('folders') } }
  const input = {
    query: { indexingDate: context.text('date'), sort, direction, live } as never,
    body: { searchQueries: [isDirectory], searchQueryNodes: [conditions] },
  }
  if (!context.flag('totals'))
    return writeEntries(context, context.list<typeof searchEntries>('POST /v1/search', input, limitOf(context)))
  return writeTotals(context, await context.call<typeof searchEntriesSizes>('POST /v1/search/sizes', input))
}

const writeTotals = async (context: Context, totals: { count: number; size: number }): Promise<void> =>
  void (await context.write([totals], ['count', 'size']))

function writeFound(context: Context, query: object, limit: number): Promise<void> {
  const name = context.flag('folders') ? 'GET /directories/search' : 'GET /files/search'
  const found = context.list<typeof searchFiles>(name as 'GET /files/search', { query: query as never }, limit)
  return writeEntries(context, found)
}

/** Writes files or folders, and a note if there may be more than a terminal shows. */
async function writeEntries(context: Context, rows: AsyncIterable<Entry>): Promise<void> {
  const count = await context.write(rows, ['size', 'lastModified', 'lastAccess', 'owner', 'fullPath'])
  if (context.isShown && count === shownRows && context.text('limit') === undefined)
    context.note(`The first ${shownRows}. Add --limit N for more, or --totals for the number of all.`)
}
