import { ActionIcon } from '@mantine/core'
import { IconApps, IconBell, IconAlertTriangle, IconCalendar } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { orchestrationUrl } from '#events/users/session.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { touch } from '#client/app/live/versions.state.ts'
import { now, useRemote } from '#client/app/remote.ts'
import { session } from '#client/app/session.state.ts'
import { LazyPopover } from '#client/app/shell/LazyPopover.tsx'
import { failures } from '#client/app/toasts/toasts.ts'
import { counted } from '#client/ui/text/count.ts'
import { ageText } from '#client/ui/text/duration.ts'
import { useNow } from '#client/ui/values/clock.ts'
import picker from './SnapshotPicker.module.css'
import account from './UserMenu.module.css'

const loadApplications = () => import('./AppSwitcherMenu.tsx').then((m) => m.AppSwitcherMenu)

/** Switches between Intelligence (this product) and Orchestration. Hidden if Orchestration is not installed. */
export function AppSwitcher() {
  const { data: address } = useRemote(orchestrationUrl, {})
  if (!address) return null
  return (
    <LazyPopover load={loadApplications} opens="menu">
      <ActionIcon aria-label="Applications">
        <IconApps size={18} stroke={1.5} />
      </ActionIcon>
    </LazyPopover>
  )
}

const loadFailures = () => import('./FailureList.tsx').then((m) => m.FailureList)

/** Opens the list of errors. It has its place from the start, so that the first error moves nothing; small screens have none to spare. */
export function FailureBell() {
  const { list } = useSnapshot(failures)
  return (
    <LazyPopover load={loadFailures} opens="dialog">
      <ActionIcon
        className={list.length > 0 ? 'critical' : 'wide-only'}
        aria-label={`${list.length > 0 ? counted(list.length, 'failure') : 'No failures'} since this page was opened`}
      >
        <IconBell size={18} stroke={1.5} />
      </ActionIcon>
    </LazyPopover>
  )
}

const loadSnapshots = () => import('./SnapshotPopover.tsx').then((m) => m.SnapshotPopover)

/** Selected snapshot, or Now; opens a calendar of snapshots. */
export function SnapshotPicker() {
  const { dates, active, isNewest, isNow } = useActiveDate()
  if (!active || !dates.data) return null
  const Sign = isNewest && !active.isPartial ? IconCalendar : IconAlertTriangle
  return (
    <LazyPopover load={loadSnapshots} opens="dialog">
      {isNow ? (
        <button type="button" className={picker.picker} data-now>
          <NowAge />
        </button>
      ) : (
        <button
          type="button"
          className={picker.picker}
          aria-label={`Snapshot ${active.indexingDate}${isNewest ? '' : ', read-only'}${active.isPartial ? ' · partial' : ''}`}
          data-past={!isNewest}
          data-partial={active.isPartial}
        >
          <Sign size={16} stroke={1.5} aria-hidden />
          <span className="wide-only">Snapshot </span>
          {active.indexingDate}
          {!isNewest && <span>, read-only</span>}
          {active.isPartial && <span className="wide-only"> · partial</span>}
        </button>
      )}
    </LazyPopover>
  )
}

/** Without changes the server reports nothing, so that figures are as old as they look. */
const readEveryMs = 10_000

/** Older figures are those of storages that aren't live, in milliseconds. */
const maxLiveMs = 60_000

/** `Now, 1.2 s ago`: the age of the oldest figures on screen. */
function NowAge() {
  const time = useNow()
  const { asOf } = useSnapshot(now)
  useEffect(() => {
    const timer = setInterval(() => touch('live'), readEveryMs)
    return () => clearInterval(timer)
  }, [])
  const age = time - (asOf ?? NaN)
  return (
    <>
      <span className={picker.dot} aria-hidden />
      {age < maxLiveMs ? (
        <span className={picker.age}>{`Now, ${ageText(age)} ago`}</span>
      ) : (
        <span title="Storages that aren't live show their last scan">
          Now{age >= maxLiveMs && <span className="wide-only">, oldest {ageText(age)}</span>}
        </span>
      )}
    </>
  )
}

const loadUserMenu = () => import('./UserMenu.tsx').then((m) => m.UserMenu)

/** Signed-in user; opens display options and sign out. */
export function UserButton() {
  const { user } = useSnapshot(session)
  const name = user?.name ?? ''
  return (
    <LazyPopover load={loadUserMenu} opens="menu">
      <button type="button" className={account.user} aria-label={`${name}: account and display`}>
        {name.slice(0, 1).toUpperCase()}
      </button>
    </LazyPopover>
  )
}
