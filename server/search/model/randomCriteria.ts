import type { Random } from '#server/snapshots/model/random.ts'
import type { Numbered } from './meets.ts'

type Query = Record<string, unknown>
type Node = { searchOperator?: string; searchQueries?: Query[]; searchQueryNodes?: Node[] }

/** Criteria as a browser sends them, mostly such that some entries meet them: a list, or nodes in nodes. */
export function randomCriteria(random: Random, known: Numbered[]): Query[] | Node {
  const query = () => randomQuery(random, random.pick(known))
  if (random.chance(0.4)) return Array.from({ length: random.below(4) }, query)
  const node = (depth: number): Node => ({
    ...(random.chance(0.9) && { searchOperator: random.pick(['AND', 'OR']) }),
    searchQueries: Array.from({ length: random.below(3) }, query),
    ...(depth < 5 && random.chance(0.5) && { searchQueryNodes: [node(depth + 1), node(depth + 1)] }),
  })
  return node(1)
}

function randomQuery(random: Random, entry: Numbered): Query {
  const [field, ...operators] = random.pick(makers)(random, entry)
  const given = operators.length > 1 && random.chance(0.2) ? Object.assign({}, ...operators) : random.pick(operators)
  return {
    ...(random.chance(0.3) && { id: random.below(100) }),
    ...(random.chance(0.3) && { excludeFilter: random.chance(0.7) }),
    [field]: given,
  }
}

type Maker = (random: Random, entry: Numbered) => [string, ...Query[]]

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)

/** The operators of a text, some of which it meets. */
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

const makers: Maker[] = [
  (_, { volumeId }) => ['volumeId', { values: [volumeId, volumeId + 2] }],
  (random, { path }) => ['path', ...texts(random, path, false)],
  (random, { path }) => ['path', { startsWith: path.slice(0, 1 + random.below(path.length)) }],
  (random, { row }) => ['name', ...texts(random, row.name)],
  (random, { row }) => ['name', ...texts(random, row.name)],
  (random, { row }) => ['extension', ...texts(random, row.extension)],
  (_, { row }) => ['extension', { value: `. ${row.extension.toUpperCase()}` }],
  (random, { row }) => ['owner', ...texts(random, row.owner)],
  (random, { row }) => ['group', ...texts(random, row.group)],
  (random, { row }) => ['size', ...numbers(random, row.size)],
  (random, { row }) => ['numberOfFiles', ...numbers(random, row.files)],
  (random, { row }) => ['numberOfFolders', ...numbers(random, row.folders)],
  (random, { row }) => ['inode', ...numbers(random, row.inode)],
  (random, { row }) => ['folderDepth', ...numbers(random, row.depth)],
  (random, { row }) => ['lastAccessDate', ...days(random, row.lastAccess)],
  (random, { row }) => ['lastModifiedDate', ...days(random, row.lastModified)],
  (random, { row }) => ['creationDate', ...days(random, row.created)],
  (random, { scannedOn }) => ['indexingDate', ...days(random, Date.parse(scannedOn) / 1000)],
  (random) => ['isDupe', { value: random.chance(0.5) }],
  (random) => ['isDirectory', { value: random.chance(0.5) }],
  (random) => ['isDeleted', { value: random.chance(0.5) }],
  (random) => ['isWorldWritable', { value: random.chance(0.5) }],
  (random, { hash }) => ['identificationHash', ...texts(random, hash)],
  (random, { fileId }) => ['fileId', ...texts(random, fileId)],
  (random, { tags }) => ['customTags', ...texts(random, tags[0] ?? 'kept', false)],
  (random, { row }) => ['metadata.camera', ...texts(random, row.name)],
]
