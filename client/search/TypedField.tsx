import { TextInput } from '@mantine/core'
import type { FilterForm } from './filterForm.ts'
import { type FilterName, filterLabels, wordOf } from './filterNames.ts'
import { faultOf } from './searchAddress.ts'
import { useTyped } from './useTyped.ts'

type TypedFieldProps = {
  form: FilterForm
  name: FilterName
  label?: string
  placeholder?: string
  isNumber?: boolean
  disabled?: boolean
}

/** A filter that is typed. */
export function TypedField({ form, name, label, placeholder, isNumber = false, disabled = false }: TypedFieldProps) {
  const give = (text: string) => form.set({ [name]: [text.trim()] })
  const { field, fault } = useTyped(wordOf(form.words, name), give, (text) => faultOf(name, text))
  return (
    <TextInput
      {...field}
      label={label ?? filterLabels[name]}
      placeholder={placeholder}
      disabled={disabled}
      inputMode={isNumber ? 'numeric' : undefined}
      error={fault ?? form.refused[name]}
    />
  )
}
