import { Button } from '@mantine/core'
import type { FormEventHandler, ReactNode } from 'react'
import { IgnoreLink } from './IgnoreLink.tsx'
import classes from './DialogForm.module.css'

type DialogFormProps = {
  onSubmit: FormEventHandler<HTMLFormElement>
  busy: boolean
  /** Label of the submit button. */
  saves: string
  disabled?: boolean
  /** Without it there is no Cancel button. */
  onClose?: () => void
  /** Saves in spite of a problem with the connection. Undefined without one. */
  saveAnyway?: (() => void) | undefined
  /** Content next to the submit button. */
  beside?: ReactNode
  children: ReactNode
}

/** Fields above Cancel and submit buttons, which stay visible while a dialog scrolls. */
export function DialogForm(props: DialogFormProps) {
  const { onSubmit, busy, saves, disabled = false, onClose, saveAnyway, beside, children } = props
  return (
    <form className="stack gap-16" onSubmit={onSubmit} noValidate>
      {children}
      <div className={classes.footer}>
        {saveAnyway && !busy && <IgnoreLink onClick={saveAnyway}>Save anyway</IgnoreLink>}
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
