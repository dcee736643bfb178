import { IconScan } from '@tabler/icons-react'
import { type Dashboard, isRunning } from '#events/dashboard.ts'
import type { ScanRecord } from '#events/scans/calls.ts'
import { refusalFor } from '#client/app/session.state.ts'
import { Card } from '#client/ui/Card.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { counted } from '#client/ui/text/count.ts'
import { dailyScanTime, latestScans } from './scanState.ts'
import { RunningScan } from './RunningScan.tsx'
import { ScanRow } from './ScanRow.tsx'
import classes from './ScansCard.module.css'

const maxScans = 5

/** The last scan of each storage, running ones first. */
export function ScansCard({ dashboard }: { dashboard: Loadable<Dashboard> }) {
  const running = dashboard.data?.scans.filter(isRunning).length ?? 0
  return (
    <Card
      title="Scans"
      note={running > 0 ? `${counted(running, 'scan')} running` : dailyScanTime(dashboard.data?.scans ?? [])}
      remote={dashboard}
      skeleton={<Skeleton rows={5} height={48} />}
    >
      {({ scans, storages }) => {
        const none = storages.some(({ limited }) => limited) ? refusalFor() : 'No scan has run yet.'
        return scans.length === 0 ? <Notice icon={IconScan}>{none}</Notice> : <Scans scans={scans} />
      }}
    </Card>
  )
}

function Scans({ scans }: { scans: ScanRecord[] }) {
  return (
    <ul>
      {latestScans(scans)
        .slice(0, maxScans)
        .map((scan) => (
          <li key={scan.scanId} className={classes.scan} data-state={scan.state}>
            {isRunning(scan) ? <RunningScan scan={scan} /> : <ScanRow scan={scan} />}
          </li>
        ))}
    </ul>
  )
}
