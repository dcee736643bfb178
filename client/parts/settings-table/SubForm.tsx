import { Button } from '@mantine/core'
import type { Fields } from '#client/app/defineForm.ts'
import { FormInputs } from './FormInputs.tsx'
import type { Row, TableCalls } from './declaration.ts'
import type { TableForm } from './form.ts'
import { useTableForm } from './useTableForm.ts'
import classes from './SettingsTable.module.css'

/** Table whose form is shown. */
export type SubFormTable = { form: TableForm<Row, unknown>; calls: TableCalls<Row, unknown, { id: number }> }

type SubFormProps = {
  table: SubFormTable
  /** Object it creates: "credentials". */
  what: string
  /** Values to begin with that differ from those of the table. */
  initial?: Fields | undefined
  onCreated: (id: number) => void
  onCancel: () => void
}

/** Adds a row of another table within a wizard. Its buttons replace those of the wizard. */
export function SubForm(props: SubFormProps) {
  const { table, what, initial, onCreated, onCancel } = props
  const added = (created: { id: number } | undefined) => created && onCreated(created.id)
  const { form, busy, submit } = useTableForm(table.form, table.calls, 'new', added, { initial })
  return (
    <form className={classes.subForm} onSubmit={submit} aria-label={`New ${what}`} noValidate>
      <FormInputs inputs={table.form.inputs} {...{ form, busy }} edited="new" />
      <div className="flex wrap end gap-8 top-8">
        <Button variant="default" onClick={onCancel} disabled={busy}>
          Cancel {what} creation
        </Button>
        <Button type="submit" loading={busy}>
          Create {what}
        </Button>
      </div>
    </form>
  )
}
