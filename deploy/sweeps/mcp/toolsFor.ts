type Rows = Record<string, unknown>[]
type Data = Record<string, unknown> & { rows: Rows }
type Page = { elements: Rows; total: number }
type Elements = Pick<Page, 'elements'>

/** A tool and its input that ask the same as a call, and the part of both answers that must be equal. */
export type Question = {
  tool: string
  input: Record<string, unknown>
  ofApi: (answer: never) => unknown
  ofTool: (data: Data) => unknown
}

const max = 100
const entries = (rows: Rows) => rows.slice(0, max).map(({ fullPath, size, owner }) => [fullPath, size, owner])
const fields =
  (...names: string[]) =>
  (rows: Rows) =>
    rows.map((row) => names.map((name) => row[name]))

/** The question that a call of the benchmark asks. Throws for a call that no tool answers. */
export function toolsFor(address: string): Question {
  const { pathname, searchParams } = new URL(address, 'http://x')
  const query: Record<string, string> = Object.fromEntries(searchParams)
  const found = questions.find(([path]) => path.test(pathname))
  if (!found) throw new Error(`No tool answers ${address}`)
  const [path, tool, inputOf, ofApi, ofTool] = found
  return { tool, input: inputOf(query, path.exec(pathname)?.[1] ?? ''), ofApi, ofTool }
}

type Query = Record<string, string>
type Storage = Record<string, unknown> & { statistics: { MODIFIED_DATE: Parameters<typeof ages>[0] } }

/** The filters of a search as the input of a tool. */
function filtersOf({
  storageAndPath,
  minimumSizeUnit,
  minimumSize,
  size: _,
  ...query
}: Query): Record<string, unknown> {
  const [, storage, path] = /^(\d+):(.*)$/.exec(storageAndPath ?? '') ?? []
  return {
    ...query,
    ...(query['storageId'] && { storage: query['storageId'], storageId: undefined }),
    ...(storage && { storage, path }),
    ...(minimumSize && { minimumSize: Number(minimumSize) * (minimumSizeUnit === 'MB' ? 1024 ** 2 : 1) }),
    ...(query['onlyDuplicates'] && { onlyDuplicates: true }),
  }
}
const folderOf = ({ path, storageId, ...query }: Query) => ({ path, storage: storageId, ...query })

