import type { SearchQueryNode } from '#events/search/criteria.ts'
import { type Criterion, metadataPrefix, type TextOperators } from '#events/search/query.ts'
import { dayOn } from '#events/search/relativeDays.ts'
import { hiddenTagPrefix } from '#events/tags.ts'
import { archivedIn } from '#server/archived/index.ts'
import { hasTagWhere } from '#server/entries/conditions.ts'
import { nameText, searchText } from '#server/entries/searchKey.ts'
import { between } from '#server/entries/times.ts'
import { all, join, type Sql, sql, typed } from '#server/platform/clickhouse/sql.ts'
import type { Snapshot } from '#server/snapshots/reading/snapshotAt.ts'
import { account, exactText, extension, hexadecimal, number, text } from './criteriaOperators.ts'
import { path } from './pathCondition.ts'

/**
 * The condition of criteria on entries, with columns `is_deleted` and `is_copy` if the criteria use them; fast parts
 * first.
 */
export function criteriaCondition(node: SearchQueryNode, snapshot: Snapshot): Sql {
  const quickFirst = node.searchQueries.toSorted((a, b) => slowness(a) - slowness(b))
  const parts = [
    ...quickFirst.map((criterion) => {
      const condition = conditionOf(criterion, snapshot)
      return criterion.excludes ? sql`NOT (${condition})` : sql`(${condition})`
    }),
    ...node.searchQueryNodes.filter(asksAnything).map((inner) => sql`(${criteriaCondition(inner, snapshot)})`),
  ]
  return join(parts, node.searchOperator === 'OR' ? ' OR ' : ' AND ', '1')
}

const slowFields = [
  'fileId',
  'extension',
  'owner',
  'group',
  'isDupe',
  'path',
  'name',
  'identificationHash',
  'customTags',
  'archived',
]
const slowness = ({ type, field }: Criterion): number =>
  type === 'string' && !slowFields.includes(field) ? slowFields.length : slowFields.indexOf(field)

/** A node without queries matches everything. */
export const asksAnything = ({ searchQueries, searchQueryNodes }: SearchQueryNode): boolean =>
  searchQueries.length > 0 || searchQueryNodes.some(asksAnything)

function conditionOf(criterion: Criterion, snapshot: Snapshot): Sql {
  switch (criterion.type) {
    case 'string':
      return textCondition(criterion, snapshot)
    case 'long':
      return numberCondition(criterion)
    case 'integer':
      return number(sql`depth`, criterion.operators)
    case 'date':
      return dateCondition(criterion, snapshot)
    case 'boolean':
      return criterion.operators.value ? flags[criterion.field] : sql`NOT ${flags[criterion.field]}`
    case 'choice':
      return archivedIn(snapshot, criterion.operators.values)
    case 'list':
      return isInVolumes(criterion)
  }
}
type Of<T extends Criterion['type']> = Extract<Criterion, { type: T }>

/** The size of an entry whose size is unknown. */
const unknownSize = -1

/** An empty list is no restriction, also if it excludes. */
function isInVolumes({ operators: { values }, excludes }: Of<'list'>): Sql {
  if (values.length > 0) return sql`volume IN ${typed(values, 'Array(Int64)')}`
  return excludes ? sql`0` : sql`1`
}

function textCondition({ field, operators }: Of<'string'>, snapshot: Snapshot): Sql {
  switch (field) {
    case 'path':
      return path(operators, snapshot)
    case 'name':
      return text(nameText, operators)
    case 'extension':
      return extension(operators)
    case 'owner':
      return account(sql`owner`, operators)
    case 'group':
      return account(sql`\`group\``, operators)
    case 'fileId':
      return hexadecimal(sql`file_id`, sql`leftPad(lower(hex(file_id)), 16, '0')`, operators)
    case 'identificationHash':
      return hexadecimal(sql`identification_hash`, shownHash, operators)
    case 'customTags':
      return tagged(operators, snapshot)
    default:
      return metadata(field.slice(metadataPrefix.length), operators)
  }
}

const shownHash = sql`if(identification_hash = 0, '', leftPad(lower(hex(identification_hash)), 16, '0'))`

/** Tags hidden from users match only by their whole name. */
function tagged(operators: TextOperators, { indexingDate }: Snapshot): Sql {
  const isWhole = operators.value !== undefined || operators.values !== undefined
  const seen = isWhole ? sql`1` : sql`NOT startsWith(tag, ${hiddenTagPrefix})`
  return hasTagWhere(sql`(${exactText(sql`tag`, operators)}) AND ${seen}`, indexingDate)
}

const metadata = (key: string, operators: TextOperators): Sql =>
  sql`mapContains(metadata, ${key}) AND ${text(searchText(sql`metadata[${key}]`), operators)}`

function numberCondition({ field, operators }: Of<'long'>): Sql {
  switch (field) {
    case 'size':
    case 'allocatedSize': {
      const bytes = field === 'size' ? sql`size` : sql`allocated_size`
      return operators.value === unknownSize ? sql`${bytes} < 0` : number(bytes, operators, sql`${bytes} >= 0`)
    }
    case 'numberOfFiles':
      return number(sql`files`, operators, sql`is_directory`)
    case 'numberOfFolders':
      return number(sql`folders`, operators, sql`is_directory`)
    case 'inode':
      return number(sql`inode`, operators)
  }
}

function dateCondition({ field, operators }: Of<'date'>, snapshot: Snapshot): Sql {
  switch (field) {
    case 'creationDate':
      return all(between('created', operators, snapshot))
    case 'lastAccessDate':
      return all(between('last_used', operators, snapshot))
    case 'lastModifiedDate':
      return all(between('last_modified', operators, snapshot))
    case 'indexingDate': {
      const dayOf = (day: string | undefined) => day && dayOn(day, snapshot.indexingDate)
      const [after = '', before] = [dayOf(operators.after), dayOf(operators.before)]
      const scanned = snapshot.volumes.filter(
        ({ scannedOn }) => scannedOn >= after && (before === undefined || scannedOn < before),
      )
      return sql`volume IN ${typed(
        scanned.map(({ volumeId }) => volumeId),
        'Array(UInt32)',
      )}`
    }
  }
}

/** Bits of `st_mode`: 0o2 lets others write, 0o1000 is the sticky bit, and 0o120000 of 0o170000 a symbolic link. */
const isWorldWritable = sql`(bitAnd(mode, 2) != 0 AND bitAnd(mode, 61440) != 40960 AND NOT (is_directory AND bitAnd(mode, 512) != 0))`

const flags = {
  isDirectory: sql`is_directory`,
  isDeleted: sql`is_deleted`,
  isDupe: sql`is_copy`,
  isWorldWritable,
}
