import { counted } from '#client/ui/text/count.ts'
import { ActionIcon } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useSnapshot } from 'valtio'
import { live } from '#client/app/live/live.state.ts'
import { useNow } from '#client/ui/values/clock.ts'

/** Milliseconds. */
const cycleMs = 30_000

type RefreshCountdownProps = { isPaused: boolean; onRefresh: () => void }

/** Countdown that reloads the page of jobs while it isn't live. Stops while paused. */
export function RefreshCountdown({ isPaused: isHeld, onRefresh }: RefreshCountdownProps) {
  const isLive = useSnapshot(live).phase === 'live'
  const isPaused = isHeld || isLive
  const now = useNow()
  const [due, setDue] = useState(() => now + cycleMs)
  const [pausedAt, setPausedAt] = useState<number>()
  const [rounds, setRounds] = useState(0)
  if (isPaused && pausedAt === undefined) setPausedAt(now)
  if (!isPaused && pausedAt !== undefined) {
    setPausedAt(undefined)
    setDue(due + now - pausedAt)
  }
  const begin = () => {
    setDue(now + cycleMs)
    setRounds(rounds + 1)
  }
  if (!isPaused && pausedAt === undefined && now >= due) begin()
  const refresh = useEffectEvent(onRefresh)
  useEffect(() => {
    if (rounds > 0) refresh()
  }, [rounds])
  const left = Math.min(cycleMs, due - (pausedAt ?? now))
  const seconds = Math.max(0, Math.ceil(left / 1_000))
  return (
    <div className="row end push gap-8">
      {!isLive && (
        <span className="muted small">
          {`The content of this page will be refreshed in ${counted(seconds, 'second')}`}
        </span>
      )}
      <ActionIcon variant="default" aria-label="Refresh now" onClick={begin}>
        <IconRefresh size={16} stroke={1.5} />
      </ActionIcon>
    </div>
  )
}
