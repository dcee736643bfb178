import { Button } from '@mantine/core'
import type { FormEventHandler, ReactNode } from 'react'
import classes from './DialogForm.module.css'

type DialogFormProps = {
  onSubmit: FormEventHandler<HTMLFormElement>
  busy: boolean
  /** Label of the submit button. */
  saves: string
  disabled?: boolean
  /** Without it there is no Cancel button. */
  onClose?: () => void
  /** Content next to the submit button. */
  beside?: ReactNode
  children: ReactNode
}

/** Fields above Cancel and submit buttons. */
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
