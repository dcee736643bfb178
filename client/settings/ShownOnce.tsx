import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Copied } from '../ui/Copied.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import classes from './ShownOnce.module.css'

type ShownOnceProps = {
  title: string
  isShown: boolean
  warning: string
  onClose: () => void
  children: ReactNode
}

/** What the server does not keep: only the button closes this. */
export function ShownOnce({ title, isShown, warning, onClose, children }: ShownOnceProps) {
  return (
    <Dialog opened={isShown} onClose={onClose} title={title} size="M" holds>
      <p className={classes.once}>{warning}</p>
      {children}
      <div className={classes.buttons}>
        <Button onClick={onClose}>Done</Button>
      </div>
    </Dialog>
  )
}

type SecretShownOnceProps = Pick<ShownOnceProps, 'title' | 'onClose' | 'children'> & {
  /** What it is, such as "This API token". */
  label: string
  /** Nothing while there is none to show. */
  secret: string | undefined
  /** What else to know before it is gone. */
  warning?: string
}

/** A secret to be copied, and words about its use. */
export function SecretShownOnce({ label, secret, warning = '', children, ...frame }: SecretShownOnceProps) {
  return (
    <ShownOnce {...frame} isShown={secret !== undefined} warning={`${label} is not shown again. ${warning}`}>
      {secret !== undefined && <Copied label={label} text={secret} isFirst />}
      <p className={classes.words}>{children}</p>
    </ShownOnce>
  )
}
