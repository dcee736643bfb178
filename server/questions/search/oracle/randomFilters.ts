import { chosenTypes } from '#events/search/fileTypes.ts'
import type { Random } from '#server/content/snapshots/oracle/random.ts'
import type { KnownEntry } from './known.ts'

/** Filters in the form of a query string. */
export type Query = Record<string, string | string[]>

/** A few filters, mostly matching some entries. */
export function randomFilters(random: Random, known: KnownEntry[], kind: 'files' | 'folders'): Query {
  const ofKind = known.filter(({ row }) => row.isDirectory === (kind === 'folders'))
  const query: Query = {}
  for (let n = random.below(4); n > 0 && ofKind.length > 0; n--)
    Object.assign(query, random.pick(makers)(random, random.pick(ofKind)))
  if (random.chance(0.15)) query['showOnlyDeletedFiles'] = 'true'
  return query
}

type Maker = (random: Random, entry: KnownEntry) => Query

const part = (random: Random, text: string) => {
  const letters = [...text]
  const from = random.below(letters.length)
  return letters.slice(from, from + 1 + random.below(3)).join('')
}

/** The text with some characters replaced by `?` or `*`. */
function pattern(random: Random, text: string): string {
  const letters = [...text].map((letter) => (random.chance(0.2) ? '?' : letter))
  if (random.chance(0.7)) letters.splice(random.below(letters.length + 1), random.below(4), '*')
  return (random.chance(0.3) ? letters.join('').toUpperCase() : letters.join('')) || '*'
}

const day = (random: Random, seconds: number) => {
  const shifted = Math.max(seconds + (random.below(5) - 2) * 43_200, 0)
  return new Date(shifted * 1000).toISOString().slice(0, 10)
}

const folderOf = ({ row }: KnownEntry, random: Random) => {
  const folders = row.parentPath.split('/').slice(1, -1)
  return `/${folders.slice(0, random.below(folders.length + 1)).join('/')}`
}

const bound = (random: Random, value: number) => String(Math.max(value + random.below(3) - 1, 0))

const makers: Maker[] = [
  (random, { row }) => ({ search: part(random, row.name) }),
  (random, { row }) => ({ name: random.pick([part, pattern])(random, row.name) }),
  (random, { row }) => ({ name: pattern(random, row.name) }),
  (random, { row, path }) => ({ ignorePattern: [pattern(random, row.name), pattern(random, path)] }),
  () => ({ ignorePattern: '*.*' }),
  (random, { row }) => ({ extension: random.pick([`.${row.extension}`, `${row.extension}, jpg`, 'TXT']) }),
  (random) => ({ fileType: [random.pick(chosenTypes), random.pick(chosenTypes)] }),
  (_, { volumeId }) => ({ volumeId: String(volumeId) }),
  (random, { volumeId }) => ({ storageId: [String(volumeId), String(volumeId + random.below(3))] }),
  (random, entry) => ({ startingPath: folderOf(entry, random) }),
  (random, entry) => ({
    storageAndPath: [
      `${entry.volumeId}:${folderOf(entry, random)}`,
      `${entry.volumeId + 1}:${folderOf(entry, random)}`,
    ],
  }),
  (random, { row }) => ({ owner: random.chance(0.5) ? row.owner.toUpperCase() : pattern(random, row.owner || '*') }),
  (_, { row }) => ({ group: row.group }),
  (random, { row }) => ({ creationAfter: day(random, row.created) }),
  (random, { row }) => ({ creationBefore: day(random, row.created) }),
  (random, { row }) => ({ lastAccessAfter: day(random, row.lastAccess) }),
  (random, { row }) => ({ lastAccessBefore: day(random, row.lastAccess) }),
  (random, { row }) => ({ lastModifiedAfter: day(random, row.lastModified) }),
  (random, { row }) => ({ lastModifiedBefore: day(random, row.lastModified) }),
  (random, { row }) => ({ minimumSize: bound(random, row.size) }),
  (random, { row }) => ({ maximumSize: bound(random, row.size), maximumSizeUnit: 'b' }),
  (random) => ({ minimumSize: String(random.below(4)), minimumSizeUnit: random.pick(['KB', 'kb', 'TB']) }),
  (random) => ({ minimumSize: String(random.below(4)), minimumSizeUnit: 'KB', sizeBase: random.pick(['2', '10']) }),
  (random, { row }) => ({ minimumAllocatedSize: bound(random, row.allocatedSize) }),
  (random, { row }) => ({ maximumAllocatedSize: bound(random, row.allocatedSize), maximumAllocatedSizeUnit: 'b' }),
  (random) => ({ minimumAllocatedSize: String(random.below(4)), minimumAllocatedSizeUnit: 'kb', sizeBase: '10' }),
  (random, { row }) => ({ minimumNumberOfFiles: bound(random, row.files) }),
  (random, { row }) => ({ maximumNumberOfFiles: bound(random, row.files) }),
  (random, { row }) => ({ minimumNumberOfFolders: bound(random, row.folders) }),
  (random, { row }) => ({ maximumNumberOfFolders: bound(random, row.folders) }),
  (random) => ({ onlyDuplicates: random.pick(['true', 'false', '']) }),
  (random, { tags }) => ({ tag: [random.pick([...tags, 'kept'])] }),
  (random, { tags }) => ({ tags: [random.pick([...tags, 'nobody has this']), 'client "A"'] }),
  (random, { tags }) => ({ report: random.pick([...tags, 'Weekly', 'kept', 'dataintell.report.Weekly.2026-01-02']) }),
  (_, { tags }) => ({
    reports: ['Weekly', ...tags.map((tag) => tag.replace(/^dataintell\.report\.|\.[\d-]{10}$/g, ''))],
  }),
  (random, { row }) => ({ backupAfter: day(random, row.backedUp) }),
  (random, { row }) => ({ backupBefore: day(random, row.backedUp) }),
]
