import { lazy, Suspense, useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { reportChecks } from '#events/reports/runs.ts'
import { setup, setupSteps } from '#events/overview/setup.ts'
import { isRunning } from '#events/dashboard.ts'
import type { ScanRecord } from '#events/scans/calls.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useFollowedStorages } from '#client/app/shell/useFollowedStorages.ts'
import { useStorageStates } from '#client/app/storageStates.ts'
import { useRemote } from '#client/app/remote.ts'
import { useLiveDashboard } from '#client/app/live/dashboard.state.ts'
import { session, userMay } from '#client/app/session.state.ts'
import { scanProblem } from '#client/parts/storages/stateWords.ts'
import { useFailureToast } from '#client/app/toasts/useFailureToast.ts'
import { onceUsed } from '#client/ui/onceUsed.ts'
import { Page } from '#client/ui/Page.tsx'
import { LiveRegion } from '#client/ui/feedback/LiveRegion.tsx'
import { counted } from '#client/ui/text/count.ts'
import { DashboardFigures } from './DashboardFigures.tsx'
import { StoragesCard } from './StoragesCard.tsx'
import { ScansCard } from './scans/ScansCard.tsx'
import classes from './DashboardPage.module.css'

// Cards further down are loaded after the first page.
const GrowingFolders = lazy(() => import('./MostActiveCard.tsx').then((m) => ({ default: m.GrowingFolders })))
const GrowingNowCard = lazy(() => import('./GrowingNowCard.tsx').then((m) => ({ default: m.GrowingNowCard })))
const MostActiveStorage = lazy(() => import('./MostActiveCard.tsx').then((m) => ({ default: m.MostActiveStorage })))
const MostActiveProjects = lazy(() => import('./MostActiveCard.tsx').then((m) => ({ default: m.MostActiveProjects })))
const ReportChecksCard = lazy(() => import('./ReportChecksCard.tsx').then((m) => ({ default: m.ReportChecksCard })))
const SetupCard = lazy(() => import('./setup/SetupCard.tsx').then((m) => ({ default: m.SetupCard })))
const StorageChoice = lazy(() => import('./StorageChoice.tsx').then((m) => ({ default: m.StorageChoice })))

/** Overview of everything. Before the first snapshot it shows what to do first, and scans. */
export function DashboardPage() {
  const { at } = useActiveDate()
  const dashboard = useLiveDashboard(at)
  useFailureToast(dashboard.error, { group: 'dashboard' })
  const sizes = dashboard.data?.storages ?? []
  // Loads at the first use of the page, so that the first visit loads little.
  const [isUsed, use] = useState(false)
  useEffect(() => onceUsed(() => use(true)), [])
  const choice = isUsed && sizes.length > 1 && (
    <Suspense fallback={null}>
      <StorageChoice storages={sizes} />
    </Suspense>
  )
  const notices = useNotices()
  return (
    <Page title="Dashboard" actions={choice}>
      <div className={classes.grid}>
        {dashboard.data?.indexingDate !== null && <DashboardFigures dashboard={dashboard} />}
        {notices.areKnown && (
          <Suspense fallback={null}>
            <Cards dashboard={dashboard} {...notices} />
          </Suspense>
        )}
      </div>
      <ScanNews scans={dashboard.data?.scans ?? []} />
    </Page>
  )
}

type CardsProps = { dashboard: ReturnType<typeof useLiveDashboard> } & ReturnType<typeof useNotices>

/** The cards below the figures. */
function Cards({ dashboard, hasProblems, hasFailedChecks, hasLive, steps }: CardsProps) {
  const storages = <StoragesCard dashboard={dashboard} />
  const scans = <ScansCard dashboard={dashboard} />
  if (dashboard.data?.indexingDate === null)
    return (
      <>
        {steps && <SetupCard {...steps} />}
        {hasProblems && storages}
        {scans}
      </>
    )
  return (
    <>
      {hasFailedChecks && <ReportChecksCard />}
      <div className={classes.wide}>{storages}</div>
      <div className={classes.narrow}>{scans}</div>
      {hasLive && <GrowingNowCard />}
      {steps && <SetupCard {...steps} isCompact />}
      <GrowingFolders />
      <div className={classes.half}>
        <MostActiveStorage />
      </div>
      <div className={classes.half}>
        <MostActiveProjects />
      </div>
    </>
  )
}

/**
 * Cards that exist only if something needs attention, and load only then. The cards below wait until these are known, so that
 * nothing moves.
 */
function useNotices() {
  const { user } = useSnapshot(session)
  const states = useStorageStates()
  const checks = useRemote(reportChecks, {}, 'reports')
  const followed = useFollowedStorages()
  // Only administrators can take the steps of the first day.
  const mayStart = userMay(user as typeof session.user, setup.needs)
  const { retry, ...first } = useRemote(
    setup,
    mayStart ? {} : undefined,
    'sources',
    'schedules',
    'configurations',
    'users',
  )
  useFailureToast(checks.error ?? first.error, { group: 'dashboard' })
  return {
    areKnown: [states, checks, followed, ...(mayStart ? [first] : [])].every(
      ({ data, error }) => data !== undefined || error !== undefined,
    ),
    hasProblems: states.data?.some((state) => scanProblem(state) !== undefined) ?? false,
    hasLive: followed.data !== undefined && followed.data.length > 0,
    hasFailedChecks: checks.data?.some(({ state }) => state !== null && state !== 'PASSED') ?? false,
    steps: first.data && first.data.done.length < setupSteps.length ? { setup: first.data, retry } : undefined,
  }
}

/** Announces the state of scans to screen readers. */
const ScanNews = ({ scans }: { scans: ScanRecord[] }) => <LiveRegion sentence={summary(scans)} />

function summary(scans: ScanRecord[]): string {
  const running = scans.filter(isRunning)
  if (running.length === 0) return scans[0] ? `Last scan: ${scans[0].volumeName}, ${scans[0].state}` : ''
  const entries = running.reduce((total, { progress }) => total + (progress?.entries ?? 0), 0)
  return `${counted(running.length, 'scan')} running, ${counted(entries, 'entry', 'entries')} so far`
}
