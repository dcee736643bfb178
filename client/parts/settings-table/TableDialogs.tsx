import type { EditTarget, Fields } from '#client/app/defineForm.ts'
import { ConfirmDeletion } from '#client/parts/deletion/ConfirmDeletion.tsx'
import { FormDialog } from '#client/ui/form/FormDialog.tsx'
import { DialogForm } from '#client/ui/form/DialogForm.tsx'
import type { Deletion, Row, SettingsTable } from './declaration.ts'
import type { InDialog, TableForm } from './form.ts'
import { FoldedInputs } from './FoldedInputs.tsx'
import { FormInputs } from './FormInputs.tsx'
import { SecretDialog } from './SecretDialog.tsx'
import type { TableState } from './useSettingsTable.ts'
import { useTableForm } from './useTableForm.ts'

type TableDialogsProps<T extends Row, F extends Fields, D, N> = {
  table: SettingsTable<T, F, D, N>
  state: TableState<T, N>
}

/** Dialogs of a table: add, edit, confirm deletion, and show a secret once. */
export function TableDialogs<T extends Row, F extends Fields, D, N>({ table, state }: TableDialogsProps<T, F, D, N>) {
  const { form, editing, deletion, secret } = table
  const Own = editing?.Dialog
  const { edited, edit } = state
  return (
    <>
      {Own && (
        <Own
          edited={edited === 'new' ? undefined : edited}
          onClose={() => edit(undefined)}
          onSaved={() => state.saved(undefined)}
        />
      )}
      {form?.opens.at === 'dialog' && <TableFormDialog table={table} form={form} opens={form.opens} state={state} />}
      {deletion && <DeletionDialog deletion={deletion} remove={table.calls?.remove} state={state} />}
      {secret && <SecretDialog secret={state.secret} onClose={() => state.showSecret(undefined)} />}
    </>
  )
}

type TableFormDialogProps<T extends Row, F extends Fields, D, N> = TableDialogsProps<T, F, D, N> & {
  form: TableForm<T, F, D>
  opens: InDialog<T>
}

function TableFormDialog<T extends Row, F extends Fields, D, N>(props: TableFormDialogProps<T, F, D, N>) {
  const { opens, state } = props
  const { edited, edit } = state
  return (
    <FormDialog
      opened={edited !== undefined}
      onClose={() => edit(undefined)}
      title={opens.title(edited ?? 'new')}
      size={opens.size ?? 'S'}
    >
      {edited && <Form {...props} edited={edited} />}
    </FormDialog>
  )
}

function Form<T extends Row, F extends Fields, D, N>(
  props: TableFormDialogProps<T, F, D, N> & { edited: EditTarget<T> },
) {
  const { table, opens, state, edited } = props
  const close = () => state.edit(undefined)
  const saved = (created: N | undefined) => {
    state.saved(created)
    close()
  }
  const { calls = {}, connection } = table
  const { form, busy, submit, saveAnyway } = useTableForm(props.form, calls, edited, saved, { connection })
  return (
    <DialogForm onSubmit={submit} busy={busy} saves={opens.saves(edited)} saveAnyway={saveAnyway} onClose={close}>
      <FormInputs inputs={props.form.inputs} {...{ form, busy, edited }} />
      {props.form.folded && <FoldedInputs folded={props.form.folded} {...{ form, busy, edited }} />}
      {props.form.extra?.(form.values)}
    </DialogForm>
  )
}

type DeletionDialogProps<T extends Row, N> = {
  deletion: Deletion<T>
  remove: ((row: T) => Promise<unknown>) | undefined
  state: TableState<T, N>
}

function DeletionDialog<T extends Row, N>({ deletion, remove, state }: DeletionDialogProps<T, N>) {
  const { label, title = label, verb, question, deleted, staysOnFailure = false } = deletion
  const row = state.deleting
  const close = () => state.setDeleting(undefined)
  return (
    <ConfirmDeletion
      deleting={row}
      title={row ? title(row) : ''}
      verb={verb}
      remove={async (row) => {
        const removing = remove?.(row)
        await (staysOnFailure ? removing : removing?.finally(close))
      }}
      deletedText={deleted}
      onClose={close}
      onDeleted={state.list.retry}
    >
      {row && question(row)}
    </ConfirmDeletion>
  )
}
