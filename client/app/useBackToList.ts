import { useEffect } from 'react'
import { navigate } from 'wouter/use-browser-location'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { toast } from './toasts.ts'

/** What cannot be read is said in a message, and the list of its kind is shown in its place. */
export function useBackToList({ data, error, loading }: Loadable<unknown>, list: string, message: string): void {
  const failure = data === undefined && !loading ? error : undefined
  useEffect(() => {
    if (!failure) return
    toast({ kind: 'danger', message })
    navigate(list, { replace: true })
  }, [failure, list, message])
}
