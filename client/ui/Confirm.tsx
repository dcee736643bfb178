import { Button, Group, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
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
    <Modal opened={opened} onClose={onCancel} title={title} size={420}>
      <div className={classes.message}>{children}</div>
      <Group justify="flex-end" gap={8} mt={24}>
        <Button variant="default" data-autofocus onClick={onCancel} disabled={busy}>
          Cancel
        </Button>
        <Button color="danger" onClick={onConfirm} loading={busy}>
          {verb}
        </Button>
      </Group>
    </Modal>
  )
}
