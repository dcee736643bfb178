import type { Icon } from '@tabler/icons-react'
import type { ComponentType, ReactNode } from 'react'
import type { ChangeTopic } from '#events/changes.ts'
import type { Endpoint } from '#events/contract/endpoint.ts'
import type { RememberedKey } from '#client/ui/remembered.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import type { Column, Sort } from '#client/ui/table/column.ts'
import type { Fields, TableForm } from './form.ts'

/** What every row has. One whose secret was sealed with another key than the server has now has lost it. */
export type Row = { id: number; isPasswordLost?: boolean }

/** The call that lists rows, the topic that says when they changed, and how both ends of the call are understood. */
export type Rows<T> = {
  list: Endpoint
  topic: ChangeTopic
  query: (page: RowsQuery) => Record<string, unknown>
  pageOf: (answer: unknown) => Page<T>
}

/** Which rows are read; what cannot be sorted has no sort. */
export type RowsQuery = { page: number; size: number; sort: Sort | undefined }

export type Page<T> = { elements: T[]; total: number }

/**
 * A settings table: how its rows are read, shown, added, edited and deleted. `T` is a row, `F` are the fields of its form, `D`
 * is the draft that is sent, and `N` what the server answers when a row was added.
 */
export type SettingsTable<T extends Row, F extends Fields = Fields, D = unknown, N = unknown> = {
  /** What it is called for those who hear it. */
  label: string
  /** How they are read; `rowsOf` makes it of the call that lists them. */
  rows: Rows<T>
  /** What the rows are joined with: none are shown before it is read. */
  joined?: Loadable<unknown>
  /** How it is sorted at first; without it, it cannot be sorted. */
  sort?: Sort
  /** Without it there is one page, of as many rows as are set up by hand. */
  paging?: Paging
  columns: Column<T>[]
  /** Many columns: their titles may take two lines, and the actions stay in sight. */
  isWide?: boolean
  /** What stands where there are no rows; without it nothing does. */
  empty?: { icon: Icon; text: string }
  calls?: TableCalls<T, D, N>
  /** The button that adds a row, and what it opens where that is not the form. */
  adding?: { label: string; open?: () => void }
  /** The button that edits a row, and the dialog that does where that is not the form. */
  editing?: { label: (row: T) => string; Dialog?: ComponentType<EditDialogProps<T>> }
  form?: TableForm<T, F, D>
  deletion?: Deletion<T>
  /** What is shown once of a row that was added. */
  secret?: (created: N) => Secret
  /** All actions of a row in their order, where there are more than to edit and to delete it. */
  actions?: (row: T, buttons: RowButtons<N>) => ReactNode
  /** What stands below the rows, beside the button that adds one. */
  footer?: (rows: T[], onDone: () => void) => ReactNode
}

/** `words` are what a row and rows are called; `key` is where the browser remembers how many of them a page has. */
export type Paging = { words: [one: string, many: string]; key: RememberedKey }

export type TableCalls<T, D, N> = {
  create?: (draft: D) => Promise<N>
  update?: (id: number, draft: D) => Promise<unknown>
  remove?: (row: T) => Promise<unknown>
}

export type EditDialogProps<T> = { edited: T | undefined; onClose: () => void; onSaved: () => void }

export type Deletion<T> = {
  /** The button of the row, and the title of the question where that is not said apart. */
  label: (row: T) => string
  title?: (row: T) => string
  /** Why this row cannot be deleted. */
  whyNot?: (row: T) => string | false
  /** The verb and the object: "Delete storage". */
  verb: string
  question: (row: T) => ReactNode
  /** What is said when it is gone. */
  deleted: (row: T) => string
  /** Whether the question stays when the server refuses. */
  staysOnFailure?: boolean
}

/** What the server does not keep. */
export type Secret = { title: string; warning: string; content: ReactNode }

/** The buttons that every row has; `onDone` reads the rows anew after another one, and shows the secret that came of it. */
export type RowButtons<N> = { edit: ReactNode; remove: ReactNode; onDone: (created?: N) => void }
