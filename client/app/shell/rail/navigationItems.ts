import {
  IconArrowsDiff,
  IconBell,
  IconBriefcase,
  IconChecklist,
  IconDatabase,
  IconFolders,
  IconHistory,
  IconLayoutDashboard,
  IconListDetails,
  IconReportAnalytics,
  IconSearch,
  IconSettings,
  type Icon,
} from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { useLocation } from 'wouter'
import type { Needs } from '#events/contract/needs.ts'
import type { CurrentUser } from '#events/users/session.ts'
import { useLinks } from '#client/app/links.ts'
import { session, userMay } from '#client/app/session.state.ts'
import { mayOpen } from '#client/app/shell/screenCalls.ts'

export type NavigationItem = { label: string; icon: Icon; href: string; isHere: boolean }

/** Screens of the navigation that the user may open. */
export function useNavigationItems(): NavigationItem[] {
  const own = useSnapshot(session).user as CurrentUser | undefined
  const items = useScreenItems()
  // Without limits, screens that others may not see say so.
  return own?.limits ? items.filter(({ href }) => mayOpen(own, href)) : items
}

/** Screens for the roles of the user, also those that limits refuse. */
export function useScreenItems(): NavigationItem[] {
  const links = useLinks()
  const [path] = useLocation()
  const { user } = useSnapshot(session)
  const own = user as CurrentUser | undefined
  const may = (what: Needs) => userMay(own, what)
  const below = (...starts: string[]) => starts.some((start) => path === start || path.startsWith(`${start}/`))
  return [
    { label: 'Dashboard', icon: IconLayoutDashboard, href: links.dashboard(), isHere: path === '/' },
    { label: 'Storages', icon: IconDatabase, href: links.storages(), isHere: below('/storages', '/volumes') },
    {
      label: 'File Management',
      icon: IconFolders,
      href: links.fileManagement(),
      isHere: below('/filemanagement', '/folders', '/map'),
    },
    { label: 'Comparison', icon: IconArrowsDiff, href: links.comparison(), isHere: below('/comparison') },
    { label: 'Projects', icon: IconBriefcase, href: links.projects(), isHere: below('/projects', '/project') },
    { label: 'Reports', icon: IconReportAnalytics, href: links.reports(), isHere: below('/reports', '/report') },
    ...(may('policies.edit')
      ? [{ label: 'Policies', icon: IconChecklist, href: links.policies(), isHere: below('/policies', '/policy') }]
      : []),
    { label: 'Search', icon: IconSearch, href: links.search(), isHere: below('/search') },
    ...(may('jobs.see')
      ? [{ label: 'Jobs', icon: IconListDetails, href: links.jobs(), isHere: below('/settings/jobs') }]
      : []),
    { label: 'Alerts', icon: IconBell, href: links.alerts(), isHere: below('/alerts') },
    ...(may('events.see')
      ? [{ label: 'Event log', icon: IconHistory, href: links.eventLog(), isHere: below('/event-log') }]
      : []),
    ...(may('settings.edit')
      ? [
          {
            label: 'Settings',
            icon: IconSettings,
            href: links.settings(),
            isHere: below('/settings') && !below('/settings/jobs'),
          },
        ]
      : []),
  ]
}
