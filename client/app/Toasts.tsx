import { Notifications } from '@mantine/notifications'

/** Where toasts appear: three at most, the others wait. */
export function Toasts() {
  return <Notifications position="bottom-right" limit={3} autoClose={8_000} containerWidth={380} />
}
