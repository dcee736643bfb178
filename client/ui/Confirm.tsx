import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog } from './Dialog.tsx'
import classes from './Confirm.module.css'

type ConfirmProps = {
  opened: boolean
  title: string
  /** The verb and the object: "Delete storage". */
  verb: string
  busy?: boolean
  onConfirm: () => void
  onCancel: () => void
  children: ReactNode
}

/** Asks before something is destroyed. Cancel has the focus. */
export function Confirm({ opened, title, verb, busy = false, onConfirm, onCancel, children }: ConfirmProps) {
  return (
    <Dialog opened={opened} onClose={onCancel} title={title}>
      <div className={classes.message}>{children}</div>
      <div className={classes.buttons}>
        <Button variant="default" data-autofocus onClick={onCancel} disabled={busy}>
          Cancel
        </Button>
        <Button color="danger" onClick={onConfirm} loading={busy}>
          {verb}
        </Button>
      </div>
    </Dialog>
  )
}
