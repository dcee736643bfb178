import type { LoggedEvent } from '#events/event-log.ts'
import { Failure } from '../ui/Failure.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { EventDetails } from './EventDetails.tsx'
import { useSource } from './SourceContext.ts'
import { useAnswer } from './useAnswer.ts'

type SelectedEventProps = {
  position: number
  /** The event itself, where it is in the list. */
  known: LoggedEvent | undefined
  onReplay: (stream: string) => void
  onClose: () => void
}

/** The event of the address, also when the list does not show it. */
export function SelectedEvent({ position, known, onReplay, onClose }: SelectedEventProps) {
  const source = useSource()
  const key = known ? undefined : `${source.name} ${position}`
  const { data, error, loading, retry } = useAnswer(key, (signal) => source.one(position, signal))
  const event = known ?? (loading ? undefined : data)
  if (error && !known) return <Failure error={error} retry={retry} />
  if (!event) return <Skeleton rows={8} height={28} isInset />
  return <EventDetails event={event} onReplay={() => onReplay(event.stream)} onClose={onClose} />
}
