import {
  IconFolders,
  IconHistory,
  IconLayoutDashboard,
  IconLogout,
  IconPin,
  IconPinnedOff,
  IconReportAnalytics,
  IconSearch,
  IconSettings,
  IconBriefcase,
  type Icon,
} from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { Link, useLocation } from 'wouter'
import type { CurrentUser } from '#events/session.ts'
import { Mark } from '../../ui/Mark.tsx'
import { useLinks } from '../links.ts'
import { session, signOut, userMay } from '../session.state.ts'
import { toastFailure } from '../toasts.ts'
import { ProfileMenu } from './ProfileMenu.tsx'
import { pinRail, rail } from './rail.state.ts'
import classes from './Rail.module.css'

type Entry = { label: string; icon: Icon; href: string; isHere: boolean }

/** The navigation: icons that open over the content on hover or focus, a drawer on small screens. */
export function Rail({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const entries = useEntries()
  const { isPinned } = useSnapshot(rail)
  const Pin = isPinned ? IconPinnedOff : IconPin
  return (
    <>
      {isOpen && (
        <button type="button" className={classes.backdrop} aria-label="Close the navigation" onClick={onClose} />
      )}
      <nav className={classes.rail} aria-label="Main" data-open={isOpen} data-pinned={isPinned}>
        <div className={classes.brand} aria-hidden>
          <Mark size={24} />
        </div>
        <ul className={classes.entries}>
          {entries.map((entry) => (
            <li key={entry.label}>
              <EntryLink entry={entry} onFollow={onClose} />
            </li>
          ))}
        </ul>
        <ul className={classes.entries}>
          <li>
            <ProfileMenu className={classes.entry} />
          </li>
          <li>
            <button type="button" className={classes.entry} onClick={() => void signOut().catch(toastFailure)}>
              <IconLogout size={18} stroke={1.5} aria-hidden />
              <span>Logout</span>
            </button>
          </li>
          <li className={classes.pin}>
            <button type="button" className={classes.entry} aria-pressed={isPinned} onClick={() => pinRail(!isPinned)}>
              <Pin size={18} stroke={1.5} aria-hidden />
              <span>{isPinned ? 'Unpin' : 'Keep open'}</span>
            </button>
          </li>
        </ul>
      </nav>
    </>
  )
}

function EntryLink({ entry, onFollow }: { entry: Entry; onFollow: () => void }) {
  const { label, icon: Sign, href, isHere } = entry
  return (
    <Link className={classes.entry} href={href} aria-current={isHere ? 'page' : undefined} onClick={onFollow}>
      <Sign size={18} stroke={1.5} aria-hidden />
      <span>{label}</span>
    </Link>
  )
}

function useEntries(): Entry[] {
  const links = useLinks()
  const [path] = useLocation()
  const { user } = useSnapshot(session)
  const below = (...starts: string[]) => starts.some((start) => path === start || path.startsWith(`${start}/`))
  return [
    { label: 'Dashboard', icon: IconLayoutDashboard, href: links.dashboard(), isHere: path === '/' },
    {
      label: 'File Management',
      icon: IconFolders,
      href: links.fileManagement(),
      isHere: below('/filemanagement', '/folders', '/volumes'),
    },
    { label: 'Projects', icon: IconBriefcase, href: links.projects(), isHere: below('/projects', '/project') },
    { label: 'Reports', icon: IconReportAnalytics, href: links.reports(), isHere: below('/reports', '/report') },
    { label: 'Search', icon: IconSearch, href: links.search(), isHere: below('/search') },
    ...(userMay(user as CurrentUser | undefined, 'events.see')
      ? [{ label: 'Event log', icon: IconHistory, href: links.eventLog(), isHere: below('/event-log') }]
      : []),
    { label: 'Settings', icon: IconSettings, href: links.settings(), isHere: below('/settings') },
  ]
}
