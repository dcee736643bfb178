import { IconAlertTriangle, IconClock } from '@tabler/icons-react'
import { Link } from 'wouter'
import { hasFailed, type StorageState } from '#events/overview/storageStates.ts'
import { useLinks } from '#client/app/links.ts'
import { RoleGuard } from '#client/app/shell/RoleGuard.tsx'
import { useStorageStates } from '#client/app/storageStates.ts'
import { useFailureToast } from '#client/app/toasts/useFailureToast.ts'
import { ScanNow } from '#client/parts/storages/ScanNow.tsx'
import { scanProblem } from '#client/parts/storages/stateWords.ts'
import { volumeName } from '#client/parts/storages/volumeWords.ts'
import { Panel } from '#client/ui/Panel.tsx'
import { counted } from '#client/ui/text/count.ts'
import { Moment } from '#client/ui/values/Moment.tsx'
import classes from './Attention.module.css'

/** Storages without a scan and those whose newest scan failed, failed ones first. Hidden without any. */
export function AttentionCard() {
  const { data = [], error } = useStorageStates()
  useFailureToast(error, { group: 'dashboard' })
  const shown = data
    .filter((state) => scanProblem(state) !== undefined)
    .toSorted((a, b) => Number(hasFailed(b)) - Number(hasFailed(a)))
  if (shown.length === 0) return null
  return (
    <Panel title="Storages without a current scan" note={counted(shown.length, 'storage')}>
      <ul className="inset-8">
        {shown.map((state) => (
          <AttentionRow key={state.volumeId} state={state} />
        ))}
      </ul>
    </Panel>
  )
}

function AttentionRow({ state }: { state: StorageState }) {
  const links = useLinks()
  const { lastScan } = state
  const isFailed = hasFailed(state)
  const Sign = isFailed ? IconAlertTriangle : IconClock
  return (
    <li className={classes.storage} data-failed={isFailed || undefined}>
      <Sign size={16} stroke={1.5} aria-hidden />
      <span className="truncate strong text" title={volumeName(state)}>
        {volumeName(state)}
      </span>
      <span className={`break ${classes.problem}`}>{scanProblem(state)}</span>
      <span className={`small nowrap ${classes.at}`}>
        {isFailed && lastScan?.finishedAt && (
          <RoleGuard needs="jobs.see" otherwise={<Moment at={lastScan.finishedAt} />}>
            <Link href={links.jobs(lastScan.jobId)}>
              <Moment at={lastScan.finishedAt} />
            </Link>
          </RoleGuard>
        )}
      </span>
      <ScanNow state={state} />
    </li>
  )
}
