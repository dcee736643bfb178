import { IconLogout, IconPin, IconPinnedOff, IconUserCircle } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { useLinks } from '#client/app/links.ts'
import { signOut } from '#client/app/session.state.ts'
import { useFiring } from '#client/app/firing.ts'
import { useFailedStorages } from '#client/app/storageStates.ts'
import { LazyPopover } from '#client/app/shell/LazyPopover.tsx'
import { toastFailure } from '#client/app/toasts/toasts.ts'
import { Logo } from '#client/ui/Logo.tsx'
import { counted } from '#client/ui/text/count.ts'
import { pinRail, rail } from './rail.state.ts'
import { type NavigationItem, useNavigationItems } from './navigationItems.ts'
import classes from './Rail.module.css'

/** Navigation: icons that expand over the content on hover or focus, or a drawer on small screens. */
export function Rail({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const entries = useNavigationItems()
  const { dashboard, alerts } = useLinks()
  const failed = useFailedStorages()
  const firing = useFiring().loud ?? 0
  const marks = new Map([
    [dashboard(), { count: failed, label: counted(failed, 'failed scan') }],
    [alerts(), { count: firing, label: counted(firing, 'firing alert') }],
  ])
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
              <NavigationLink entry={entry} mark={marks.get(entry.href)} onFollow={onClose} />
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

type NavigationLinkProps = {
  entry: NavigationItem
  /** Number of problems, shown at the entry if there are any. */
  mark: { count: number; label: string } | undefined
  onFollow: () => void
}

function NavigationLink({ entry, mark, onFollow }: NavigationLinkProps) {
  const { label, icon: Sign, href, isHere } = entry
  return (
    <Link className={classes.entry} href={href} aria-current={isHere ? 'page' : undefined} onClick={onFollow}>
      <Sign size={18} stroke={1.5} aria-hidden />
      <span>{label}</span>
      {mark && mark.count > 0 && (
        <output className={classes.failed} aria-label={mark.label}>
          {mark.count}
        </output>
      )}
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
