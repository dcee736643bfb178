import { Checkbox } from '@mantine/core'
import classes from './StorageSizesCard.module.css'

type KindCheckboxProps = { kind: string; chosen: number; all: number; onChoose: (isChosen: boolean) => void }

/** Chooses all storages of a kind at once. */
export function KindCheckbox({ kind, chosen, all, onChoose }: KindCheckboxProps) {
  return (
    <div className={classes.head}>
      <Checkbox
        label={kind}
        aria-label={`Select all: ${kind}`}
        checked={chosen === all}
        indeterminate={chosen > 0 && chosen < all}
        onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
      />
      <span aria-hidden>Used</span>
      <span aria-hidden className={classes.filesHead}>
        Files
      </span>
    </div>
  )
}
