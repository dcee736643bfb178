import { archiveStates } from '#events/search/archived.ts'
import type { MediaRelation } from '#events/media/relations.ts'
import type { SearchableField } from '#events/search/query.ts'
import type { Random } from '#server/content/snapshots/oracle/random.ts'
import type { NumberedEntry } from './meets.ts'

type Query = Record<string, unknown>
type MetadataField = 'metadata.camera' | MediaRelation
type Node = { searchOperator?: string; searchQueries?: Query[]; searchQueryNodes?: Node[] }

/** Criteria as sent by a browser, mostly matching some entries: a list, or nested nodes. */
export function randomCriteria(random: Random, known: NumberedEntry[]): Query[] | Node {
  const query = () => randomQuery(random, random.pick(known))
  if (random.chance(0.4)) return Array.from({ length: random.below(4) }, query)
  const node = (depth: number): Node => ({
    ...(random.chance(0.9) && { searchOperator: random.pick(['AND', 'OR']) }),
    searchQueries: Array.from({ length: random.below(3) }, query),
    ...(depth < 5 && random.chance(0.5) && { searchQueryNodes: [node(depth + 1), node(depth + 1)] }),
  })
  return node(1)
}

function randomQuery(random: Random, entry: NumberedEntry): Query {
  const field = random.pick(fields)
  const operators = makers[field](random, entry)
  const given = operators.length > 1 && random.chance(0.2) ? Object.assign({}, ...operators) : random.pick(operators)
  return {
    ...(random.chance(0.3) && { id: random.below(100) }),
    ...(random.chance(0.3) && { excludeFilter: random.chance(0.7) }),
    [field]: given,
  }
}

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)

/** Operators on a text, some of which match it. */
function texts(random: Random, text: string, anyCase = true): Query[] {
  const letters = [...text]
  const part = letters.slice(random.below(letters.length + 1)).slice(0, 3)
  const odd = anyCase && random.chance(0.3) ? text.toUpperCase() : text
  const start = letters.slice(0, random.below(letters.length + 1)).join('')
  const pattern = letters.map((letter) => (random.chance(0.2) ? '?' : letter))
  pattern.splice(random.below(pattern.length + 1), random.below(4), '*')
  return [
    { value: odd },
    { values: [odd, 'no such thing', `%_'"\\`] },
    { startsWith: anyCase && random.chance(0.3) ? start.toUpperCase() : start },
    { wildcard: pattern.join('') },
    { regex: `${random.pick(['', '^'])}${escaped(part.join(''))}${random.pick(['', '.', '.*$', '|^$'])}` },
  ]
}

const near = (random: Random, number: number) => Math.max(number + random.below(3) - 1, 0)
const numbers = (random: Random, number: number): Query[] => [
  { value: Math.max(number, 0) },
  { values: [Math.max(number, 0), near(random, number), 7] },
  { min: near(random, number) },
  { max: near(random, number) },
  { min: Math.max(number - 1024, 0), max: Math.max(number + 1024, 0) },
]

const days = (random: Random, seconds: number): Query[] => {
  const day = () => new Date(Math.max(seconds + (random.below(5) - 2) * 43_200, 0) * 1000).toISOString().slice(0, 10)
  return [{ after: day() }, { before: day() }]
}

/** Queries of each field with each of its operators, mostly matching an entry. */
const makers: Record<SearchableField | MetadataField, (random: Random, entry: NumberedEntry) => Query[]> = {
  volumeId: (_, { volumeId }) => [{ values: [volumeId, volumeId + 2] }],
  path: (random, { path }) => [
    ...texts(random, path, false),
    { startsWith: path.slice(0, 1 + random.below(path.length)) },
  ],
  name: (random, { row }) => texts(random, row.name),
  extension: (random, { row }) => [...texts(random, row.extension), { value: `. ${row.extension.toUpperCase()}` }],
  owner: (random, { row }) => texts(random, row.owner),
  group: (random, { row }) => texts(random, row.group),
  size: (random, { row }) => numbers(random, row.size),
  allocatedSize: (random, { row }) => numbers(random, row.allocatedSize),
  numberOfFiles: (random, { row }) => numbers(random, row.files),
  numberOfFolders: (random, { row }) => numbers(random, row.folders),
  inode: (random, { row }) => numbers(random, row.inode),
  folderDepth: (random, { row }) => numbers(random, row.depth),
  lastAccessDate: (random, { row }) => days(random, row.lastAccess),
  lastModifiedDate: (random, { row }) => days(random, row.lastModified),
  creationDate: (random, { row }) => days(random, row.created),
  indexingDate: (random, { scannedOn }) => days(random, Date.parse(scannedOn) / 1000),
  isDupe: (random) => [{ value: random.chance(0.5) }],
  isDirectory: (random) => [{ value: random.chance(0.5) }],
  isDeleted: (random) => [{ value: random.chance(0.5) }],
  isWorldWritable: (random) => [{ value: random.chance(0.5) }],
  archived: (random) => [{ values: [random.pick(archiveStates)] }],
  identificationHash: (random, { hash }) => texts(random, hash),
  fileId: (random, { fileId }) => texts(random, fileId),
  customTags: (random, { tags }) => texts(random, tags[0] ?? 'kept', false),
  'metadata.camera': (random, { row }) => texts(random, row.name),
  'metadata.video.hasProxy': (random) => [{ value: random.chance(0.5) }],
  'metadata.image.hasOtherSizes': (random) => [{ value: random.chance(0.5) }],
}
const fields = Object.keys(makers) as (keyof typeof makers)[]

/** Queries with one field and one of its operators: all combinations, with both names of a field. */
export const criteriaCases = (random: Random, entry: NumberedEntry) =>
  fields.flatMap((field) =>
    makers[field](random, entry).flatMap((operators) => {
      const [operator = '', ...others] = Object.keys(operators)
      return others.length > 0 ? [] : [{ field, operator, query: { [field]: operators } }]
    }),
  )
