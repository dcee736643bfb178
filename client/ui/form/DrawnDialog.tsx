import { CloseButton, Modal } from '@mantine/core'
import { type HTMLAttributes, type ReactNode, useLayoutEffect } from 'react'
import classes from './Dialog.module.css'

/** Pixels. */
const widths = { S: 420, M: 640, L: 960 }

export type DialogProps = {
  opened: boolean
  title: string
  size?: 'S' | 'M' | 'L'
  /** Closing would lose its content for good, so Escape and a click outside don't close it. */
  holds?: boolean
  /** Handlers of events in the dialog, and in lists that it opens. */
  handlers?: Pick<HTMLAttributes<HTMLDivElement>, 'onChange' | 'onClick'>
  onClose: () => void
  children: ReactNode
}

/** Modal dialog. Escape closes it unless `holds`, and the focus returns to where it was. */
export function DrawnDialog({ opened, title, size = 'S', holds = false, handlers, onClose, children }: DialogProps) {
  useFocusBack(opened)
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      size={widths[size]}
      classNames={{ inner: classes.inner, content: classes.content }}
      centered
      closeOnClickOutside={!holds}
      closeOnEscape={!holds}
      returnFocus={false}
    >
      <Modal.Overlay backgroundOpacity={0.5} />
      <Modal.Content radius="md" {...handlers}>
        <div className={classes.head}>
          <Modal.Title className={classes.title}>{title}</Modal.Title>
          <CloseButton aria-label="Close" onClick={onClose} />
        </div>
        <Modal.Body className={classes.body}>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

/** Restores the focus when the dialog closes or unmounts, also if it was mounted open. */
function useFocusBack(opened: boolean): void {
  useLayoutEffect(() => {
    const before = document.activeElement
    if (!opened || !(before instanceof HTMLElement)) return undefined
    return () => {
      const last = document.activeElement
      requestAnimationFrame(() => {
        const now = document.activeElement
        // Skipped if the user has already moved the focus elsewhere.
        if (now === last || now === null || now === document.body) before.focus({ preventScroll: true })
      })
    }
  }, [opened])
}
