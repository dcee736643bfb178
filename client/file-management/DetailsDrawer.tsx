import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Files.module.css'

/** Details on narrow screens. */
export const DetailsDrawer = ({
  opened,
  onClose,
  children,
}: {
  opened: boolean
  onClose: () => void
  children: ReactNode
}) => (
  <Drawer
    opened={opened}
    onClose={onClose}
    position="right"
    title="Details"
    closeButtonProps={{ 'aria-label': 'Close the details' }}
    classNames={{ body: classes.drawer }}
  >
    {children}
  </Drawer>
)
