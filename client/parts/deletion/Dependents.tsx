import { type DependedKind, dependents } from '#events/administration.ts'
import { useRemote } from '#client/app/remote.ts'
import { Failure } from '#client/ui/feedback/Failure.tsx'

/** References to an object that is about to be deleted, for the question. */
export function Dependents({ kind, id }: { kind: DependedKind; id: number }) {
  const { data = [], error, loading, retry } = useRemote(dependents, { query: { of: kind, id } })
  if (error && !loading) return <Failure error={error} retry={retry} />
  if (data.length === 0) return null
  return (
    <ul className="bullets" aria-label="Depends on it">
      {data.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  )
}
