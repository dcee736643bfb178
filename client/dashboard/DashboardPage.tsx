import { Page } from '../ui/Page.tsx'
import { DashboardFigures } from './DashboardFigures.tsx'
import { ScanNews } from './ScanNews.tsx'
import { ScansCard } from './ScansCard.tsx'
import { StorageSizesCard } from './StorageSizesCard.tsx'
import { useDashboard } from './useDashboard.ts'
import classes from './DashboardPage.module.css'

/** The state of everything at a glance. Before the first snapshot there are only scans to see. */
export function DashboardPage() {
  const dashboard = useDashboard()
  const hasSnapshot = dashboard.data?.indexingDate !== null
  return (
    <Page title="Dashboard">
      <div className={classes.grid}>
        {hasSnapshot && (
          <>
            <DashboardFigures dashboard={dashboard} />
            <div className={classes.storages}>
              <StorageSizesCard dashboard={dashboard} />
            </div>
          </>
        )}
        <div className={hasSnapshot ? classes.scans : undefined}>
          <ScansCard dashboard={dashboard} />
        </div>
      </div>
      <ScanNews scans={dashboard.data?.scans ?? []} />
    </Page>
  )
}
