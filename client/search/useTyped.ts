import { useDebouncedCallback } from '@mantine/hooks'
import { type ChangeEvent, type KeyboardEvent, useState } from 'react'

/** How long typing has to pause before it is searched for, in milliseconds. */
const pause = 1_000

/**
 * Text that is typed into a field: it is given on after a pause, or at once with Enter. What is wrong stays in the field
 * with its fault and is not given on.
 */
export function useTyped(
  value: string,
  give: (text: string) => void,
  faultOf: (text: string) => string | undefined = () => undefined,
) {
  const [typed, setTyped] = useState<string>()
  const fault = typed ? faultOf(typed) : undefined
  const giveNow = (text: string) => {
    if (text !== '' && faultOf(text) !== undefined) return
    setTyped(undefined)
    if (text !== value) give(text)
  }
  const giveSoon = useDebouncedCallback(giveNow, pause)
  return {
    fault,
    field: {
      value: typed ?? value,
      onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
        setTyped(currentTarget.value)
        giveSoon(currentTarget.value)
      },
      onKeyDown: ({ key, currentTarget }: KeyboardEvent<HTMLInputElement>) => {
        if (key !== 'Enter') return
        giveSoon.cancel()
        giveNow(currentTarget.value)
      },
    },
  }
}
