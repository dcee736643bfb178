import { useEffect, useEffectEvent, useState } from 'react'
import type { Loadable } from '#client/ui/feedback/loadable.ts'

/** Runs a query when its `key` changes. Keeps the old result while loading. */
export function useSourceQuery<T>(key: string | undefined, ask: (signal: AbortSignal) => Promise<T>): Loadable<T> {
  const [answer, setAnswer] = useState<{ question?: string | undefined; data?: T; error?: Error }>({})
  const [tries, retry] = useState(0)
  const askNow = useEffectEvent(ask)
  const question = key === undefined ? undefined : `${key} ${tries}`
  useEffect(() => {
    if (question === undefined) return undefined
    const abort = new AbortController()
    askNow(abort.signal).then(
      (data) => abort.signal.aborted || setAnswer({ question, data }),
      (error: Error) => abort.signal.aborted || setAnswer((last) => ({ ...last, question, error })),
    )
    return () => abort.abort()
  }, [question])
  const loading = question !== undefined && answer.question !== question
  return {
    data: answer.data,
    error: loading ? undefined : answer.error,
    loading,
    retry: () => retry((tries) => tries + 1),
  }
}
