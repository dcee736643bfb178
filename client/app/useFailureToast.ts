import { useEffect, useId } from 'react'
import { toast } from './toasts.ts'

/** What fails right now, by the group that tells of it in one message. */
const failing = new Map<string, Set<string>>()

type Options = {
  /** How long the message stays, in milliseconds. */
  stayMs?: number
  /** Of those in a group that fail together only the first says so, and the next when all had recovered. */
  group?: string
}

/** Says in a message that something could not be read, once for each failure. */
export function useFailureToast(error: Error | undefined, { stayMs, group }: Options = {}): void {
  const id = useId()
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
