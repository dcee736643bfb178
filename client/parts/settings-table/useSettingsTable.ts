import { useState } from 'react'
import type { Call, Endpoint } from '#events/contract/endpoint.ts'
import { useRemote } from '#client/app/remote.ts'
import type { EditTarget } from '#client/app/defineForm.ts'
import { useOpenedForm } from '#client/app/useOpenedForm.ts'
import { useFailureToast } from '#client/app/toasts/useFailureToast.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import type { Sort } from '#client/ui/table/column.ts'
import type { Page, Row, Rows, Secret, SettingsTable } from './declaration.ts'
import { choosePageSize, usePageSize } from './pageSize.state.ts'

/** Rows of a settings table, with sorting, paging, editing and deleting. */
export function useSettingsTable<T extends Row, D, N>(table: SettingsTable<T, D, N>) {
  const { paging, rows } = table
  const [sort, setSort] = useState<Sort | undefined>(table.sort)
  const [page, goTo] = useState(1)
  const size = usePageSize(paging?.key)
  const query = rows.query({ page, size, sort })
  const list = rowsRead(table, useRemote(rows.list, { query } as Call<Endpoint>, ...rows.topics))
  useFailureToast(table.isQuiet ? undefined : list.error, { group: 'settings tables' })
  const pages = Math.max(1, Math.ceil((list.data?.total ?? 0) / size))
  // Deleting may have removed the last page.
  if (list.data && page > pages) goTo(pages)
  const [edited, edit] = useOpenedForm<T>(table.adding?.isLinked ?? false)
  /** The last edited row, which gets the focus after its form closes. */
  const [lastEdited, setLastEdited] = useState<T>()
  const [deleting, setDeleting] = useState<T>()
  const [secret, showSecret] = useState<Secret>()
  return {
    list,
    sort,
    setSort,
    pages: {
      page,
      size,
      onPage: goTo,
      onSize: (size: number) => {
        if (paging) choosePageSize(paging.key, size)
        goTo(1)
      },
    },
    edited,
    edit,
    stopEditing: () => {
      setLastEdited(table.opens?.at === 'row' && edited !== 'new' ? edited : undefined)
      edit(undefined)
    },
    lastEdited,
    deleting,
    setDeleting,
    secret,
    showSecret,
    /** `created` is the response to adding a row. */
    saved: (created?: N) => {
      if (created !== undefined && table.secret) showSecret(table.secret(created))
      list.retry()
    },
  }
}

/** The loaded page, once the joined data has loaded too. */
export function rowsRead<T>(
  { rows, joined }: JoinedRows<T>,
  { data, error, loading, retry }: Loadable<unknown>,
): Loadable<Page<T>> {
  const isComplete = data !== undefined && (!joined || joined.data !== undefined)
  return {
    data: isComplete ? rows.pageOf(data) : undefined,
    error: error ?? joined?.error,
    loading: loading || (joined?.loading ?? false),
    retry: () => {
      retry()
      joined?.retry()
    },
  }
}
type JoinedRows<T> = { rows: Rows<T>; joined?: Loadable<unknown> }

export type TableState<T extends Row, N> = ReturnType<typeof useSettingsTable<T, unknown, N>>

/** The part of a table's state that its dialogs use. */
export type DialogState<T, N> = {
  edited: EditTarget<T> | undefined
  edit: (row: undefined) => void
  saved: (created?: N) => void
  deleting: T | undefined
  setDeleting: (row: undefined) => void
  list: { retry: () => void }
  secret: Secret | undefined
  showSecret: (secret: undefined) => void
}
