import { type ComponentType, lazy, Suspense, useEffect } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { toast } from '#client/app/toasts/toasts.ts'
import { DashboardPage } from './dashboard/DashboardPage.tsx'
import { EntryDetailsHost } from './parts/entry-details/EntryDetailsHost.tsx'
import { ScanAllHost } from './parts/scan-dialog/ScanAllHost.tsx'
import { Skeleton } from './ui/feedback/Skeleton.tsx'

const SearchPage = lazy(() => import('./search/SearchPage.tsx').then((m) => ({ default: m.SearchPage })))
const FileManagementPage = lazy(() =>
  import('./file-management/FileManagementPage.tsx').then((m) => ({ default: m.FileManagementPage })),
)
const SettingsPage = lazy(() => import('./settings/SettingsPage.tsx').then((m) => ({ default: m.SettingsPage })))
const JobsPage = lazy(() => import('./jobs/JobsPage.tsx').then((m) => ({ default: m.JobsPage })))
const SchedulesPage = lazy(() => import('./schedules/SchedulesPage.tsx').then((m) => ({ default: m.SchedulesPage })))
const AlertsPage = lazy(() => import('./alerts/AlertsPage.tsx').then((m) => ({ default: m.AlertsPage })))
const ProfilePage = lazy(() => import('./profile/ProfilePage.tsx').then((m) => ({ default: m.ProfilePage })))

const EventLogPage = lazy(() => import('./event-log/EventLogPage.tsx').then((m) => ({ default: m.EventLogPage })))

export const OwnSecondFactor = lazy(() =>
  import('./sign-in/SecondFactorPage.tsx').then((m) => ({ default: m.SecondFactorPage })),
)
export const OwnPassword = lazy(() =>
  import('./sign-in/OwnPasswordPage.tsx').then((m) => ({ default: m.OwnPasswordPage })),
)
export const SignIn = lazy(() => import('./sign-in/SignInPage.tsx').then((m) => ({ default: m.SignInPage })))

const MapPage = lazy(() => import('./map/MapPage.tsx').then((m) => ({ default: m.MapPage })))

const FoldersPage = lazy(() => import('./folders/FoldersPage.tsx').then((m) => ({ default: m.FoldersPage })))
const ComparisonPage = lazy(() =>
  import('./comparison/ComparisonPage.tsx').then((m) => ({ default: m.ComparisonPage })),
)
const VolumePage = lazy(() => import('./volumes/VolumePage.tsx').then((m) => ({ default: m.VolumePage })))

const ProjectsPage = lazy(() => import('./projects/ProjectsPage.tsx').then((m) => ({ default: m.ProjectsPage })))
const NewProjectPage = lazy(() =>
  import('./projects/form/ProjectFormPage.tsx').then((m) => ({ default: m.NewProjectPage })),
)
const EditProjectPage = lazy(() =>
  import('./projects/form/ProjectFormPage.tsx').then((m) => ({ default: m.EditProjectPage })),
)
const ProjectPage = lazy(() => import('./projects/detail/ProjectPage.tsx').then((m) => ({ default: m.ProjectPage })))

const ReportsPage = lazy(() => import('./reports/ReportsPage.tsx').then((m) => ({ default: m.ReportsPage })))
const ReportPage = lazy(() => import('./reports/detail/ReportPage.tsx').then((m) => ({ default: m.ReportPage })))

const HelpPage = lazy(() => import('./help/HelpPage.tsx').then((m) => ({ default: m.HelpPage })))

const screens: [path: string, screen: ComponentType][] = [
  ['/', DashboardPage],
  ['/search', SearchPage],
  ['/filemanagement', FileManagementPage],
  ['/map', MapPage],
  ['/folders', FoldersPage],
  ['/comparison', ComparisonPage],
  ['/volumes/:id', VolumePage],
  ['/projects', ProjectsPage],
  ['/projects/new', NewProjectPage],
  ['/project/edit/:id', EditProjectPage],
  ['/project/:id', ProjectPage],
  ['/reports', ReportsPage],
  ['/report/:id', ReportPage],
  ['/settings', SettingsPage],
  ['/settings/jobs', JobsPage],
  ['/settings/schedules', SchedulesPage],
  ['/settings/:page', SettingsPage],
  ['/alerts', AlertsPage],
  ['/profile', ProfilePage],
  ['/event-log', EventLogPage],
  ['/help/:page?', HelpPage],
]

/** Screen of the current URL. Unknown URLs redirect to the dashboard, with a message. */
export function Screens() {
  return (
    <Suspense fallback={<Skeleton rows={8} isInset />}>
      <Switch>
        {screens.map(([path, screen]) => (
          <Route key={path} path={path} component={screen} />
        ))}
        <Route>
          <NotFound />
        </Route>
      </Switch>
      <EntryDetailsHost />
      <ScanAllHost />
    </Suspense>
  )
}

function NotFound() {
  const [path] = useLocation()
  useEffect(() => {
    toast({ kind: 'warning', message: `There is no page ${path}. This is the Dashboard.` })
  }, [path])
  return <Redirect to="/" replace />
}
