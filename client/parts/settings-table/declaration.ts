import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ChangeTopic } from '#events/changes.ts'
import type { Endpoint } from '#events/contract/endpoint.ts'
import type { RememberedKey } from '#client/ui/remembered.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import type { Column, Sort } from '#client/ui/table/column.ts'
import type { Fields } from '#client/app/defineForm.ts'
import type { Connection } from './connectionCheck.ts'
import type { InDialog, InRow, TableForm } from './form.ts'

/**
 * Fields of every row. `isPasswordLost` means that the secret was encrypted with another key than the server's current
 * one.
 */
export type Row = { id: number; isPasswordLost?: boolean }

/** Endpoint that lists rows, the topics that report changes, and the mapping of query and response. */
export type Rows<T> = {
  list: Endpoint
  topics: ChangeTopic[]
  query: (page: RowsQuery) => Record<string, unknown>
  pageOf: (answer: unknown) => Page<T>
}

/** Requested rows; without `sort` if the table can't be sorted. */
type RowsQuery = { page: number; size: number; sort: Sort | undefined }

export type Page<T> = { elements: T[]; total: number }

/**
 * A settings table: how its rows are loaded, shown, added, edited and deleted. `T` is a row, `D` is the draft that is sent, and `N` is the response to adding a row.
 */
export type SettingsTable<T extends Row, D = unknown, N = unknown> = {
  /** Accessible name. */
  label: string
  /** Data source; see `rowsOf`. */
  rows: Rows<T>
  /** Additional data that must load before rows are shown. */
  joined?: Loadable<unknown>
  /** Initial sort order; without it, the table can't be sorted. */
  sort?: Sort
  /** Without it there is a single page, for tables with few rows. */
  paging?: Paging
  /** `onDone` reloads the rows after an action in a cell. */
  columns: Column<T>[] | ((onDone: () => void) => Column<T>[])
  /** Many columns: titles may wrap to two lines, and actions stay visible. */
  isWide?: boolean
  /** Empty state; nothing is shown without it. */
  empty?: { icon: Icon; text: string }
  calls?: TableCalls<T, D, N>
  /** A failure to load the rows has no toast, only its text in their place. */
  isQuiet?: true
  /** Button that adds a row; `open` replaces the form. A link with `?add=` and this value opens the form too. */
  adding?: { label: string; open?: () => void; link?: string }
  /** Button that edits a row. */
  editing?: { label: (row: T) => string }
  form?: TableForm<T, D>
  /** Opens the form in a dialog, in place of the row, or in one of its cells. */
  opens?: InDialog<T> | InRow<T>
  /** Tries the connection that a row describes before its dialog saves it. In wizards, a step does. */
  connection?: Connection<Fields, T>
  deletion?: Deletion<T>
  /** Secret that is shown once after adding a row. */
  secret?: (created: N) => Secret
  /** Actions of a row in order, if there are more than edit and delete. */
  actions?: (row: T, buttons: RowButtons<N>) => ReactNode
  /** Content below the rows, next to the add button. */
  footer?: (rows: T[], onDone: () => void) => ReactNode
}

/** `words` are singular and plural of the rows. `key` stores the page size in the browser. */
type Paging = { words: [one: string, many: string]; key: RememberedKey }

export type TableCalls<T, D, N> = {
  create?(draft: D): Promise<N>
  update?(row: T, draft: D): Promise<unknown>
  remove?(row: T): Promise<unknown>
}

export type Deletion<T> = {
  /** Label of the row's button; also the title of the dialog unless `title` is given. */
  label: (row: T) => string
  title?: (row: T) => string
  /** Reason why this row can't be deleted. */
  whyNot?: (row: T) => string | false
  /** Verb and object: "Delete storage". */
  verb: string
  question: (row: T) => ReactNode
  /** Toast after the deletion. */
  deleted: (row: T) => string
  /** The dialog stays open if the server returns an error. */
  staysOnFailure?: boolean
}

/** A secret that the server doesn't store. */
export type Secret = { title: string; warning: string; content: ReactNode }

/** Standard buttons of a row. `onDone` reloads the rows after another action, and shows the secret of a created row. */
export type RowButtons<N = unknown> = { edit: ReactNode; remove: ReactNode; onDone: (created?: N) => void }
