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
  /** The fields scroll, and the buttons stay visible below them. */
  isLong?: boolean
  /** Without it there is no Cancel button. */
  onClose?: () => void
  /** Saves in spite of a problem with the connection. Undefined without one. */
  saveAnyway?: (() => void) | undefined
  /** Content next to the submit button. */
  beside?: ReactNode
  children: ReactNode
}

/** Fields above Cancel and submit buttons. */
export function DialogForm(props: DialogFormProps) {
  const { onSubmit, busy, saves, disabled = false, isLong = false, onClose, saveAnyway, beside, children } = props
  return (
    <form className={isLong ? classes.long : 'stack gap-16'} onSubmit={onSubmit} noValidate>
      {children}
      <div className={isLong ? classes.footer : 'flex wrap end gap-8 top-8'}>
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
