import { ActionIcon, Button } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useBusy } from '#client/app/useBusy.ts'
import { Confirm } from '#client/ui/form/Confirm.tsx'

type ConfirmedButtonProps = {
  label: string
  /** Replaces the visible label. */
  icon?: Icon
  title: string
  /** Verb and object: "Reset password". */
  verb: string
  /** The dialog stays open if it fails. */
  act: () => Promise<void>
  children: ReactNode
}

/** Button whose action has to be confirmed. */
export function ConfirmedButton({ label, icon: Sign, act, ...dialog }: ConfirmedButtonProps) {
  const [isAsking, ask] = useState(false)
  const [busy, run] = useBusy(async () => {
    await act()
    ask(false)
  })
  return (
    <>
      {Sign ? (
        <ActionIcon aria-label={label} onClick={() => ask(true)}>
          <Sign size={16} stroke={1.5} />
        </ActionIcon>
      ) : (
        <Button variant="default" size="compact-sm" onClick={() => ask(true)}>
          {label}
        </Button>
      )}
      <Confirm {...dialog} opened={isAsking} busy={busy} onCancel={() => ask(false)} onConfirm={() => run()} />
    </>
  )
}
