import { InlineForm } from '#client/ui/form/InlineForm.tsx'
import { InlineFormButton } from '#client/ui/form/InlineFormButton.tsx'
import type { EditTarget } from '#client/app/defineForm.ts'
import { FormInputs } from './FormInputs.tsx'
import type { Row, SettingsTable } from './declaration.ts'
import type { InRow, TableForm } from './form.ts'
import type { TableState } from './useSettingsTable.ts'
import { useTableForm } from './useTableForm.ts'

/** A form that opens inside the table. */
type InlineTableForm<T, D> = { form: TableForm<T, D>; opens: InRow<T> }

/** The table's form if it opens inside the table. */
export const inlineFormOf = <T extends Row, D, N>({ form, opens }: SettingsTable<T, D, N>) =>
  form && opens && opens.at !== 'dialog' ? { form, opens } : undefined

type InlineProps<T extends Row, D, N> = InlineTableForm<T, D> & {
  table: SettingsTable<T, D, N>
  state: TableState<T, N>
}

/** Button below the rows that adds a row, and is replaced by the form. */
export const AddInline = <T extends Row, D, N>(props: InlineProps<T, D, N>) => (
  <div className="inset-line">
    <InlineFormButton label={props.table.adding?.label ?? ''}>
      {(close) => <Inline {...props} edited="new" onClose={close} />}
    </InlineFormButton>
  </div>
)

/** Form for a row, or for a cell of it. */
export const EditInline = <T extends Row, D, N>(props: InlineProps<T, D, N> & { row: T }) => (
  <Inline {...props} edited={props.row} onClose={props.state.stopEditing} />
)

type FormProps<T extends Row, D, N> = InlineProps<T, D, N> & {
  edited: EditTarget<T>
  onClose: () => void
}

function Inline<T extends Row, D, N>({ table, state, edited, onClose, ...props }: FormProps<T, D, N>) {
  const { opens } = props
  const { form, busy, submit } = useTableForm(props.form, table.calls ?? {}, edited, (created) => {
    state.saved(created)
    onClose()
  })
  return (
    <InlineForm adds={edited === 'new'} words={opens.words(edited)} busy={busy} onSubmit={submit} onClose={onClose}>
      <FormInputs inputs={props.form.inputs} {...{ form, busy, edited }} labelOf={opens.labelOf} />
    </InlineForm>
  )
}
