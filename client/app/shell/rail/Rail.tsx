import { IconLogout, IconPin, IconPinnedOff, IconUserCircle } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { signOut } from '#client/app/session.state.ts'
import { LazyPopover } from '#client/app/shell/LazyPopover.tsx'
import { toastFailure } from '#client/app/toasts.ts'
import { Logo } from '#client/ui/Logo.tsx'
import { pinRail, rail } from './rail.state.ts'
import { type NavigationItem, useNavigationItems } from './navigationItems.ts'
import classes from './Rail.module.css'

/** Navigation: icons that expand over the content on hover or focus, or a drawer on small screens. */
export function Rail({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const entries = useNavigationItems()
  const { isPinned } = useSnapshot(rail)
  const Pin = isPinned ? IconPinnedOff : IconPin
  return (
    <>
      {isOpen && (
        <button type="button" className={classes.backdrop} aria-label="Close the navigation" onClick={onClose} />
      )}
      <nav className={classes.rail} aria-label="Main" data-open={isOpen} data-pinned={isPinned}>
        <div className={classes.brand} aria-hidden>
          <Logo size={24} />
        </div>
        <ul className={classes.entries}>
          {entries.map((entry) => (
            <li key={entry.label}>
              <NavigationLink entry={entry} onFollow={onClose} />
            </li>
          ))}
        </ul>
        <ul className={classes.entries}>
          <li>
            <ProfileButton className={classes.entry} />
          </li>
          <li>
            <button type="button" className={classes.entry} onClick={() => void signOut().catch(toastFailure)}>
              <IconLogout size={18} stroke={1.5} aria-hidden />
              <span>Sign out</span>
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

function NavigationLink({ entry, onFollow }: { entry: NavigationItem; onFollow: () => void }) {
  const { label, icon: Sign, href, isHere } = entry
  return (
    <Link className={classes.entry} href={href} aria-current={isHere ? 'page' : undefined} onClick={onFollow}>
      <Sign size={18} stroke={1.5} aria-hidden />
      <span>{label}</span>
    </Link>
  )
}

const loadProfileMenu = () => import('./ProfileMenu.tsx').then((m) => m.ProfileMenu)

/** Opens the menu with profile and help. */
function ProfileButton({ className }: { className: string | undefined }) {
  return (
    <LazyPopover load={loadProfileMenu} opens="menu">
      <button type="button" className={className}>
        <IconUserCircle size={18} stroke={1.5} aria-hidden />
        <span>Profile</span>
      </button>
    </LazyPopover>
  )
}
