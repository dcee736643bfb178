import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Copied } from '../ui/Copied.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import classes from './ShownOnce.module.css'

type ShownOnceProps = {
  title: string
  /** What it is, such as "One-time password"; nothing while there is none to show. */
  label: string
  secret: string | undefined
  onClose: () => void
  children: ReactNode
}

/** A secret that the server does not keep: only the button closes this. */
export function ShownOnce({ title, label, secret, onClose, children }: ShownOnceProps) {
  return (
    <Dialog opened={secret !== undefined} onClose={onClose} title={title} size="M" holds>
      <p className={classes.once}>{label} is not shown again.</p>
      {secret !== undefined && <Copied label={label} text={secret} isFirst />}
      <p className={classes.words}>{children}</p>
      <div className={classes.buttons}>
        <Button onClick={onClose}>Done</Button>
      </div>
    </Dialog>
  )
}
