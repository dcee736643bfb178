import type { ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import type { CurrentUser } from '#events/users/session.ts'
import { type Permission, session, userMay } from '#client/app/session.state.ts'

type RoleGuardProps = { needs: Permission; otherwise?: ReactNode; children: ReactNode }

/** Renders children only with the permission, else `otherwise`: nothing for actions, a message for pages. */
export function RoleGuard({ needs, otherwise = null, children }: RoleGuardProps) {
  const { user } = useSnapshot(session)
  return userMay(user as CurrentUser | undefined, needs) ? children : otherwise
}
