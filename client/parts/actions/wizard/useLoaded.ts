import { useEffect, useEffectEvent, useState } from 'react'
import type { Loadable } from '#client/ui/feedback/loadable.ts'

type Outcome<T> = { request: string; data?: T; error?: Error }

/**
 * Loads a value once for a key, and again for another key or on `retry`. Without a key, nothing is loaded; the last outcome is kept for
 * when its key returns. Unlike data of `useRemote`, the value never changes under the user.
 */
export function useLoaded<T>(key: string | undefined, load: (signal: AbortSignal) => Promise<T>): Loadable<T> {
  const [last, keep] = useState<Outcome<T>>()
  const [attempt, setAttempt] = useState(1)
  const request = key === undefined ? undefined : `${attempt} ${key}`
  const isKnown = useEffectEvent((request: string) => last?.request === request)
  const loadNow = useEffectEvent(load)
  useEffect(() => {
    if (request === undefined || isKnown(request)) return undefined
    const abort = new AbortController()
    const end = (outcome: Outcome<T>) => {
      if (!abort.signal.aborted) keep(outcome)
    }
    loadNow(abort.signal)
      .then((data) => end({ request, data }))
      .catch((error: Error) => end({ request, error }))
    return () => abort.abort()
  }, [request])
  const known = last !== undefined && last.request === request ? last : undefined
  return {
    data: known?.data,
    error: known?.error,
    loading: request !== undefined && known === undefined,
    retry: () => setAttempt(attempt + 1),
  }
}
