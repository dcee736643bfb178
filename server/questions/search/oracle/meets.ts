import { isMediaRelation } from '#events/media/relations.ts'
import type { SearchQueryNode } from '#events/search/criteria.ts'
import type { Criterion, DateOperators, NumberOperators, TextOperators } from '#events/search/query.ts'
import { lastUse } from '#server/content/snapshots/oracle/expectedRows.ts'
import { isWholly, known } from './chosen.ts'
import type { KnownEntry } from './known.ts'
import { shownTags } from './sorted.ts'

/** An entry with values that loops can't compute: its number and its hash. */
export type NumberedEntry = KnownEntry & { fileId: string; hash: string }

/**
 * Returns whether an entry matches criteria, one query after another; deleted entries only match criteria about
 * deletion.
 */
export const meetsCriteria = (entry: NumberedEntry, criteria: SearchQueryNode): boolean =>
  (!entry.deleted || speaksOfDeleted(criteria)) && meets(entry, criteria)

const speaksOfDeleted = (node: SearchQueryNode): boolean =>
  node.searchQueries.some(({ field }) => field === 'deleted') || node.searchQueryNodes.some(speaksOfDeleted)

const isEmpty = (node: SearchQueryNode): boolean =>
  node.searchQueries.length === 0 && node.searchQueryNodes.every(isEmpty)

function meets(entry: NumberedEntry, node: SearchQueryNode): boolean {
  const answers = [
    ...node.searchQueries.map((criterion) => isMet(entry, criterion) !== criterion.excludes),
    ...node.searchQueryNodes.filter((inner) => !isEmpty(inner)).map((inner) => meets(entry, inner)),
  ]
  if (answers.length === 0) return true
  return node.searchOperator === 'AND' ? answers.every(Boolean) : answers.some(Boolean)
}

function isMet(entry: NumberedEntry, criterion: Criterion): boolean {
  const { row } = entry
  switch (criterion.type) {
    case 'string':
      return isTextOf(entry, criterion)
    case 'date':
      return isDateOf(entry, criterion)
    case 'choice':
    case 'double':
      // These histories have no archive index and no media.
      return false
    case 'list':
      return criterion.operators.values.includes(entry.volumeId)
    case 'boolean': {
      if (isMediaRelation(criterion.field)) return false
      const { dupe, deleted } = entry
      return (
        {
          dupe,
          isDirectory: row.isDirectory,
          deleted,
          isWorldWritable: isWorldWritable(row),
        }[criterion.field] === criterion.operators.value
      )
    }
    default: {
      const ofFolder = (count: number) => (row.isDirectory ? count : -1)
      const counts = { numberOfFiles: ofFolder(row.files), numberOfFolders: ofFolder(row.folders) }
      return isNumber(
        { size: row.size, allocatedSize: row.allocatedSize, ...counts, inode: row.inode, folderDepth: row.depth }[
          criterion.field
        ],
        criterion.operators,
      )
    }
  }
}

const isWorldWritable = ({ mode, isDirectory }: NumberedEntry['row']): boolean =>
  (mode & 0o2) !== 0 && (mode & 0o170000) !== 0o120000 && !(isDirectory && (mode & 0o1000) !== 0)

type Of<T extends Criterion['type']> = Extract<Criterion, { type: T }>

function isTextOf({ row, path, fileId, hash, tags }: NumberedEntry, { field, operators }: Of<'string'>): boolean {
  const asItIs = (text: string) => text
  const inLowerCase = (text: string) => text.toLowerCase()
  if (field === 'customTag') {
    const isWhole = (operators.value ?? operators.values) !== undefined
    const seen = isWhole ? tags : shownTags(tags)
    return seen.some((tag) => isText(tag, operators, asItIs))
  }
  if (field === 'path') return isText(path, operators, asItIs)
  const bare = (text: string) => text.replaceAll(/^[. ]+|[. ]+$/g, '').toLowerCase()
  if (field === 'extension' && (operators.value ?? operators.values) !== undefined) {
    const { value, values, ...others } = operators
    const wholly = { value, values, startsWith: undefined, wildcard: undefined, regex: undefined }
    return (
      isText(row.extension, wholly, bare) &&
      isText(row.extension, { ...others, value: undefined, values: undefined }, inLowerCase)
    )
  }
  const { name, owner, group, extension } = row
  const texts: Partial<Record<typeof field, string>> = {
    name,
    owner,
    group,
    extension,
    fileId,
    identificationHash: hash,
  }
  const text = texts[field]
  return text !== undefined && isText(text, operators, inLowerCase)
}

function isDateOf({ row, scannedOn }: NumberedEntry, { field, operators }: Of<'date'>): boolean {
  const { after = '', before = '9999' } = operators
  if (field === 'indexingDate') return scannedOn >= after && scannedOn < before
  const { lastModified, created } = row
  const seconds = {
    lastAccess: known(lastUse(row)),
    lastModified: known(lastModified),
    creationDate: known(created),
    backupDate: known(row.backedUp),
  }
  return isBetween(seconds[field], operators)
}

function isText(text: string, operators: TextOperators, as: (text: string) => string): boolean {
  const { value, values, startsWith, wildcard, regex } = operators
  return (
    (value === undefined || as(text) === as(value)) &&
    (values === undefined || values.some((each) => as(text) === as(each))) &&
    (startsWith === undefined || as(text).startsWith(as(startsWith))) &&
    (wildcard === undefined || isWholly(text, wildcard)) &&
    (regex === undefined || new RegExp(regex, 'su').test(text))
  )
}

/** Negative numbers are unknown. */
const isNumber = (number: number, { value, values, min, max }: NumberOperators): boolean =>
  number >= 0 &&
  (value === undefined || number === value) &&
  (values === undefined || values.includes(number)) &&
  (min === undefined || number >= min) &&
  (max === undefined || number <= max)

function isBetween(seconds: number | undefined, { after, before }: DateOperators): boolean {
  const start = (day: string) => new Date(`${day}T00:00:00`).getTime() / 1000
  if (seconds === undefined) return false
  return (after === undefined || seconds >= start(after)) && (before === undefined || seconds < start(before))
}
