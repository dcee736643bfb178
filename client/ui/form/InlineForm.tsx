import { ActionIcon, Button } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { type FormEvent, type ReactNode, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { focus } from './focus.ts'
import classes from './InlineForm.module.css'

type InlineFormProps = {
  /** Labels of the two buttons. */
  words: { save: string; cancel: string }
  /** Forms that edit in place have icon buttons, forms that add something have text buttons. */
  adds?: boolean
  busy: boolean
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  onClose: () => void
  /** The first field gets the focus. */
  children: ReactNode
}

/** One-line form: Enter saves, Escape cancels and restores the focus. */
export function InlineForm({ words, adds = false, busy, onSubmit, onClose, children }: InlineFormProps) {
  const form = useFormKeys(() => busy || onClose())
  return (
    <form ref={form} className={classes.form} onSubmit={onSubmit} noValidate>
      {children}
      {adds ? (
        <>
          <Button type="submit" loading={busy}>
            {words.save}
          </Button>
          <Button variant="default" onClick={onClose} disabled={busy}>
            {words.cancel}
          </Button>
        </>
      ) : (
        <>
          <ActionIcon type="submit" aria-label={words.save} title={words.save} loading={busy}>
            <IconCheck size={16} stroke={1.5} />
          </ActionIcon>
          <ActionIcon aria-label={words.cancel} title={words.cancel} onClick={onClose} disabled={busy}>
            <IconX size={16} stroke={1.5} />
          </ActionIcon>
        </>
      )}
    </form>
  )
}

/** Focuses the first field. On unmount, restores the previous focus unless it has moved elsewhere. */
function useFormKeys(onEscape: () => void) {
  const form = useRef<HTMLFormElement>(null)
  const [before] = useState(() => document.activeElement)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    // A dialog around the form stays open.
    event.stopPropagation()
    onEscape()
  })
  useLayoutEffect(() => {
    const { current } = form
    const hear = (event: KeyboardEvent) => onKey(event)
    current?.addEventListener('keydown', hear)
    focus(current?.querySelector('input') ?? null)
    return () => {
      current?.removeEventListener('keydown', hear)
      if (current?.contains(document.activeElement)) focus(before)
    }
  }, [before])
  return form
}
