import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useTyped } from './useTyped.ts'
import classes from './SearchPage.module.css'

type SearchFieldProps = { text: string; onSearch: (text: string) => void; disabled: boolean }

/** What is searched for in names. */
export function SearchField({ text, onSearch, disabled }: SearchFieldProps) {
  const { field } = useTyped(text, onSearch)
  return (
    <TextInput
      {...field}
      size="md"
      type="search"
      className={classes.search}
      aria-label="Search"
      placeholder="Search in names; * is any characters, ? is one"
      maxLength={1_000}
      disabled={disabled}
      leftSection={<IconSearch size={18} stroke={1.5} aria-hidden />}
      data-search
    />
  )
}
