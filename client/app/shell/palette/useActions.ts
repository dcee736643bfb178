import { IconBriefcase, IconDatabasePlus, IconLogout, IconRadar, IconReportAnalytics } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import type { Needs } from '#events/contract/needs.ts'
import type { CurrentUser } from '#events/users/session.ts'
import { useLinks } from '#client/app/links.ts'
import { navigate } from '#client/app/place/navigate.ts'
import { session, signOut, userMay } from '#client/app/session.state.ts'
import { openScan } from '#client/app/shell/shellDialogs.state.ts'
import { toastFailure } from '#client/app/toasts/toasts.ts'
import type { Command } from './command.tsx'

/** Actions that the user may run from any screen. */
export function useActions(): Command[] {
  const links = useLinks()
  const { user } = useSnapshot(session)
  const actions: (Command & { needs: Needs })[] = [
    { label: 'Scan all', icon: IconRadar, needs: 'scans.start', follow: openScan },
    {
      label: 'Add storage',
      icon: IconDatabasePlus,
      needs: 'settings.edit',
      follow: () => navigate(links.addStorage()),
    },
    { label: 'New project', icon: IconBriefcase, needs: 'projects.edit', follow: () => navigate(links.newProject()) },
    { label: 'New report', icon: IconReportAnalytics, needs: 'entries.tag', follow: () => navigate(links.newReport()) },
    {
      label: 'Sign out',
      icon: IconLogout,
      needs: 'snapshots.see',
      follow: () => void signOut().catch(toastFailure),
    },
  ]
  return actions.filter(({ needs }) => userMay(user as CurrentUser | undefined, needs))
}
