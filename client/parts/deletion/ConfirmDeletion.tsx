import type { ReactNode } from 'react'
import { toast } from '#client/app/toasts/toasts.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { Confirm } from '#client/ui/form/Confirm.tsx'

type ConfirmDeletionProps<T> = {
  /** Item to delete; the dialog is open while it is set. */
  deleting: T | undefined
  title: string
  /** Verb and object: "Delete storage". */
  verb: string
  remove: (deleting: T) => Promise<unknown>
  /** Toast after the deletion. */
  deletedText: (deleting: T) => string
  onClose: () => void
  onDeleted?: () => void
  children: ReactNode
}

/** Confirms a deletion, then shows a toast. Stays open after an error. */
export function ConfirmDeletion<T>(props: ConfirmDeletionProps<T>) {
  const { deleting, title, verb, remove, deletedText, onClose, onDeleted, children } = props
  const [busy, act] = useBusy(async (deleting: T) => {
    await remove(deleting)
    onClose()
    onDeleted?.()
    toast({ kind: 'success', message: deletedText(deleting) })
  })
  return (
    <Confirm
      opened={deleting !== undefined}
      title={title}
      verb={verb}
      busy={busy}
      onCancel={onClose}
      onConfirm={() => deleting !== undefined && act(deleting)}
    >
      {children}
    </Confirm>
  )
}
