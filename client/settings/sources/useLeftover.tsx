import { type ReactNode, useState } from 'react'
import { toastFailure } from '#client/app/toasts/toasts.ts'
import type { SubFormTable } from '#client/parts/settings-table/SubForm.tsx'
import { Confirm } from '#client/ui/form/Confirm.tsx'
import { counted } from '#client/ui/text/count.ts'

type Leftover = {
  /** Notes credentials that were created in the wizard. */
  note: (id: number) => void
  /** Closes the wizard, after a question if it created credentials. */
  leave: () => void
  question: ReactNode
}

/** Asks whether credentials that a canceled wizard created are kept. */
export function useLeftover({ calls }: SubFormTable, onClose: () => void): Leftover {
  const [created, setCreated] = useState<number[]>([])
  const [isAsking, ask] = useState(false)
  const remove = () => {
    void Promise.all(created.map((id) => calls.remove?.({ id }))).catch(toastFailure)
    onClose()
  }
  return {
    note: (id) => setCreated([...created, id]),
    leave: () => (created.length > 0 ? ask(true) : onClose()),
    question: (
      <Confirm
        opened={isAsking}
        title="Delete the new credentials?"
        verb="Delete credentials"
        refusal="Keep them"
        onConfirm={remove}
        onCancel={onClose}
      >
        No storage was added, and {counted(created.length, 'new credential')} would remain unused.
      </Confirm>
    ),
  }
}
