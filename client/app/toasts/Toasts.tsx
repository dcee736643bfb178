import { Notifications } from '@mantine/notifications'
import '@mantine/notifications/styles.layer.css'
import { maxToasts } from './toasts.ts'
import classes from './Toasts.module.css'

/** Toasts at the lower right; on small screens below the header. Dialogs keep that place free. */
export const Toasts = () => (
  <Notifications
    className={classes.toasts}
    position="bottom-right"
    withinPortal={false}
    limit={maxToasts}
    autoClose={8_000}
    containerWidth={380}
  />
)
