import { Button } from '@mantine/core'
import type { FormEventHandler, ReactNode } from 'react'
import classes from './DialogForm.module.css'

type DialogFormProps = {
  onSubmit: FormEventHandler<HTMLFormElement>
  busy: boolean
  /** What the button that saves says. */
  saves: string
  disabled?: boolean
  /** Without it nothing cancels. */
  onClose?: () => void
  /** What stands beside the button that saves. */
  beside?: ReactNode
  children: ReactNode
}

/** Fields below each other, and the buttons that give up or save them. */
export function DialogForm({ onSubmit, busy, saves, disabled = false, onClose, beside, children }: DialogFormProps) {
  return (
    <form className={classes.form} onSubmit={onSubmit} noValidate>
      {children}
      <div className={classes.buttons}>
        {beside}
        {onClose && (
          <Button variant="default" onClick={onClose} disabled={busy}>
            Cancel
          </Button>
        )}
        <Button type="submit" loading={busy} disabled={disabled}>
          {saves}
        </Button>
      </div>
    </form>
  )
}
