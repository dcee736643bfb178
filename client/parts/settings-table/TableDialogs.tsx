import type { ComponentProps } from 'react'
import type { EditTarget, Fields } from '#client/app/defineForm.ts'
import { ConfirmDeletion } from '#client/parts/deletion/ConfirmDeletion.tsx'
import { FormDialog } from '#client/ui/form/FormDialog.tsx'
import { DialogForm } from '#client/ui/form/DialogForm.tsx'
import type { Deletion, Row, SettingsTable, TableCalls } from './declaration.ts'
import type { InDialog, TableForm } from './form.ts'
import { FormInputs } from './FormInputs.tsx'
import { SecretDialog } from './SecretDialog.tsx'
import type { DialogState } from './useSettingsTable.ts'
import { useTableForm } from './useTableForm.ts'
import classes from './SettingsTable.module.css'

type TableDialogsProps<T extends Row, D, N> = {
  table: SettingsTable<T, D, N>
  state: DialogState<T, N>
}

/** Dialogs of a table: add, edit, confirm deletion, and show a secret once. */
export function TableDialogs<T extends Row, D, N>({ table, state }: TableDialogsProps<T, D, N>) {
  const { form, opens, deletion, secret } = table
  return (
    <>
      {form && opens?.at === 'dialog' && <TableFormDialog {...{ table, form, opens, state }} />}
      {deletion && <DeletionDialog deletion={deletion} remove={table.calls?.remove} state={state} />}
      {secret && <SecretDialog secret={state.secret} onClose={() => state.showSecret(undefined)} />}
    </>
  )
}

function TableFormDialog<T extends Row, D, N>(props: TableDialogsProps<T, D, N> & FormOfRow<T, D>) {
  const { table, state, form, opens } = props
  const { calls = {}, connection } = table
  return (
    <RowDialog
      {...{ form, opens, calls, connection }}
      edited={state.edited}
      onClose={() => state.edit(undefined)}
      onSaved={state.saved}
    />
  )
}

type FormOfRow<T, D> = { form: TableForm<T, D>; opens: InDialog<T> }

type RowDialogProps<T extends Row, D, N> = FormOfRow<T, D> & {
  calls: TableCalls<T, D, N>
  connection?: SettingsTable<T, D, N>['connection'] | undefined
  /** The row to edit; the dialog is closed without one. */
  edited: EditTarget<T> | undefined
  /** Values that differ from those of the form. */
  initial?: Fields
  onClose: () => void
  /** Receives the response to adding a row. */
  onSaved: (created: N | undefined) => void
}

/** Dialog that adds or edits a row. */
export function RowDialog<T extends Row, D, N>({ edited, ...props }: RowDialogProps<T, D, N>) {
  const { opens, onClose } = props
  return (
    <FormDialog
      opened={edited !== undefined}
      onClose={onClose}
      title={opens.title(edited ?? 'new')}
      size={opens.size ?? 'S'}
    >
      {edited && <Form {...props} edited={edited} />}
    </FormDialog>
  )
}

function Form<T extends Row, D, N>(props: RowDialogProps<T, D, N> & { edited: EditTarget<T> }) {
  const { opens, calls, connection, edited, initial, onClose, onSaved } = props
  const saved = (created: N | undefined) => {
    onSaved(created)
    onClose()
  }
  const { form, busy, submit, saveAnyway } = useTableForm(props.form, calls, edited, saved, { initial, connection })
  return (
    <DialogForm
      onSubmit={submit}
      busy={busy}
      saves={opens.saves(edited)}
      disabled={props.form.isComplete?.(form.values) === false}
      saveAnyway={saveAnyway}
      beside={opens.beside?.({ form, busy, edited })}
      onClose={onClose}
    >
      <Inputs inputs={props.form.inputs} right={opens.right} {...{ form, busy, edited }} />
      {props.form.extra?.(form.values)}
    </DialogForm>
  )
}

type InputsProps<T> = ComponentProps<typeof FormInputs<T>> & { right: readonly string[] | undefined }

/** Inputs below each other, or in two columns. */
function Inputs<T>({ inputs, right, ...state }: InputsProps<T>) {
  if (!right) return <FormInputs inputs={inputs} {...state} />
  const isRight = ({ name }: { name: string }) => right.includes(name)
  const isFocusRight = inputs.some((input) => isRight(input) && input.takesFocus)
  return (
    <div className={classes.sides}>
      <div className={classes.side}>
        <FormInputs inputs={inputs.filter((input) => !isRight(input))} {...state} takesFocus={!isFocusRight} />
      </div>
      <div className={classes.side}>
        <FormInputs inputs={inputs.filter(isRight)} {...state} takesFocus={isFocusRight} />
      </div>
    </div>
  )
}

type DeletionDialogProps<T extends Row, N> = {
  deletion: Deletion<T>
  remove: ((row: T) => Promise<unknown>) | undefined
  state: DialogState<T, N>
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
