import type { ReactNode } from 'react'
import { Card } from '#client/ui/Card.tsx'
import { RemoteContent } from '#client/ui/feedback/RemoteContent.tsx'
import { countText } from '#client/ui/text/count.ts'
import type { Row, SettingsTable as Declaration } from './declaration.ts'
import { TableDialogs } from './TableDialogs.tsx'
import { TableRows } from './TableRows.tsx'
import { useSettingsTable } from './useSettingsTable.ts'
import classes from './SettingsTable.module.css'

type SettingsSectionProps<T extends Row, D, N> = {
  title: string
  table: Declaration<T, D, N>
  /** Makes the section collapsible; the value is its initial state. */
  folds?: 'open' | 'closed'
  /** Content above the rows. */
  intro?: ReactNode
  /** Content below the rows, such as a second table. */
  children?: ReactNode
}

/** A settings section: a card with a table, and the number of rows in its title. */
export function SettingsSection<T extends Row, D, N>(props: SettingsSectionProps<T, D, N>) {
  const { title, table, folds, intro, children } = props
  const state = useSettingsTable(table)
  const { list } = state
  return (
    <>
      <Card title={title} note={list.data && countText(list.data.total)} remote={list} {...(folds && { folds })}>
        {({ elements, total }) => (
          <>
            {intro}
            <TableRows table={table} state={state} rows={elements} total={total} />
            {children}
          </>
        )}
      </Card>
      <TableDialogs table={table} state={state} />
    </>
  )
}

/** A table within a section, such as credentials. */
export function SettingsTable<T extends Row, D, N>({ table }: { table: Declaration<T, D, N> }) {
  const state = useSettingsTable(table)
  return (
    <>
      <RemoteContent remote={state.list}>
        {({ elements, total }) => <TableRows table={table} state={state} rows={elements} total={total} />}
      </RemoteContent>
      <TableDialogs table={table} state={state} />
    </>
  )
}

/** Heading of one of several tables in a section. */
export const TableTitle = ({ children }: { children: string }) => <h3 className={classes.part}>{children}</h3>

/** Introduction above the rows. */
export const TableIntro = ({ children }: { children: ReactNode }) => <p className={classes.intro}>{children}</p>
