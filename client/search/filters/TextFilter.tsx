import { TextInput } from '@mantine/core'
import { filterError } from '#client/search/searchAddress.ts'
import type { FilterForm } from './filterForm.ts'
import { type FilterName, type FilterParams, filterLabels, paramOf } from './filterNames.ts'
import { useDebouncedInput } from './useDebouncedInput.ts'

type TextFilterProps = {
  form: FilterForm
  name: FilterName
  label?: string
  placeholder?: string
  title?: string
  isNumber?: boolean
  /** Parameters that belong to the text. */
  also?: FilterParams
  disabled?: boolean
}

export function TextFilter({
  form,
  name,
  label,
  placeholder,
  title,
  isNumber = false,
  also,
  disabled = false,
}: TextFilterProps) {
  // Names may begin and end with spaces, so only numbers and blank inputs are trimmed.
  const commit = (text: string) => form.set({ ...also, [name]: [isNumber || text.trim() === '' ? text.trim() : text] })
  const { field, error } = useDebouncedInput(paramOf(form.params, name), commit, (text) => filterError(name, text))
  return (
    <TextInput
      {...field}
      label={label ?? filterLabels[name]}
      placeholder={placeholder}
      title={title}
      disabled={disabled}
      inputMode={isNumber ? 'numeric' : undefined}
      error={error ?? form.errors[name]}
    />
  )
}
