import { useSnapshot } from 'valtio'
import { changeTags } from '#events/tags.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { session, userMay } from '#client/app/session.state.ts'

/** True if the user's role allows changing tags and the newest snapshot is selected. */
export function useMayTag(): boolean {
  const { user } = useSnapshot(session)
  const { isNewest } = useActiveDate()
  return isNewest && userMay(user as typeof session.user, changeTags)
}
