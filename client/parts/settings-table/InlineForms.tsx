import { InlineForm } from '#client/ui/form/InlineForm.tsx'
import { InlineFormButton } from '#client/ui/form/InlineFormButton.tsx'
import type { EditTarget, Fields } from '#client/app/defineForm.ts'
import { FormInputs } from './FormInputs.tsx'
import type { Row, SettingsTable } from './declaration.ts'
import type { InRow, TableForm } from './form.ts'
import type { TableState } from './useSettingsTable.ts'
import { useTableForm } from './useTableForm.ts'

/** A form that opens inside the table. */
export type InlineTableForm<T, F, D> = TableForm<T, F, D> & { opens: InRow<T> }

/** The table's form if it opens inside the table. */
export const inlineFormOf = <T extends Row, F extends Fields, D, N>({ form }: SettingsTable<T, F, D, N>) =>
  form && form.opens.at !== 'dialog' ? (form as InlineTableForm<T, F, D>) : undefined

type InlineProps<T extends Row, F extends Fields, D, N> = {
  table: SettingsTable<T, F, D, N>
  form: InlineTableForm<T, F, D>
  state: TableState<T, N>
}

/** Button below the rows that adds a row, and is replaced by the form. */
export const AddInline = <T extends Row, F extends Fields, D, N>(props: InlineProps<T, F, D, N>) => (
  <div className="inset-line">
    <InlineFormButton label={props.table.adding?.label ?? ''}>
      {(close) => <Inline {...props} edited="new" onClose={close} />}
    </InlineFormButton>
  </div>
)

/** Form for a row, or for a cell of it. */
export const EditInline = <T extends Row, F extends Fields, D, N>(props: InlineProps<T, F, D, N> & { row: T }) => (
  <Inline {...props} edited={props.row} onClose={props.state.stopEditing} />
)

type FormProps<T extends Row, F extends Fields, D, N> = InlineProps<T, F, D, N> & {
  edited: EditTarget<T>
  onClose: () => void
}

function Inline<T extends Row, F extends Fields, D, N>({
  table,
  state,
  edited,
  onClose,
  ...props
}: FormProps<T, F, D, N>) {
  const { opens, inputs } = props.form
  const { form, busy, submit } = useTableForm(props.form, table.calls ?? {}, edited, (created) => {
    state.saved(created)
    onClose()
  })
  return (
    <InlineForm adds={edited === 'new'} words={opens.words(edited)} busy={busy} onSubmit={submit} onClose={onClose}>
      <FormInputs {...{ inputs, form, busy, edited }} labelOf={opens.labelOf} />
    </InlineForm>
  )
}
