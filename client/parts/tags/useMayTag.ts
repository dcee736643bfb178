import { useSnapshot } from 'valtio'
import { useActiveDate } from '#client/app/activeDate.ts'
import { session, userMay } from '#client/app/session.state.ts'

/** Whether the user may change tags here: by their role, and on the newest snapshot only. */
export function useMayTag(): boolean {
  const { user } = useSnapshot(session)
  const { isNewest } = useActiveDate()
  return isNewest && userMay(user as typeof session.user, 'entries.tag')
}
