import type { ReactNode } from 'react'
import { toast } from '#client/app/toasts.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { Confirm } from '#client/ui/form/Confirm.tsx'

type ConfirmDeletionProps<T> = {
  /** What is about to be deleted; the dialog is open while it is given. */
  deleting: T | undefined
  title: string
  /** The verb and the object: "Delete storage". */
  verb: string
  remove: (deleting: T) => Promise<unknown>
  /** The message once it is deleted. */
  deletedText: (deleting: T) => string
  onClose: () => void
  onDeleted?: () => void
  children: ReactNode
}

/** Asks before something is deleted and confirms it with a toast. After an error the dialog stays open. */
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
