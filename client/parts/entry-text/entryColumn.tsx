import { entryFields, type FieldsWith, rowOf } from '#events/entries/fields.ts'
import type { EntrySummary } from '#events/entries.ts'
import type { Column } from '#client/ui/table/column.ts'
import { parentOf } from '#client/ui/text/path.ts'
import { Count } from '#client/ui/values/Count.tsx'
import { Moment } from '#client/ui/values/Moment.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { EntryPath } from './EntryPath.tsx'

/** Fields that rows of lists have, with a label. */
export type ListedField = Extract<FieldsWith<{ listed: true; label: string }>, keyof EntrySummary>

/** The value of a field in a list. */
export function fieldCell(field: ListedField, entry: EntrySummary) {
  const value = entry[field]
  switch (entryFields[field].kind) {
    case 'moment':
    case 'folderMoment':
      return <Moment at={value as string | null} />
    case 'bytes':
      return <Size bytes={Number(value)} />
    case 'count':
      return value !== null && <Count of={Number(value)} />
    case 'text':
      return <span title={String(value)}>{String(value)}</span>
    default:
      return String(value)
  }
}

/** The column of a field in lists of entries. The path is shown as the folder. Tables with `wideOnly` columns have no fixed widths. */
export function entryColumn<Row extends EntrySummary = EntrySummary>(
  field: ListedField,
  options: Partial<Column<Row>> = {},
): Column<Row> {
  const { kind, label = '', title = label, sorts = false } = rowOf(field)
  const isNumber = kind === 'bytes' || kind === 'count'
  const isPath = field === 'path'
  return {
    key: field,
    title: isPath ? 'Folder' : title,
    sortable: sorts,
    ...(kind === 'moment' && !options.wideOnly && { width: 'var(--moment)' }),
    ...(isNumber && { align: 'right' }),
    cell: (entry) => (isPath ? <EntryPath path={parentOf(entry.fullPath)} /> : fieldCell(field, entry)),
    ...options,
  }
}
