import { durationText } from '#client/ui/text/duration.ts'
import { useNow } from './clock.ts'

/** Time since a moment, updated every second. */
export function Elapsed({ since }: { since: string }) {
  const now = useNow()
  const seconds = Math.max(0, Math.floor((now - new Date(since).getTime()) / 1_000))
  return <span className="nowrap">{seconds === 0 ? '0 s' : durationText(seconds * 1_000)}</span>
}
