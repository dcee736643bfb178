import { MultiSelect, type MultiSelectProps } from '@mantine/core'

type KnownObject = { id: number; name: string }

/** Options by id, including selected ids that no longer exist. */
export function optionsWith(known: readonly KnownObject[] | undefined, chosen: readonly string[]) {
  const options = (known ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  const isKnown = new Set(options.map(({ value }) => value))
  const gone = chosen.filter((id) => id !== '' && !isKnown.has(id))
  return [...options, ...gone.map((value) => ({ value, label: known ? `Invalid (${value})` : value }))]
}

type IdsSelectProps = Omit<MultiSelectProps, 'data' | 'value'> & {
  known: readonly KnownObject[] | undefined
  value: string[]
}

/** Selects at least one object by name. */
export const IdsSelect = ({ known, value, placeholder = 'Choose at least one', ...select }: IdsSelectProps) => (
  <MultiSelect
    {...select}
    placeholder={value.length === 0 ? placeholder : undefined}
    data={optionsWith(known, value)}
    value={value}
    searchable
    openOnFocus={false}
    comboboxProps={{ withinPortal: false }}
  />
)
