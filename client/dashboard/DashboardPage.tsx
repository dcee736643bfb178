import { Page } from '../ui/Page.tsx'
import { DashboardFigures } from './DashboardFigures.tsx'
import { ScanNews } from './ScanNews.tsx'
import { ScansCard } from './ScansCard.tsx'
import { StorageSizesCard } from './StorageSizesCard.tsx'
import { useDashboard } from './useDashboard.ts'
import classes from './DashboardPage.module.css'

/** The state of everything at a glance. */
export function DashboardPage() {
  const dashboard = useDashboard()
  return (
    <Page title="Dashboard">
      <div className={classes.grid}>
        <DashboardFigures dashboard={dashboard.data} />
        <div className={classes.storages}>
          <StorageSizesCard dashboard={dashboard} />
        </div>
        <div className={classes.scans}>
          <ScansCard dashboard={dashboard} />
        </div>
      </div>
      <ScanNews scans={dashboard.data?.scans ?? []} />
    </Page>
  )
}
