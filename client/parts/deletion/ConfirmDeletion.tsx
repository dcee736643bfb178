import type { ReactNode } from 'react'
import { toast } from '../../app/toasts.ts'
import { useBusy } from '../../app/useBusy.ts'
import { Confirm } from '../../ui/Confirm.tsx'

type ConfirmDeletionProps<T> = {
  /** What is to go; nothing while nobody asked for that. */
  doomed: T | undefined
  title: string
  /** The verb and the object: "Delete storage". */
  verb: string
  remove: (doomed: T) => Promise<unknown>
  /** What is said when it is gone. */
  gone: (doomed: T) => string
  onClose: () => void
  onDeleted?: () => void
  children: ReactNode
}

/** Asks before something goes for good, and says that it is gone. A refusal is said, and the question stays. */
export function ConfirmDeletion<T>(props: ConfirmDeletionProps<T>) {
  const { doomed, title, verb, remove, gone, onClose, onDeleted, children } = props
  const [busy, act] = useBusy(async (doomed: T) => {
    await remove(doomed)
    onClose()
    onDeleted?.()
    toast({ kind: 'success', message: gone(doomed) })
  })
  return (
    <Confirm
      opened={doomed !== undefined}
      title={title}
      verb={verb}
      busy={busy}
      onCancel={onClose}
      onConfirm={() => doomed !== undefined && act(doomed)}
    >
      {children}
    </Confirm>
  )
}
