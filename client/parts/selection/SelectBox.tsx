import { useSnapshot } from 'valtio'
import type { EntrySummary } from '#events/entries.ts'
import { type Selection, isSelected } from './selection.ts'
import classes from './Selection.module.css'

type SelectBoxProps<E> = { entry: E; selection: Selection; onSelect: (entry: E, isRange: boolean) => void }

/** Checkbox of a row. Shift selects all rows since the last selected one. */
export function SelectBox<E extends EntrySummary>({ entry, selection, onSelect }: SelectBoxProps<E>) {
  const isChecked = isSelected(useSnapshot(selection) as Selection, entry)
  return (
    <input
      type="checkbox"
      className={classes.box}
      aria-label={`Select ${entry.name}`}
      tabIndex={-1}
      checked={isChecked}
      onClick={({ shiftKey }) => onSelect(entry, shiftKey)}
      readOnly
    />
  )
}
