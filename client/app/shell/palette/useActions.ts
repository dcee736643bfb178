import {
  IconBell,
  IconBriefcase,
  IconCalendarTime,
  IconCoins,
  IconDatabasePlus,
  IconDeviceTv,
  IconKey,
  IconLogout,
  IconRadar,
  IconReportAnalytics,
  IconSend,
  IconServer,
  IconUserPlus,
} from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { projects } from '#events/projects/calls.ts'
import { reports } from '#events/reports/calls.ts'
import { schedules } from '#events/schedules/calls.ts'
import type { CurrentUser } from '#events/users/session.ts'
import { useLinks } from '#client/app/links.ts'
import { navigate } from '#client/app/place/navigate.ts'
import { type Permission, session, signOut, userMay } from '#client/app/session.state.ts'
import { openScan } from '#client/app/shell/shellDialogs.state.ts'
import { toastFailure } from '#client/app/toasts/toasts.ts'
import type { Command } from './command.tsx'

/** Actions that the user may run from any screen. */
export function useActions(): Command[] {
  const links = useLinks()
  const { user } = useSnapshot(session)
  const to = (address: string) => () => navigate(address)
  const actions: (Command & { needs: Permission })[] = [
    { label: 'Scan all', icon: IconRadar, needs: 'scans.start', follow: openScan },
    { label: 'Add storage', icon: IconDatabasePlus, needs: 'settings.edit', follow: to(links.addStorage()) },
    { label: 'New project', icon: IconBriefcase, needs: projects.create, follow: to(links.newProject()) },
    { label: 'New report', icon: IconReportAnalytics, needs: reports.create, follow: to(links.newReport()) },
    { label: 'Add alert', icon: IconBell, needs: schedules.create, follow: to(links.addAlert()) },
    { label: 'Add schedule', icon: IconCalendarTime, needs: 'settings.edit', follow: to(links.addSchedule()) },
    { label: 'Add user', icon: IconUserPlus, needs: 'settings.edit', follow: to(links.addRow('users', 'user')) },
    { label: 'Add API token', icon: IconKey, needs: 'settings.edit', follow: to(links.addRow('tokens', 'token')) },
    {
      label: 'Add wall display',
      icon: IconDeviceTv,
      needs: 'settings.edit',
      follow: to(links.addRow('walls', 'wall')),
    },
    { label: 'Add agent', icon: IconServer, needs: 'settings.edit', follow: to(links.addRow('data', 'agent')) },
    {
      label: 'Add price book',
      icon: IconCoins,
      needs: 'settings.edit',
      follow: to(links.addRow('data', 'price-book')),
    },
    {
      label: 'Send event log to a SIEM',
      icon: IconSend,
      needs: 'settings.edit',
      follow: to(links.addRow('system', 'destination')),
    },
    {
      label: 'Sign out',
      icon: IconLogout,
      needs: 'snapshots.see',
      follow: () => void signOut().catch(toastFailure),
    },
  ]
  return actions.filter(({ needs }) => userMay(user as CurrentUser | undefined, needs))
}
