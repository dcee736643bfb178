import type { ComponentProps } from 'react'
import type { EditTarget } from '#client/app/defineForm.ts'
import { ConfirmDeletion } from '#client/parts/deletion/ConfirmDeletion.tsx'
import { FormDialog } from '#client/ui/form/FormDialog.tsx'
import { DialogForm } from '#client/ui/form/DialogForm.tsx'
import type { Deletion, Row, SettingsTable } from './declaration.ts'
import type { InDialog, TableForm } from './form.ts'
import { FormInputs } from './FormInputs.tsx'
import { SecretDialog } from './SecretDialog.tsx'
import type { TableState } from './useSettingsTable.ts'
import { useTableForm } from './useTableForm.ts'
import classes from './SettingsTable.module.css'

type TableDialogsProps<T extends Row, D, N> = {
  table: SettingsTable<T, D, N>
  state: TableState<T, N>
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

type TableFormDialogProps<T extends Row, D, N> = TableDialogsProps<T, D, N> & {
  form: TableForm<T, D>
  opens: InDialog<T>
}

function TableFormDialog<T extends Row, D, N>(props: TableFormDialogProps<T, D, N>) {
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

function Form<T extends Row, D, N>(props: TableFormDialogProps<T, D, N> & { edited: EditTarget<T> }) {
  const { table, opens, state, edited } = props
  const close = () => state.edit(undefined)
  const saved = (created: N | undefined) => {
    state.saved(created)
    close()
  }
  const { calls = {}, connection } = table
  const { form, busy, submit, saveAnyway } = useTableForm(props.form, calls, edited, saved, { connection })
  return (
    <DialogForm
      onSubmit={submit}
      busy={busy}
      saves={opens.saves(edited)}
      disabled={props.form.isComplete?.(form.values) === false}
      saveAnyway={saveAnyway}
      isLong={opens.right !== undefined}
      onClose={close}
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
  return (
    <div className={classes.sides}>
      <div className={classes.side}>
        <FormInputs inputs={inputs.filter((input) => !isRight(input))} {...state} />
      </div>
      <div className={classes.side}>
        <FormInputs inputs={inputs.filter(isRight)} {...state} takesFocus={false} />
      </div>
    </div>
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
