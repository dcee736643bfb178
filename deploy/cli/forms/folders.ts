import type { changedFiles, comparison, growth } from '#events/comparison.ts'
import { bytesOfName } from '#events/contract/fileNames.ts'
import type { Entry } from '#events/entries.ts'
import type { partOfFolder } from '#events/folders/browse.ts'
import type { folderDetails } from '#events/folders/calls.ts'
import type { storageOverview } from '#events/overview/storageOverview.ts'
import type { projects } from '#events/projects/calls.ts'
import type { searchEntries } from '#events/search/criteria.ts'
import type { volumes } from '#events/snapshots.ts'
import { collect, type Context, requestOf, type ShortForm } from '../context.ts'
import { notFound } from '../failures.ts'
import { own } from '../options.ts'
import { changeText, shellText, sizeText, write } from '../output.ts'
import { findFolder } from '../places.ts'
import { dateOption } from './search.ts'

const storages: ShortForm = {
  name: 'storages',
  words: '',
  summary: 'Lists the storages with their size and last scan.',
  examples: ['storages'],
  options: [dateOption],
  async run(context) {
    const query = { indexingDate: context.text('date') }
    const known = await context.call<typeof storageOverview>('GET /v1/storages/overview', { query })
    const rows = known.map((storage) => ({
      ...storage,
      files: storage.snapshot?.numberOfFiles,
      size: storage.snapshot?.sizeOnDisk ?? storage.snapshot?.sizeOfFiles,
      fullPath: storage.snapshot?.fullPath,
    }))
    await context.write(rows, [
      'volumeId',
      'name',
      'files',
      'size',
      'lastScan.finishedAt',
      'lastScan.state',
      'fullPath',
    ])
  },
}

const ls: ShortForm = {
  name: 'ls',
  words: 'PATH',
  summary: 'Lists a folder: its folders, then its files, hidden ones too.',
  examples: ['ls films:/projects', 'ls /mnt/films --sort size --reverse'],
  options: [
    own('sort', 'Field to sort by, such as size, lastModified or owner. Default: name.', 'text'),
    own('reverse', 'The largest or last first.', 'flag', 'r'),
    dateOption,
  ],
  async run(context) {
    const { volumeId, path } = await findFolder(context, context.words[0] ?? '')
    const query = {
      path,
      storageId: volumeId,
      showHiddenDirectories: 'true',
      sort: context.text('sort') ?? 'name',
      direction: context.flag('reverse') ? ('desc' as const) : ('asc' as const),
      indexingDate: context.text('date'),
    }
    async function* rows() {
      for (const part of ['folders', 'files'] as const)
        yield* context.list<typeof partOfFolder>('GET /v1/directories/contents/:part', { params: { part }, query })
    }
    await context.write(rows(), ['size', 'numberOfFiles', 'lastModified', 'owner', 'name'])
  },
}

/** Sizes of folders, each after those in it, as `du` writes them. */
const du: ShortForm = {
  name: 'du',
  words: 'PATH...',
  summary: 'Writes the bytes that folders take on disk, as du -B1 does.',
  examples: ['du -s films', 'du -h -d 1 films:/projects', 'du -b /mnt/films/aurora'],
  options: [
    own('apparent-size', 'The length of the content instead of the space on disk.', 'flag', 'b'),
    own('human', 'Sizes with units, such as 1.46 MiB.', 'flag', 'h'),
    own('summarize', 'Only the total of each path.', 'flag', 's'),
    own('max-depth', 'Folders down to this number of levels below the path.', 'number', 'd'),
    dateOption,
  ],
  async run(context) {
    // All parts are of the same snapshot, also if the first scan of a new day ends meanwhile.
    const newest = () => context.call<typeof volumes>('GET /v1/volumes', { query: { size: 1 } })
    const date = context.text('date') ?? (await newest()).indexingDate ?? undefined
    const rows = (await Promise.all(context.words.map((word) => measure(context, word, date)))).flat()
    if (context.flag('json') || context.flag('csv')) return void (await context.write(rows, ['bytes', 'path']))
    const ending = context.flag('null') ? '\0' : '\n'
    for (const { bytes, path } of rows) {
      const size = context.flag('human') ? sizeText(bytes) : String(bytes)
      const name = context.isShown && ending === '\n' ? Buffer.from(shellText(path)) : bytesOfName(path)
      await write(context.out, Buffer.concat([Buffer.from(`${size}\t`), name, Buffer.from(ending)]))
    }
  },
}

