import type { LoggedEvent } from '#events/event-log/calls.ts'
import { Failure } from '#client/ui/feedback/Failure.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { EventDetails } from './EventDetails.tsx'
import { useSource } from './source.ts'
import { useSourceQuery } from './useSourceQuery.ts'

type SelectedEventProps = {
  position: number
  /** The event, if it is in the list. */
  known: LoggedEvent | undefined
  onReplay: (stream: string) => void
  onClose: () => void
}

/** Details of the event in the URL, even if the list doesn't show it. */
export function SelectedEvent({ position, known, onReplay, onClose }: SelectedEventProps) {
  const source = useSource()
  const key = known ? undefined : `${source.name} ${position}`
  const { data, error, loading, retry } = useSourceQuery(key, (signal) => source.one(position, signal))
  const event = known ?? (loading ? undefined : data)
  if (error && !known) return <Failure error={error} retry={retry} />
  if (!event) return <Skeleton rows={8} height={28} isInset />
  return <EventDetails event={event} onReplay={() => onReplay(event.stream)} onClose={onClose} />
}
