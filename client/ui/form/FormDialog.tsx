import { type MouseEvent, type ReactNode, useState } from 'react'
import { Confirm } from './Confirm.tsx'
import { Dialog } from './Dialog.tsx'
import type { DialogProps } from './DrawnDialog.tsx'
import { useEscape } from './useEscape.ts'
import classes from './Dialog.module.css'

type FormDialogProps = Omit<DialogProps, 'holds' | 'handlers'> & { children: ReactNode }

/**
 * Dialog with a form. Escape and Close close it; after a change they ask first. Clicks outside don't close it.
 */
export function FormDialog({ opened, onClose, children, ...dialog }: FormDialogProps) {
  const [isChanged, setChanged] = useState(false)
  const [isAsking, ask] = useState(false)
  if (!opened && (isChanged || isAsking)) {
    setChanged(false)
    ask(false)
  }
  const close = () => (isChanged ? ask(true) : onClose())
  const inside = useEscape(opened, close)
  const handlers = {
    onChange: () => setChanged(true),
    onClick: (event: MouseEvent) => isOption(event.target) && setChanged(true),
  }
  return (
    <>
      <Dialog {...dialog} opened={opened} onClose={close} holds handlers={handlers}>
        <div ref={inside} className={classes.inside}>
          {children}
        </div>
      </Dialog>
      <Confirm
        opened={opened && isAsking}
        title="Discard changes?"
        verb="Discard changes"
        refusal="Keep editing"
        onCancel={() => ask(false)}
        onConfirm={onClose}
      >
        Your changes haven&apos;t been saved.
      </Confirm>
    </>
  )
}

/** Options of lists, which change a field without an event of an input. Lists are in portals, so only React bubbles. */
const isOption = (target: EventTarget): boolean => (target as Element).closest('[role="option"]') !== null
