import { CloseButton, Modal } from '@mantine/core'
import { type ReactNode, useLayoutEffect } from 'react'
import classes from './Dialog.module.css'

/** S, M and L, in pixels. */
const widths = { S: 420, M: 640, L: 960 }

type DialogProps = {
  opened: boolean
  title: string
  size?: keyof typeof widths
  /** What it shows cannot be had again: a click beside it and Escape do not close it. */
  holds?: boolean
  onClose: () => void
  children: ReactNode
}

/** A question or a form over the page; Escape closes it unless it holds what it shows, and the focus returns to where it was. */
export function Dialog({ opened, title, size = 'S', holds = false, onClose, children }: DialogProps) {
  useFocusBack(opened)
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      size={widths[size]}
      centered
      closeOnClickOutside={!holds}
      closeOnEscape={!holds}
      returnFocus={false}
    >
      <Modal.Overlay backgroundOpacity={0.5} />
      <Modal.Content radius="md">
        <div className={classes.head}>
          <Modal.Title className={classes.title}>{title}</Modal.Title>
          <CloseButton aria-label="Close" onClick={onClose} />
        </div>
        <Modal.Body className={classes.body}>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

/** Gives the focus back, once what is open closes or goes away, to what had it when that opened; also where it was drawn open from the first. */
function useFocusBack(opened: boolean): void {
  useLayoutEffect(() => {
    const before = document.activeElement
    if (!opened || !(before instanceof HTMLElement)) return undefined
    return () => {
      const last = document.activeElement
      requestAnimationFrame(() => {
        const now = document.activeElement
        // Whoever went elsewhere meanwhile stays there.
        if (now === last || now === null || now === document.body) before.focus({ preventScroll: true })
      })
    }
  }, [opened])
}
