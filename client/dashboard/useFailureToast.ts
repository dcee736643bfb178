import { useEffect, useId } from 'react'
import { toast } from '../app/toasts.ts'
import type { Loadable } from '../ui/loadable.ts'

/** The cards that show a failure right now. */
const failing = new Set<string>()

/** Says that a card could not be read: one message however many fail together, and the next when all had recovered. */
export function useFailureToast({ error }: Pick<Loadable<unknown>, 'error'>): void {
  const card = useId()
  const message = error?.message
  useEffect(() => {
    if (message === undefined) return undefined
    if (failing.size === 0) toast({ kind: 'danger', message })
    failing.add(card)
    return () => void failing.delete(card)
  }, [card, message])
}
