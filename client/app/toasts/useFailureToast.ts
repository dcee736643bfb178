import { useEffect, useId } from 'react'
import { isLimited } from '#client/ui/feedback/Failure.tsx'
import { toast } from './toasts.ts'

/** Current failures by group. A group shares one toast. */
const failing = new Map<string, Set<string>>()

type Options = {
  /** Duration of the toast, in milliseconds. */
  stayMs?: number
  /** Shows only the first of several failures in a group, and the next after all have recovered. */
  group?: string
}

/** Shows a toast for a failed request, once per failure. */
export function useFailureToast(failure: Error | undefined, { stayMs, group }: Options = {}): void {
  const id = useId()
  const error = failure && !isLimited(failure) ? failure : undefined
  const message = error?.message
  useEffect(() => {
    if (error && group === undefined) toast({ kind: 'danger', message: error.message }, stayMs)
  }, [error, group, stayMs])
  useEffect(() => {
    if (message === undefined || group === undefined) return undefined
    const members = failing.get(group) ?? new Set()
    failing.set(group, members)
    if (members.size === 0) toast({ kind: 'danger', message }, stayMs)
    members.add(id)
    return () => void members.delete(id)
  }, [id, message, group, stayMs])
}
