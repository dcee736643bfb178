import type { ReactNode } from 'react'
import type { LoggedEvent } from '#events/event-log.ts'
import { foldStream } from '#events/replay.ts'
import { Failure } from '../ui/Failure.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { useStream } from './useStream.ts'

type StateAtProps = { event: LoggedEvent; children: (state: unknown) => ReactNode }

/** The state of a stream after an event, folded here from what is read of it. */
export function StateAt({ event: { stream, position }, children }: StateAtProps) {
  const { data, error, loading, retry } = useStream(stream, position)
  if (error) return <Failure error={error} retry={retry} />
  if (!data || loading) return <Skeleton rows={6} height={24} />
  return children(foldStream(data))
}
