import { CallError } from '#client/app/call.ts'
import { FetchFailure } from '#client/ui/feedback/FetchFailure.tsx'
import type { Loadable } from '#client/ui/feedback/loadable.ts'

/** A list of an external system could not be loaded. Its own error is shown on request. */
export function ListFailure({ error, loading, retry }: Pick<Loadable<unknown>, 'error' | 'loading' | 'retry'>) {
  if (!error || loading) return null
  const message = (error instanceof CallError && error.title) || error.message
  return <FetchFailure error={error} message={message} retry={retry} />
}
