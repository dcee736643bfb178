import { NativeSelect } from '@mantine/core'
import type { Sort } from '#client/ui/table/column.ts'
import classes from './Results.module.css'

const presets: readonly (readonly [label: string, sort: Sort])[] = [
  ['Largest', { field: 'size', direction: 'desc' }],
  ['Newest', { field: 'lastModified', direction: 'desc' }],
  ['Oldest', { field: 'lastModified', direction: 'asc' }],
]
const labelOf = (sort: Sort): string =>
  presets.find(([, { field, direction }]) => field === sort.field && direction === sort.direction)?.[0] ?? 'Custom'

/** Common orders of the results. */
export function SortPresets({ sort, onSort }: { sort: Sort; onSort: (sort: Sort) => void }) {
  const chosen = labelOf(sort)
  const labels = [...presets.map(([label]) => label), ...(chosen === 'Custom' ? [chosen] : [])]
  return (
    <NativeSelect
      size="xs"
      className={classes.order}
      aria-label="Order"
      data={labels}
      value={chosen}
      onChange={({ currentTarget }) => {
        const preset = presets.find(([label]) => label === currentTarget.value)
        if (preset) onSort(preset[1])
      }}
    />
  )
}