const questions: [
  RegExp,
  string,
  (query: Query, part: string) => Record<string, unknown>,
  Question['ofApi'],
  Question['ofTool'],
][] = [
  [
    /^\/v1\/directories\/contents$/,
    'list_folder',
    (query) => ({ ...folderOf(query), limit: max }),
    ({ folders, files }: Record<'folders' | 'files', Page>) => [
      folders.total + files.total,
      entries([...folders.elements, ...files.elements]),
    ],
    ({ shown, rows }) => [Number(/\d+$/.exec(String(shown))?.[0]), entries(rows)],
  ],
  [
    /^\/v1\/directories\/contents\/folders$/,
    'list_folder',
    ({ size: _, ...query }) => folderOf(query),
    ({ total }: Page) => total,
    ({ folders }) => folders,
  ],
  [
    /^\/v1\/directories\/contents\/files$/,
    'list_folder',
    ({ size: _, ...query }) => folderOf(query),
    ({ total }: Page) => total,
    ({ files }) => files,
  ],
  [
    /^\/v1\/dashboard$/,
    'capacity_forecast',
    dates,
    ({ storages }: Record<'storages', Rows>) => named(storages),
    ({ rows }) => named(rows),
  ],
  [
    /^\/v1\/(volumes|storages)$/,
    'list_storages',
    dates,
    ({ elements }: Elements) => names(elements),
    ({ rows }) => names(rows),
  ],
  [
    /^\/v1\/volumes\/mostActiveVolumes$/,
    'most_active_storages',
    ({ duration, ...query }) => ({ ...query, ...(duration && { days: Number(duration) }) }),
    fields('name', 'variation', 'previousIndexingDate'),
    ({ rows }) => fields('name', 'variation', 'previousIndexingDate')(rows),
  ],
  [
    /^\/v1\/detailedVolumes\/(\d+)$/,
    'storage',
    ({ size: _, ...query }, storage) => ({ ...query, storage }),
    ({ elements: [{ name, sizeOfFiles, numberOfFiles, statistics }] }: { elements: [Storage] }) => [
      name,
      sizeOfFiles,
      numberOfFiles,
      ages(statistics.MODIFIED_DATE),
    ],
    ({ name, sizeOfFiles, numberOfFiles, rows }) => [
      name,
      sizeOfFiles,
      numberOfFiles,
      ages(Object.fromEntries(rows.flatMap(({ age, modified }) => (modified ? [[age, modified]] : []))) as never),
    ],
  ],
  [
    /^\/files\/search$/,
    'search',
    (query) => ({ ...filtersOf(query), limit: 50 }),
    ({ elements, total }: Page) => [total, entries(elements)],
    ({ shown, rows }) => [Number(/\d+$/.exec(String(shown))?.[0]), entries(rows)],
  ],
  [
    /^\/files\/search\/sizes$/,
    'search',
    filtersOf,
    ({ count, size, reclaimable }: Data) => [count, size, reclaimable],
    ({ shown, size, reclaimable }) => [Number(/\d+$/.exec(String(shown))?.[0]), size, reclaimable],
  ],
  [
    /^\/files\/search\/csv$/,
    'search',
    (query) => ({ ...filtersOf(query), limit: max }),
    ([, ...rows]: string[][]) => rows.slice(0, max).map(([name]) => name),
    ({ rows }) => rows.map(({ fullPath }) => String(fullPath).split('/').at(-1)),
  ],
  [
    /^\/files\/search\/fields$/,
    'distribution',
    ({ fieldName: by, ...query }) => ({ ...filtersOf(query), by, limit: max }),
    fields('field', 'count', 'size'),
    ({ rows }) => rows.map(({ field = '', count, size }) => [field, count, size]),
  ],
  [
    /^\/files\/search\/dates$/,
    'distribution',
    ({ dateField: by, dateIntervalType: period, ...query }) => ({ ...filtersOf(query), by, period, limit: 13 }),
    fields('date', 'count', 'size'),
    ({ rows }) => fields('date', 'count', 'size')(rows),
  ],
  [
    /^\/v1\/directories\/details$/,
    'folder_history',
    (query) => ({ ...folderOf(query), limit: max }),
    (dates: Rows) => fields('indexingDate', 'size', 'numberOfFiles')(dates.toReversed()),
    ({ rows }) => fields('indexingDate', 'size', 'numberOfFiles')(rows),
  ],
  [
    /^\/directories\/statistics$/,
    'folder_history',
    (query) => ({ ...folderOf(query), limit: max }),
    ({ biggestSize, smallestSize, numberOfDifferentSizes }: Data) => [
      biggestSize,
      smallestSize,
      numberOfDifferentSizes,
    ],
    ({ rows }) => {
      const sizes = rows.map(({ size }) => Number(size))
      return [Math.max(...sizes), Math.min(...sizes), new Set(sizes).size]
    },
  ],
  [
    /^\/v1\/directories\/map\/dominant$/,
    'distribution',
    ({ by, ...query }) => ({ ...folderOf(query), by, limit: 1 }),
    ({ path, folders }: { path: string; folders: Rows }) =>
      folders.filter((folder) => folder['path'] === path).map(({ value, size }) => [value, size]),
    ({ rows }) => rows.map(({ field = '', size }) => [field, size]),
  ],
]

function dates({ indexingDate }: Query) {
  return indexingDate === undefined ? {} : { indexingDate }
}
function named(rows: Rows) {
  return fields('name', 'sizeOfFiles', 'numberOfFiles')(rows)
}
function names(rows: Rows) {
  return rows.map(({ name }) => String(name)).sort()
}
function ages(shares: Record<string, { numberOfFiles: number; sizeOfFiles: number }>) {
  return Object.entries(shares)
    .map(([age, { numberOfFiles, sizeOfFiles }]) => [age, numberOfFiles, sizeOfFiles].join())
    .sort()
}
