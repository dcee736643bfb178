import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { typedPage } from './pageReach.ts'
import classes from './Pagination.module.css'

/** Delay between typing and loading the page, in milliseconds. */
const debounceMs = 800

/** Input for the page number. */
export function PageBox({ page, last, onPage }: { page: number; last: number; onPage: (page: number) => void }) {
  const [typed, setTyped] = useState<string>()
  const goTo = (text: string) => {
    const wanted = typedPage(text, last)
    setTyped(undefined)
    if (wanted !== undefined && wanted !== page) onPage(wanted)
  }
  const goSoon = useDebouncedCallback(goTo, debounceMs)
  const type = (text: string) => {
    const digits = text.replaceAll(/\D/g, '')
    setTyped(digits)
    goSoon(digits)
  }
  return (
    <TextInput
      aria-label="Page"
      className={classes.box}
      inputMode="numeric"
      value={typed ?? String(page)}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onKeyDown={({ key, currentTarget }) => key === 'Enter' && goTo(currentTarget.value)}
    />
  )
}
