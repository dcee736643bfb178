import { useSnapshot } from 'valtio'
import { session } from '../session.state.ts'
import { OpensLater } from './OpensLater.tsx'
import classes from './UserMenu.module.css'

const load = () => import('./UserMenuOpened.tsx').then((m) => m.UserMenuOpened)

/** Who is signed in; opens how this browser shows things, and the way out. */
export function UserMenu() {
  const { user } = useSnapshot(session)
  const name = user?.name ?? ''
  return (
    <OpensLater load={load} opens="menu">
      <button type="button" className={classes.user} aria-label={`${name}: account and display`}>
        {name.slice(0, 1).toUpperCase()}
      </button>
    </OpensLater>
  )
}
