import { type ChangeEvent, type KeyboardEvent, useState } from 'react'
import { useTypedCallback } from '#client/ui/form/composition.ts'

/** Delay between typing and searching, in milliseconds. */
const debounceMs = 1_000

/**
 * A text input that commits after a delay, or immediately on Enter. Invalid text stays in the input and is not
 * committed.
 */
export function useDebouncedInput(
  value: string,
  commit: (text: string) => void,
  errorOf: (text: string) => string | undefined = () => undefined,
) {
  const [draft, setDraft] = useState<string>()
  const error = draft ? errorOf(draft) : undefined
  const commitNow = (text: string) => {
    if (text !== '' && errorOf(text) !== undefined) return
    setDraft(undefined)
    if (text !== value) commit(text)
  }
  const commitSoon = useTypedCallback(commitNow, debounceMs)
  return {
    error,
    /** Text that is not committed yet. */
    draft,
    setDraft,
    cancel: commitSoon.cancel,
    field: {
      value: draft ?? value,
      onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
        setDraft(currentTarget.value)
        commitSoon(currentTarget.value)
      },
      onKeyDown: ({ key, currentTarget }: KeyboardEvent<HTMLInputElement>) => {
        if (key !== 'Enter') return
        commitSoon.cancel()
        commitNow(currentTarget.value)
      },
    },
  }
}