/** Measures a folder and those in it, each after its own folders. */
async function measure(context: Context, word: string, indexingDate: string | undefined) {
  const { volumeId, path } = await findFolder(context, word)
  const ofEntry = ({ size, allocatedSize, fullPath }: Entry) => ({
    bytes: Math.max(0, context.flag('apparent-size') || allocatedSize < 0 ? size : allocatedSize),
    path: fullPath,
  })
  const details = { path, storageId: volumeId, indexingDate, size: 0 }
  const root = ofEntry(await context.call<typeof folderDetails>('GET /directories/details', { query: details }))
  const levels = context.flag('summarize') ? 0 : context.number('max-depth')
  if (levels === 0) return [root]
  const depth = path.split('/').filter(Boolean).length
  const below = context.list<typeof searchEntries>('POST /v1/search', {
    query: { indexingDate, sort: 'path', direction: 'asc' },
    body: [
      { volumeId: { values: [volumeId] } },
      { isDirectory: { value: true } },
      { path: { startsWith: path === '/' ? '/' : `${path}/` } },
      ...(levels === undefined ? [] : [{ folderDepth: { max: depth + levels } }]),
    ],
  })
  const folders = (await collect(below)).map((entry) => ({ names: `${entry.path}/`.split('/'), entry }))
  folders.sort((one, other) => compareNames(one.names, other.names))
  return [...folders.map(({ entry }) => ofEntry(entry)), root]
}

/** Orders folders by their names, and each after those in it: the empty name at the end of a path is the last. */
function compareNames(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((name, index) => name !== other[index])
  const [a = '', b = ''] = [one[at], other[at]]
  if (a === b) return 0
  if (a === '' || b === '') return a === '' ? 1 : -1
  return a < b ? -1 : 1
}

const compare: ShortForm = {
  name: 'compare',
  words: 'PATH FROM [TO]',
  summary: 'Compares a folder on two days: what grew, by folder, owner or extension, or file by file.',
  examples: ['compare films 2026-10-01 2026-11-01', 'compare films:/aurora 2026-10-01 --by file --csv'],
  options: [
    own('by', 'Rows: folder, owner, extension, file or kind. Default: folder.', 'text'),
    own('limit', 'Maximum number of rows.', 'number', 'n'),
  ],
  async run(context) {
    const [word = '', previousDate = '', indexingDate] = context.words
    const { volumeId, path } = await findFolder(context, word)
    const input = { params: { previousDate }, query: { path, storageId: volumeId, indexingDate } }
    const by = (context.text('by') ?? 'folder') as 'folder' | 'file' | 'kind'
    const limit = context.number('limit')
    const total = await context.call<typeof comparison>('GET /v1/comparisons/:previousDate', input)
    if (by === 'file') {
      const files = context.list<typeof changedFiles>('GET /v1/comparisons/:previousDate/files', input, limit)
      await context.write(files, ['delta', 'size', 'kind', 'fullPath'])
    } else if (by === 'kind') {
      await context.write(total.kinds, ['kind', 'files', 'folders', 'size', 'grown', 'shrunk'])
    } else {
      const query = { ...input.query, by }
      const parts = context.list<typeof growth>('GET /v1/comparisons/:previousDate/groups', { ...input, query }, limit)
      await context.write(parts, ['growth', 'filesGrowth', 'field'])
    }
    const { previousIndexingDate, growth: bytes } = total
    if (context.isShown)
      context.note(`${changeText(bytes)} from ${previousIndexingDate ?? previousDate} to ${total.indexingDate}`)
  },
}

const project: ShortForm = {
  name: 'project',
  words: '[NAME]',
  summary: 'Lists projects, or the folders of one, or writes its statement of a month.',
  examples: ['project', 'project Aurora', 'project Aurora --statement 2026-10 > aurora.csv'],
  options: [own('statement', 'Month of a statement, as CSV: 2026-10.', 'text'), dateOption],
  async run(context) {
    const [filter] = context.words
    const query = { indexingDate: context.text('date') }
    const list = context.list<typeof projects.list>('GET /v1/projects', { query: { ...query, filter } })
    if (filter === undefined)
      return void (await context.write(list, ['sizeOfFiles', 'allocatedSize', 'numberOfFiles', 'costs', 'name']))
    const found = (await collect(list)).find(({ name }) => name === filter)
    if (!found) throw notFound(`There is no project ${filter}. "dataintell project" lists them.`)
    const month = context.text('statement')
    if (month !== undefined) {
      const request = requestOf('GET /v1/projects/:id/statements/:month/csv', { params: { id: found.id, month } })
      return context.writeFile(await context.request(request))
    }
    const { id, sizeOfFiles, allocatedSize } = found
    const { projectShares } = await context.call<typeof projects.find>('GET /v1/projects/:id', {
      params: { id },
      query,
    })
    const folders = projectShares.flatMap(({ projectItems }) => projectItems)
    await context.write(folders, ['sizeOfFiles', 'numberOfFiles', 'lastModifiedDate', 'volumeName', 'fullPath'])
    if (context.isShown) context.note(`${sizeText(sizeOfFiles)} of ${sizeText(allocatedSize)} are used.`)
  },
}

export const folderForms: readonly ShortForm[] = [storages, ls, du, compare, project]
