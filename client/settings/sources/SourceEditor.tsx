import type { Call, Endpoint } from '#events/contract/endpoint.ts'
import type { StorageField } from '#client/app/links.ts'
import { useRemote } from '#client/app/remote.ts'
import { useFailureToast } from '#client/app/toasts/useFailureToast.ts'
import type { Row } from '#client/parts/settings-table/declaration.ts'
import { withFocusOn } from '#client/parts/settings-table/form.ts'
import { TableDialogs } from '#client/parts/settings-table/TableDialogs.tsx'
import { rowsRead } from '#client/parts/settings-table/useSettingsTable.ts'
import type { SourceTable } from './sourceTable.tsx'

export type EditorProps = {
  /** Id of the storage. */
  volumeId: number
  action: 'edit' | 'delete'
  /** Field of the form that has the focus. */
  at?: StorageField | undefined
  onClose: () => void
}

type SourceEditorProps<T extends Row, D, N> = EditorProps & { table: SourceTable<T, D, N> }

/** Dialog that edits or deletes a storage, outside of the table of its kind. */
export function SourceEditor<T extends Row, D, N>({
  table,
  volumeId,
  action,
  at,
  onClose,
}: SourceEditorProps<T, D, N>) {
  const { rows, form, storageOf } = table
  // Users set up fewer storages of a kind than one page has.
  const query = rows.query({ page: 1, size: 500, sort: undefined })
  const { data, error } = rowsRead(table, useRemote(rows.list, { query } as Call<Endpoint>, ...rows.topics))
  useFailureToast(error, { group: 'settings tables' })
  const row = data?.elements.find((row) => storageOf(row) === volumeId)
  const isEdited = action === 'edit'
  return (
    <TableDialogs
      table={form && at ? { ...table, form: { ...form, inputs: withFocusOn(form.inputs, [at]) } } : table}
      state={{
        edited: isEdited ? row : undefined,
        edit: onClose,
        saved: onClose,
        deleting: isEdited ? undefined : row,
        setDeleting: onClose,
        list: { retry: onClose },
        secret: undefined,
        showSecret: onClose,
      }}
    />
  )
}
