import { Page } from '../ui/Page.tsx'
import { DashboardFigures } from './DashboardFigures.tsx'
import { MostActiveCard } from './MostActiveCard.tsx'
import { OtherStorages } from './OtherStorages.tsx'
import { ScanNews } from './ScanNews.tsx'
import { ScansCard } from './ScansCard.tsx'
import { StorageSizesCard } from './StorageSizesCard.tsx'
import { useDashboard } from './useDashboard.ts'
import { useFailureToast } from './useFailureToast.ts'
import { VolumesCard } from './VolumesCard.tsx'
import classes from './DashboardPage.module.css'

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
              <MostActiveCard />
            </div>
            <div className={classes.narrow}>{scans}</div>
            <VolumesCard dashboard={dashboard} />
            <OtherStorages storages={dashboard.data?.storages ?? []} />
          </>
        )}
      </div>
      <ScanNews scans={dashboard.data?.scans ?? []} />
    </Page>
  )
}
