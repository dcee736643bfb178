import { type EntryField, entryFields, type FieldsWith } from '#events/entries/fields.ts'
import { isMediaName, isMediaNumber, mediaFieldOf, metadataPrefix } from '#events/media/names.ts'
import { isMediaRelation, type MediaRelation } from '#events/media/relations.ts'
import type { SearchQueryNode } from '#events/search/criteria.ts'
import { type Criterion, isMetadataField, type TextOperators } from '#events/search/query.ts'
import { dayOn } from '#events/search/relativeDays.ts'
import { hiddenTagPrefix } from '#events/tags.ts'
import { hasFact } from '#server/content/media/facts.ts'
import { archivedIn, type Scope } from '#server/content/archived/index.ts'
import { all, join, name, type Sql, sql, typed } from '#server/platform/clickhouse/sql.ts'
import type { ShownVolume, Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import { given, hasTagWhere, nameText, searchText, between, searchedTime } from './conditions.ts'
import { isRelated } from './mediaRelations.ts'
import { account, exactText, extension, hexadecimal, number, text, path } from './criteriaOperators.ts'

/** The entries that criteria are compared with. */
export type Searched = {
  snapshot: Snapshot
  /** The storages that are read. */
  volumes: readonly ShownVolume[]
  /** Conditions: an entry was deleted, and has copies. */
  isDeleted: Sql
  isCopy: Sql
  /** Folders with all entries of the query, if known. */
  scopes?: readonly Scope[] | undefined
}

/** A condition in addition to criteria. It takes its place in the order as a condition on the field. */
export type AlsoMeant = { field: EntryField; where: Sql }

/** The condition of criteria on entries, fast parts first. */
export function criteriaCondition(node: SearchQueryNode, searched: Searched, also: readonly AlsoMeant[] = []): Sql {
  const queries = [
    ...node.searchQueries.map((criterion) => ({
      rank: slowness(criterion),
      where: sql`${criterion.excludes ? sql`NOT ` : sql``}(${conditionOf(criterion, searched)})`,
    })),
    ...also.map(({ field, where }) => ({ rank: slowFields.indexOf(field), where })),
  ]
  const parts = [
    ...queries.toSorted((a, b) => a.rank - b.rank).map(({ where }) => where),
    ...node.searchQueryNodes.filter(asksAnything).map((inner) => sql`(${criteriaCondition(inner, searched)})`),
  ]
  return join(parts, node.searchOperator === 'OR' ? ' OR ' : ' AND ', '1')
}

/** Fields from the fastest to the slowest; others are faster. */
const slowFields: readonly EntryField[] = [
  'fileId',
  'extension',
  'owner',
  'group',
  'dupe',
  'path',
  'name',
  'identificationHash',
  'customTag',
  'archive',
]
const slowness = ({ field }: Criterion): number =>
  isMetadataField(field) ? slowFields.length : slowFields.indexOf(field)

/** A node without queries matches everything. */
export const asksAnything = ({ searchQueries, searchQueryNodes }: SearchQueryNode): boolean =>
  searchQueries.length > 0 || searchQueryNodes.some(asksAnything)

function conditionOf(criterion: Criterion, searched: Searched): Sql {
  const { snapshot } = searched
  switch (criterion.type) {
    case 'string':
      return textCondition(criterion, searched)
    case 'long':
    case 'integer':
      return numberCondition(criterion)
    case 'double':
      return metadata(criterion.field, searched, (value) => measurement(value, criterion.operators))
    case 'date':
      return criterion.field === 'indexingDate'
        ? wasScanned(criterion, searched)
        : all(between(searchedTime(criterion.field), criterion.operators, snapshot))
    case 'boolean':
      return yesOrNo(criterion, searched)
    case 'choice':
      return archivedIn(snapshot, criterion.operators.values, searched.scopes)
    case 'list':
      return isInVolumes(criterion)
  }
}
type Of<T extends Criterion['type']> = Extract<Criterion, { type: T }>

/** The column of a field. */
export const columnOf = (field: FieldsWith<{ column: string }>): Sql => name(entryFields[field].column)

/** The size of an entry whose size is unknown. */
const unknownSize = -1

/** An empty list is no restriction, also if it excludes. */
function isInVolumes({ operators: { values }, excludes }: Of<'list'>): Sql {
  if (values.length > 0) return sql`volume IN ${typed(values, 'Array(Int64)')}`
  return excludes ? sql`0` : sql`1`
}

function textCondition({ field, operators }: Of<'string'>, searched: Searched): Sql {
  const { snapshot, volumes } = searched
  if (isMetadataField(field)) return metadata(field, searched, (value) => text(searchText(value), operators))
  switch (field) {
    case 'path':
      return path(operators, volumes)
    case 'name':
      return text(nameText, operators)
    case 'extension':
      return extension(operators)
    case 'owner':
    case 'group':
      return account(columnOf(field), operators)
    case 'fileId':
      return hexadecimal(columnOf(field), sql`leftPad(lower(hex(file_id)), 16, '0')`, operators)
    case 'identificationHash':
      return hexadecimal(columnOf(field), shownHash, operators)
    case 'customTag':
      return tagged(operators, snapshot)
    default:
      return text(searchText(columnOf(field)), operators)
  }
}

const shownHash = sql`if(identification_hash = 0, '', leftPad(lower(hex(identification_hash)), 16, '0'))`

/** Tags hidden from users match only by their whole name. */
function tagged(operators: TextOperators, snapshot: Snapshot): Sql {
  const isTag = exactText(sql`tag`, operators)
  const isWhole = operators.value !== undefined || operators.values !== undefined
  return hasTagWhere(isWhole ? sql`(${isTag})` : sql`(${isTag}) AND NOT startsWith(tag, ${hiddenTagPrefix})`, snapshot)
}

/** Condition on a value of the entry's own metadata, or of the facts that were read from its content. */
function metadata(field: string, { volumes }: Searched, isMeant: (value: Sql) => Sql): Sql {
  const key = field.slice(metadataPrefix.length)
  const isOwn = isMediaNumber(field)
    ? sql`ifNull(${isMeant(sql`toFloat64OrNull(metadata[${key}])`)}, 0)`
    : isMeant(sql`metadata[${key}]`)
  const own = sql`mapContains(metadata, ${key}) AND ${isOwn}`
  return isMediaName(field) ? sql`(${own}) OR ${hasFact(mediaFieldOf(field), volumes, isMeant)}` : own
}

const measurement = (value: Sql, { values, ...others }: Of<'double'>['operators']): Sql =>
  all([
    number(value, { ...others, values: undefined }),
    ...given(values, (listed) => sql`${value} IN ${typed(listed, 'Array(Float64)')}`),
  ])

/** An unknown size matches only the value -1. Files have no counts. */
function numberCondition({ field, operators }: Of<'long' | 'integer'>): Sql {
  const column = columnOf(field)
  const { kind } = entryFields[field]
  if (kind === 'count') return number(column, operators, sql`is_directory`)
  if (kind !== 'bytes') return number(column, operators)
  if (operators.value === unknownSize) return sql`${column} < 0`
  return number(column, operators, (operators.min ?? -1) < 0 ? sql`${column} >= 0` : undefined)
}

function wasScanned({ operators }: Of<'date'>, { snapshot, volumes }: Searched): Sql {
  const dayOf = (day: string | undefined) => day && dayOn(day, snapshot.indexingDate)
  const [after = '', before] = [dayOf(operators.after), dayOf(operators.before)]
  const scanned = volumes.filter(({ scannedOn }) => scannedOn >= after && (before === undefined || scannedOn < before))
  return sql`volume IN ${typed(
    scanned.map(({ volumeId }) => volumeId),
    'Array(UInt32)',
  )}`
}

/** Bits of `st_mode`: 0o2 lets others write, 0o1000 is the sticky bit, and 0o120000 of 0o170000 a symbolic link. */
const isWorldWritable = sql`(bitAnd(mode, 2) != 0 AND bitAnd(mode, 61440) != 40960 AND NOT (is_directory AND bitAnd(mode, 512) != 0))`

/** A media file whose relation is unknown is neither yes nor no. */
function yesOrNo({ field, operators: { value } }: Of<'boolean'>, searched: Searched): Sql {
  if (isMediaRelation(field)) return isRelated(field, value, searched.snapshot)
  return value ? flag(field, searched) : sql`NOT ${flag(field, searched)}`
}

function flag(field: Exclude<Of<'boolean'>['field'], MediaRelation>, { isDeleted, isCopy }: Searched): Sql {
  switch (field) {
    case 'deleted':
      return isDeleted
    case 'dupe':
      return isCopy
    case 'isWorldWritable':
      return isWorldWritable
    default:
      return columnOf(field)
  }
}
