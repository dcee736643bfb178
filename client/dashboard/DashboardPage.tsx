import { lazy, Suspense, useEffect, useState } from 'react'
import { reportChecks } from '#events/reports/runs.ts'
import { setup } from '#events/overview/setup.ts'
import { isRunning } from '#events/dashboard.ts'
import type { ScanRecord } from '#events/scans/calls.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useRemote } from '#client/app/remote.ts'
import { useLiveDashboard } from '#client/app/live/dashboard.state.ts'
import { RoleGuard } from '#client/app/shell/RoleGuard.tsx'
import { useStorageStates } from '#client/app/storageStates.ts'
import { scanProblem } from '#client/parts/storages/stateWords.ts'
import { useFailureToast } from '#client/app/toasts/useFailureToast.ts'
import { onceUsed } from '#client/ui/onceUsed.ts'
import { Page } from '#client/ui/Page.tsx'
import { LiveRegion } from '#client/ui/feedback/LiveRegion.tsx'
import { counted } from '#client/ui/text/count.ts'
import { DashboardFigures } from './DashboardFigures.tsx'
import { ScansCard } from './scans/ScansCard.tsx'
import classes from './DashboardPage.module.css'

// Cards further down are loaded after the first page.
const GrowingFolders = lazy(() => import('./MostActiveCard.tsx').then((m) => ({ default: m.GrowingFolders })))
const MostActiveStorage = lazy(() => import('./MostActiveCard.tsx').then((m) => ({ default: m.MostActiveStorage })))
const MostActiveProjects = lazy(() => import('./MostActiveCard.tsx').then((m) => ({ default: m.MostActiveProjects })))
const ReportChecksCard = lazy(() => import('./ReportChecksCard.tsx').then((m) => ({ default: m.ReportChecksCard })))
const SetupCard = lazy(() => import('./setup/SetupCard.tsx').then((m) => ({ default: m.SetupCard })))
const StorageChoice = lazy(() => import('./StorageChoice.tsx').then((m) => ({ default: m.StorageChoice })))
const StoragesCard = lazy(() => import('./StoragesCard.tsx').then((m) => ({ default: m.StoragesCard })))

/** Overview of everything. Before the first snapshot it shows what to do first, and scans. */
export function DashboardPage() {
  const { indexingDate } = useActiveDate()
  const dashboard = useLiveDashboard(indexingDate)
  useFailureToast(dashboard.error, { group: 'dashboard' })
  const scans = <ScansCard dashboard={dashboard} />
  const { areKnown, hasProblems, hasFailedChecks } = useNotices()
  const storages = (
    <Suspense fallback={null}>
      <StoragesCard dashboard={dashboard} />
    </Suspense>
  )
  const sizes = dashboard.data?.storages ?? []
  // Loads at the first use of the page, so that the first visit loads little.
  const [isUsed, use] = useState(false)
  useEffect(() => onceUsed(() => use(true)), [])
  const choice = isUsed && sizes.length > 1 && (
    <Suspense fallback={null}>
      <StorageChoice storages={sizes} />
    </Suspense>
  )
  return (
    <Page title="Dashboard" actions={choice}>
      <div className={classes.grid}>
        {dashboard.data?.indexingDate === null ? (
          <>
            <FirstDay />
            {hasProblems && storages}
            {scans}
          </>
        ) : (
          <>
            <DashboardFigures dashboard={dashboard} />
            {areKnown && (
              <Suspense fallback={null}>
                {hasFailedChecks && <ReportChecksCard />}
                <div className={classes.wide}>{storages}</div>
                <div className={classes.narrow}>
                  {scans}
                  <FirstDay />
                </div>
                <Suspense fallback={null}>
                  <GrowingFolders />
                  <div className={classes.half}>
                    <MostActiveStorage />
                  </div>
                  <div className={classes.half}>
                    <MostActiveProjects />
                  </div>
                </Suspense>
              </Suspense>
            )}
          </>
        )}
      </div>
      <ScanNews scans={dashboard.data?.scans ?? []} />
    </Page>
  )
}

/**
 * Cards that exist only if something needs attention, and load only then. The cards below wait until these are known, so that
 * nothing moves.
 */
function useNotices() {
  const states = useStorageStates()
  const checks = useRemote(reportChecks, {}, 'reports')
  useFailureToast(checks.error, { group: 'dashboard' })
  return {
    areKnown: [states, checks].every(({ data, error }) => data !== undefined || error !== undefined),
    hasProblems: states.data?.some((state) => scanProblem(state) !== undefined) ?? false,
    hasFailedChecks: checks.data?.some(({ state }) => state !== null && state !== 'PASSED') ?? false,
  }
}

/** Only administrators can take the steps. */
const FirstDay = () => (
  <RoleGuard needs={setup.needs}>
    <Suspense fallback={null}>
      <SetupCard />
    </Suspense>
  </RoleGuard>
)

/** Announces the state of scans to screen readers. */
const ScanNews = ({ scans }: { scans: ScanRecord[] }) => <LiveRegion sentence={summary(scans)} />

function summary(scans: ScanRecord[]): string {
  const running = scans.filter(isRunning)
  if (running.length === 0) return scans[0] ? `Last scan: ${scans[0].volumeName}, ${scans[0].state}` : ''
  const entries = running.reduce((total, { progress }) => total + (progress?.entries ?? 0), 0)
  return `${counted(running.length, 'scan')} running, ${counted(entries, 'entry', 'entries')} so far`
}
