import { type ComponentType, lazy, Suspense, useEffect } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { help } from '#client/app/shell/shellDialogs.state.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { DashboardPage } from './dashboard/DashboardPage.tsx'
import { EntryDetailsHost } from './parts/entry-details/EntryDetailsHost.tsx'
import { ScanAllHost } from './parts/scan-dialog/ScanAllHost.tsx'
import { Skeleton } from './ui/feedback/Skeleton.tsx'

/** A screen whose scripts load on its first visit. */
const later = <N extends string>(load: () => Promise<Record<N, ComponentType>>, name: N) =>
  lazy(() => load().then((module) => ({ default: module[name] })))

export const OwnSecondFactor = later(() => import('./sign-in/SecondFactorPage.tsx'), 'SecondFactorPage')
export const OwnPassword = later(() => import('./sign-in/OwnPasswordPage.tsx'), 'OwnPasswordPage')
export const OwnerFiles = later(() => import('./owner-files/OwnerFilesPage.tsx'), 'OwnerFilesPage')
export const SignIn = later(() => import('./sign-in/SignInPage.tsx'), 'SignInPage')

const StoragesPage = later(() => import('./settings/storages/StoragesPage.tsx'), 'StoragesPage')
const SettingsPage = later(() => import('./settings/SettingsPage.tsx'), 'SettingsPage')

const screens: [path: string, screen: ComponentType][] = [
  ['/', DashboardPage],
  ['/search', later(() => import('./search/SearchPage.tsx'), 'SearchPage')],
  ['/filemanagement', later(() => import('./file-management/FileManagementPage.tsx'), 'FileManagementPage')],
  ['/map', later(() => import('./map/MapPage.tsx'), 'MapPage')],
  ['/folders', later(() => import('./folders/FoldersPage.tsx'), 'FoldersPage')],
  ['/comparison', later(() => import('./comparison/ComparisonPage.tsx'), 'ComparisonPage')],
  ['/storages', StoragesPage],
  ['/storages/settings', StoragesPage],
  ['/volumes/:id', later(() => import('./volumes/VolumePage.tsx'), 'VolumePage')],
  ['/projects', later(() => import('./projects/ProjectsPage.tsx'), 'ProjectsPage')],
  ['/projects/new', later(() => import('./projects/form/ProjectFormPage.tsx'), 'NewProjectPage')],
  ['/project/edit/:id', later(() => import('./projects/form/ProjectFormPage.tsx'), 'EditProjectPage')],
  ['/project/:id', later(() => import('./projects/detail/ProjectPage.tsx'), 'ProjectPage')],
  ['/reports', later(() => import('./reports/ReportsPage.tsx'), 'ReportsPage')],
  ['/report/:id', later(() => import('./reports/detail/ReportPage.tsx'), 'ReportPage')],
  ['/policies', later(() => import('./policies/PoliciesPage.tsx'), 'PoliciesPage')],
  ['/policy/new', later(() => import('./policies/PolicyPage.tsx'), 'NewPolicyPage')],
  ['/policy/:id', later(() => import('./policies/PolicyPage.tsx'), 'PolicyPage')],
  ['/settings', SettingsPage],
  ['/settings/jobs', later(() => import('./jobs/JobsPage.tsx'), 'JobsPage')],
  ['/settings/schedules', later(() => import('./schedules/SchedulesPage.tsx'), 'SchedulesPage')],
  ['/settings/:page', SettingsPage],
  ['/alerts', later(() => import('./alerts/AlertsPage.tsx'), 'AlertsPage')],
  ['/profile', later(() => import('./profile/ProfilePage.tsx'), 'ProfilePage')],
  ['/event-log', later(() => import('./event-log/EventLogPage.tsx'), 'EventLogPage')],
  ['/help/:page?', later(() => import('./help/HelpPage.tsx'), 'HelpPage')],
]

help.load = () => import('./help/helpPages.ts').then(({ searchHelp }) => searchHelp)

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
