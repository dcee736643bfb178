import { IconUserCircle } from '@tabler/icons-react'
import { OpensLater } from './OpensLater.tsx'

const load = () => import('./ProfileMenuOpened.tsx').then((m) => m.ProfileMenuOpened)

/** Opens the way to the profile, and to help. */
export function ProfileMenu({ className }: { className: string | undefined }) {
  return (
    <OpensLater load={load} opens="menu">
      <button type="button" className={className}>
        <IconUserCircle size={18} stroke={1.5} aria-hidden />
        <span>Profile</span>
      </button>
    </OpensLater>
  )
}
