import { TextInput } from '@mantine/core'
import { filterError } from '#client/parts/searched/searchAddress.ts'
import { clearedFilter } from '#client/parts/searched/chipTexts.ts'
import type { FilterForm } from './filterForm.ts'
import { type FilterName, type FilterParams, filterLabels, paramOf } from '#client/parts/searched/filterNames.ts'
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

/** Filters of names and paths are not trimmed: names may begin and end with spaces. */
const ofNames: readonly FilterName[] = ['name', 'startingPath']

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
  const commit = (text: string) => {
    const isKept = ofNames.includes(name) && text.trim() !== ''
    const words = isKept ? text : text.trim()
    form.set({ ...(words === '' ? clearedFilter(name) : also), [name]: [words] })
  }
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
