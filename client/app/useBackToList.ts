import { useEffect } from 'react'
import { navigate } from './place/navigate.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { toast } from './toasts/toasts.ts'

/** Shows an error as a toast and returns to the list. */
export function useBackToList({ data, error, loading }: Loadable<unknown>, list: string, message: string): void {
  const failure = data === undefined && !loading ? error : undefined
  useEffect(() => {
    if (!failure) return
    toast({ kind: 'danger', message })
    navigate(list, { replace: true })
  }, [failure, list, message])
}
