import type { ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import type { Needs } from '#events/contract/needs.ts'
import type { CurrentUser } from '#events/users/session.ts'
import { session, userMay } from '#client/app/session.state.ts'

type RoleGuardProps = { needs: Needs; otherwise?: ReactNode; children: ReactNode }

/** Draws what only some may do. An action is left out; a page says `otherwise`. */
export function RoleGuard({ needs, otherwise = null, children }: RoleGuardProps) {
  const { user } = useSnapshot(session)
  return userMay(user as CurrentUser | undefined, needs) ? children : otherwise
}
