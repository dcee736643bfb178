import { z } from 'zod'
import { configurationKeys, type ConfigurationName } from '#events/configurations.ts'
import { defineForm } from '#client/app/defineForm.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { useSavedForm } from '#client/app/useSavedForm.ts'
import { FormInputs } from '#client/parts/settings-table/FormInputs.tsx'
import { FormDialog } from '#client/ui/form/FormDialog.tsx'
import { DialogForm } from '#client/ui/form/DialogForm.tsx'

/** Input of a configuration entry. */
export type ConnectionInput = { name: ConfigurationName; label: string; description?: string; placeholder?: string }

/** `isOptional`: an empty text keeps the stored value. */
type EditedInput = ConnectionInput & { value: string; isSecret?: true; isOptional?: true }
type ConnectionDialogProps = {
  opened: boolean
  title: string
  /** Label of the submit button. */
  saves: string
  inputs: EditedInput[]
  save: (values: Partial<Record<ConfigurationName, string>>) => Promise<void>
  onClose: () => void
}

/** Changes configuration entries of a connection. */
export function ConnectionDialog({ opened, title, ...props }: ConnectionDialogProps) {
  return (
    <FormDialog opened={opened} onClose={props.onClose} title={title}>
      {opened && <Form {...props} />}
    </FormDialog>
  )
}

/** A name with dots would be read as a path within the form. */
const fieldOf = (name: ConfigurationName): string => name.replaceAll('.', '_')

const formOf = (inputs: EditedInput[]) =>
  defineForm<Record<string, string>, Record<string, string>>({
    schema: z.object(Object.fromEntries(inputs.map(({ name }) => [fieldOf(name), configurationKeys[name].check]))),
    fields: Object.fromEntries(inputs.map(({ name, value }) => [fieldOf(name), value])),
    toDraft: (fields) => fields,
    inputFor: Object.fromEntries(inputs.map(({ name }) => [name, fieldOf(name)])),
  })

function Form({ inputs, saves, save, onClose }: Omit<ConnectionDialogProps, 'opened' | 'title'>) {
  const { form, busy, submit } = useSavedForm({
    form: formOf(inputs),
    save: async (fields) => {
      const values = inputs.map(({ name, isOptional }) => ({ name, isOptional, value: fields[fieldOf(name)] ?? '' }))
      const given = values.filter(({ value, isOptional }) => value !== '' || !isOptional)
      await save(Object.fromEntries(given.map(({ name, value }) => [name, value])))
      onClose()
      toast({ kind: 'success', message: 'The configurations were updated.' }, 8_000)
    },
  })
  const drawn = inputs.map(({ name, value: _, isSecret, isOptional: __, ...input }) => ({
    ...input,
    name: fieldOf(name),
    ...(isSecret && { kind: 'secret' as const }),
  }))
  return (
    <DialogForm onSubmit={submit} busy={busy} saves={saves} onClose={onClose}>
      <FormInputs inputs={drawn} {...{ form, busy }} edited="new" />
    </DialogForm>
  )
}
