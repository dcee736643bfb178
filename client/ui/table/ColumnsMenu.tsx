import { Button, Checkbox, Popover } from '@mantine/core'
import { useSnapshot } from 'valtio'
import type { Column } from './column.ts'
import type { ColumnChoiceState } from './columnChoice.state.ts'
import toggles from './DisplayToggles.module.css'
import classes from './ColumnsMenu.module.css'

type ColumnsMenuProps<T> = { columns: readonly Column<T>[]; choice: ColumnChoiceState }

/** Selects the columns of a list. */
export function ColumnsMenu<T>({ columns, choice }: ColumnsMenuProps<T>) {
  const { current } = useSnapshot(choice)
  const { shown, widths } = current
  const show = (key: string, isShown: boolean) =>
    choice.change({ widths: { ...widths }, shown: { ...shown, [key]: isShown } })
  return (
    <Popover position="bottom-end" withinPortal={false} trapFocus>
      <Popover.Target>
        <button type="button" className={toggles.toggle} aria-haspopup="dialog">
          Columns
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <div className={classes.columns}>
          {columns
            .filter(({ isTitleHidden, isFixed }) => !isTitleHidden && !isFixed)
            .map((column) => (
              <Checkbox
                key={column.key}
                label={column.title}
                checked={shown[column.key] ?? true}
                onChange={({ currentTarget }) => show(column.key, currentTarget.checked)}
              />
            ))}
          <Button variant="default" onClick={() => choice.change({ shown: {}, widths: {} })}>
            Reset columns
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
