import { useSnapshot } from 'valtio'
import { useActiveDate } from '../app/activeDate.ts'
import { session, userMay } from '../app/session.state.ts'

/** Whether tags can be changed here: by those who may, on the newest snapshot. */
export function useMayTag(): boolean {
  const { user } = useSnapshot(session)
  const { isNewest } = useActiveDate()
  return isNewest && userMay(user as typeof session.user, 'entries.tag')
}
