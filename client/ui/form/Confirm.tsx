import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog } from './Dialog.tsx'

type ConfirmProps = {
  opened: boolean
  title: string
  /** Verb and object: "Delete storage". */
  verb: string
  /** Label of the button that changes nothing. */
  refusal?: string
  busy?: boolean
  /** Nothing is deleted, so the confirm button has the focus. */
  isHarmless?: boolean
  onConfirm: () => void
  onCancel: () => void
  children: ReactNode
}

/** Confirmation dialog. Cancel has the focus if the action deletes something. */
export function Confirm(props: ConfirmProps) {
  const {
    opened,
    title,
    verb,
    refusal = 'Cancel',
    busy = false,
    isHarmless = false,
    onConfirm,
    onCancel,
    children,
  } = props
  return (
    <Dialog opened={opened} onClose={onCancel} title={title} holds={busy}>
      <div className="muted break">{children}</div>
      <div className="flex end gap-8 top-24">
        <Button variant="default" data-autofocus={!isHarmless || undefined} onClick={onCancel} disabled={busy}>
          {refusal}
        </Button>
        <Button {...(isHarmless ? { 'data-autofocus': true } : { color: 'danger' })} onClick={onConfirm} loading={busy}>
          {verb}
        </Button>
      </div>
    </Dialog>
  )
}
