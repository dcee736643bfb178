import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { focus } from '#client/ui/form/focus.ts'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import type { Column } from '#client/ui/table/column.ts'
import { DataTable } from '#client/ui/table/DataTable.tsx'
import { Pagination } from '#client/parts/pagination/Pagination.tsx'
import { EditAction, RemoveAction, RowActions } from '#client/ui/table/RowActions.tsx'
import type { Row, SettingsTable } from './declaration.ts'
import { AddInline, EditInline, inlineFormOf } from './InlineForms.tsx'
import { pageSizes } from './pageSize.state.ts'
import type { TableState } from './useSettingsTable.ts'
import classes from './SettingsTable.module.css'

type TableRowsProps<T extends Row, D, N> = {
  table: SettingsTable<T, D, N>
  state: TableState<T, N>
  rows: T[]
  total: number
}

/** Rows of a settings table with actions, an add button and pagination. */
export function TableRows<T extends Row, D, N>({ total, ...props }: TableRowsProps<T, D, N>) {
  const { table, state } = props
  const { isWide, paging, adding } = table
  const inline = inlineFormOf(table)
  return (
    <>
      <div className={isWide ? classes.wide : undefined}>
        <Rows {...props} />
      </div>
      {inline && adding && <AddInline table={table} state={state} {...inline} />}
      {paging && total > pageSizes[0] && (
        <Pagination nouns={paging.words} total={total} sizes={pageSizes} isWhole isAlone {...state.pages} />
      )}
    </>
  )
}

type RowsProps<T extends Row, D, N> = Omit<TableRowsProps<T, D, N>, 'total'>

function Rows<T extends Row, D, N>({ table, state, rows }: RowsProps<T, D, N>) {
  const { label, empty } = table
  const footer = table.footer?.(rows, () => state.saved())
  const add = addButton(table, () => state.edit('new'))
  return (
    <DataTable
      label={label}
      columns={[...columnsOf(table, state), ...actionColumn(table, state)]}
      rows={rows}
      rowKey={({ id }) => id}
      {...(state.sort && { sort: state.sort, onSort: state.setSort })}
      instead={rowForm(table, state)}
      empty={
        empty && (
          <Notice icon={empty.icon} step={add}>
            {empty.text}
          </Notice>
        )
      }
      footer={
        (add || footer) && (
          <>
            {add}
            {footer}
          </>
        )
      }
    />
  )
}

/** Button that opens the form or wizard for a new row. Inline forms have their own button. */
function addButton<T extends Row, D, N>(table: SettingsTable<T, D, N>, edit: () => void) {
  const { adding } = table
  if (!adding || inlineFormOf(table)) return undefined
  return (
    <Button leftSection={<IconPlus size={16} stroke={1.5} />} variant="default" onClick={adding.open ?? edit}>
      {adding.label}
    </Button>
  )
}

/** Form that replaces the edited row. */
function rowForm<T extends Row, D, N>(table: SettingsTable<T, D, N>, state: TableState<T, N>) {
  const inline = inlineFormOf(table)
  const { edited } = state
  if (inline?.opens.at !== 'row' || edited === undefined || edited === 'new') return undefined
  return { key: edited.id, content: <EditInline row={edited} {...{ table, state, ...inline }} /> }
}

/** Declared columns. An edited cell contains a form. */
function columnsOf<T extends Row, D, N>(table: SettingsTable<T, D, N>, state: TableState<T, N>): Column<T>[] {
  const inline = inlineFormOf(table)
  const { edited } = state
  const columns = typeof table.columns === 'function' ? table.columns(() => state.saved()) : table.columns
  if (!inline || inline.opens.at === 'row' || edited === undefined || edited === 'new') return columns
  const { cell: key } = inline.opens.at
  const cell = (column: Column<T>) => (row: T) =>
    row.id === edited.id ? <EditInline row={row} {...{ table, state, ...inline }} /> : column.cell(row)
  return columns.map((column) => (column.key === key ? { ...column, cell: cell(column) } : column))
}

/** Last column with the actions of a row. */
function actionColumn<T extends Row, D, N>(table: SettingsTable<T, D, N>, state: TableState<T, N>): Column<T>[] {
  const { editing, deletion, actions } = table
  const { lastEdited, edit, setDeleting, saved } = state
  if (!editing && !deletion && !actions) return []
  const buttonsOf = (row: T) => ({
    edit: editing && (
      <EditAction ref={lastEdited?.id === row.id ? focus : null} label={editing.label(row)} onClick={() => edit(row)} />
    ),
    remove: deletion && (
      <RemoveAction
        label={deletion.label(row)}
        whyNot={deletion.whyNot?.(row) ?? false}
        onClick={() => setDeleting(row)}
      />
    ),
    onDone: saved,
  })
  const cell = (row: T) => {
    const buttons = buttonsOf(row)
    if (actions) return <RowActions>{actions(row, buttons)}</RowActions>
    return (
      <RowActions>
        {buttons.edit}
        {buttons.remove}
      </RowActions>
    )
  }
  return [{ key: 'action', title: 'Action', align: 'right', cell }]
}
