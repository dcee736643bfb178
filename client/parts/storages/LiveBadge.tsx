import { IconPointFilled } from '@tabler/icons-react'
import type { LiveState } from '#events/feeds/liveState.ts'
import { useFollowedStorages } from '#client/app/shell/useFollowedStorages.ts'
import { useStorageStates } from '#client/app/storageStates.ts'
import { LazyPopover } from '#client/app/shell/LazyPopover.tsx'
import { ageText } from '#client/ui/text/duration.ts'
import { Chip } from '#client/ui/values/Chip.tsx'
import { useNow } from '#client/ui/values/clock.ts'
import { liveSentences } from './liveWords.ts'
import classes from './LiveBadge.module.css'

const loadDetails = () => import('./LiveDetails.tsx').then((m) => m.LiveDetails)

type BadgeProps = {
  volumeId: number
  /** Time of the figures next to it in milliseconds, whose age is shown. */
  asOf?: number | undefined
}

/** State of a storage that is followed between its scans; empty for others. */
export function LiveBadge({ volumeId, asOf }: BadgeProps) {
  const live = useLive(volumeId)
  const scan = useStorageStates().data?.find((state) => state.volumeId === volumeId)?.lastScan ?? null
  if (!live) return null
  return (
    <span className={classes.badge}>
      <LiveChip live={live} title={liveSentences(live, scan).join(' ')} />
      {live.state === 'LIVE' && asOf !== undefined && <FigureAge asOf={asOf} />}
    </span>
  )
}

function FigureAge({ asOf }: { asOf: number }) {
  return <span className={classes.age}>{ageText(useNow() - asOf)} ago</span>
}

/** The same as a button that opens the details, for the screens of a storage. */
export function LiveButton({ volumeId }: { volumeId: number }) {
  const live = useLive(volumeId)
  if (!live) return null
  return (
    <LazyPopover load={loadDetails} opens="dialog" content={{ volumeId, live }}>
      <button type="button" className={classes.button}>
        <LiveChip live={live} />
      </button>
    </LazyPopover>
  )
}

const useLive = (volumeId: number): LiveState | undefined =>
  useFollowedStorages().data?.find(({ id }) => id === volumeId)?.live

const LiveChip = ({ live: { state }, title }: { live: LiveState; title?: string }) => {
  const hint = title === undefined ? {} : { title }
  return state === 'LIVE' ? (
    <Chip tone="good" icon={IconPointFilled} {...hint}>
      Live
    </Chip>
  ) : (
    <Chip {...hint}>Not live</Chip>
  )
}
