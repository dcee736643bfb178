import { lazy, Suspense } from 'react'
import { Page } from '../ui/Page.tsx'
import { DashboardFigures } from './DashboardFigures.tsx'
import { OtherStorages } from './OtherStorages.tsx'
import { ScanNews } from './ScanNews.tsx'
import { ScansCard } from './ScansCard.tsx'
import { StorageSizesCard } from './StorageSizesCard.tsx'
import { useDashboard } from './useDashboard.ts'
import { useFailureToast } from './useFailureToast.ts'
import classes from './DashboardPage.module.css'

// What stands further down comes after the first page.
const MostActiveCard = lazy(() => import('./MostActiveCard.tsx').then((m) => ({ default: m.MostActiveCard })))
const VolumesCard = lazy(() => import('./VolumesCard.tsx').then((m) => ({ default: m.VolumesCard })))

/** The state of everything at a glance. Before the first snapshot there are only scans to see. */
export function DashboardPage() {
  const dashboard = useDashboard()
  useFailureToast(dashboard)
  const scans = <ScansCard dashboard={dashboard} />
  return (
    <Page title="Dashboard">
      <div className={classes.grid}>
        {dashboard.data?.indexingDate === null ? (
          scans
        ) : (
          <>
            <DashboardFigures dashboard={dashboard} />
            <div className={classes.wide}>
              <StorageSizesCard dashboard={dashboard} />
              <Suspense fallback={null}>
                <MostActiveCard />
              </Suspense>
            </div>
            <div className={classes.narrow}>{scans}</div>
            <Suspense fallback={null}>
              <VolumesCard dashboard={dashboard} />
            </Suspense>
            <OtherStorages storages={dashboard.data?.storages ?? []} />
          </>
        )}
      </div>
      <ScanNews scans={dashboard.data?.scans ?? []} />
    </Page>
  )
}
