import { IconPointFilled } from '@tabler/icons-react'
import type { LiveState } from '#events/feeds/liveState.ts'
import { useLiveStates } from '#client/app/liveStates.ts'
import { LazyPopover } from '#client/app/shell/LazyPopover.tsx'
import { useStorageStates } from '#client/app/storageStates.ts'
import { Chip } from '#client/ui/values/Chip.tsx'
import { liveWords } from './liveWords.ts'
import classes from './LiveBadge.module.css'

const loadDetails = () => import('./LiveDetails.tsx').then((m) => m.LiveDetails)

/** Whether changes of a storage are shown between its scans; empty for storages that aren't followed. */
export function LiveBadge({ volumeId }: { volumeId: number }) {
  const live = useLive(volumeId)
  const scan = useStorageStates().data?.find((state) => state.volumeId === volumeId)?.lastScan
  return live && <LiveChip live={live} title={Object.values(liveWords(live, scan)).flat().join(' ')} />
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

function useLive(volumeId: number): LiveState | undefined {
  const live = useLiveStates().find(({ id }) => id === volumeId)?.live
  return live?.state === 'OFF' ? undefined : live
}

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
