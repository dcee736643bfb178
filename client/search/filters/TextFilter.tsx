import { TextInput } from '@mantine/core'
import { filterError } from '#client/search/searchAddress.ts'
import type { FilterForm } from './filterForm.ts'
import { type FilterName, filterLabels, paramOf } from './filterNames.ts'
import { useDebouncedInput } from './useDebouncedInput.ts'

type TextFilterProps = {
  form: FilterForm
  name: FilterName
  label?: string
  placeholder?: string
  isNumber?: boolean
  disabled?: boolean
}

export function TextFilter({ form, name, label, placeholder, isNumber = false, disabled = false }: TextFilterProps) {
  const commit = (text: string) => form.set({ [name]: [text.trim()] })
  const { field, error } = useDebouncedInput(paramOf(form.params, name), commit, (text) => filterError(name, text))
  return (
    <TextInput
      {...field}
      label={label ?? filterLabels[name]}
      placeholder={placeholder}
      disabled={disabled}
      inputMode={isNumber ? 'numeric' : undefined}
      error={error ?? form.errors[name]}
    />
  )
}
