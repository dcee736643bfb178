import { Button, Checkbox, Popover } from '@mantine/core'
import type { ButtonHTMLAttributes, ReactElement } from 'react'
import { useSnapshot } from 'valtio'
import type { Column } from './column.ts'
import type { ColumnChoiceState } from './columnChoice.state.ts'

/** Columns, without their rows. */
type Columns = readonly Pick<Column<never>, 'key' | 'title' | 'isTitleHidden' | 'isFixed' | 'isOptional'>[]

export type ColumnsMenuProps = { columns: Columns; choice: ColumnChoiceState }

type MenuProps = ColumnsMenuProps & { button: ReactElement<ButtonHTMLAttributes<HTMLButtonElement>> }

/** Selects the columns of a list. */
export function ColumnsMenu({ button, columns, choice }: MenuProps) {
  const { current } = useSnapshot(choice)
  const { shown, widths } = current
  const show = (key: string, isShown: boolean) =>
    choice.change({ widths: { ...widths }, shown: { ...shown, [key]: isShown } })
  return (
    <Popover position="bottom-end" withinPortal={false} trapFocus>
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <div className="stack gap-8">
          {columns
            .filter(({ isTitleHidden, isFixed }) => !isTitleHidden && !isFixed)
            .map((column) => (
              <Checkbox
                key={column.key}
                label={column.title}
                checked={shown[column.key] ?? !column.isOptional}
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
