import { Button } from '@mantine/core'
import { useState } from 'react'
import { builtInAgent } from '#events/agents.ts'
import { restart } from '#events/administration.ts'
import { call } from '../../app/call.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { useBusy } from '../../app/useBusy.ts'
import { Confirm } from '#client/ui/form/Confirm.tsx'

const toastMs = 5_000

/** Restarts the API after a confirmation, since all users are interrupted. */
export function RestartApi() {
  const [isAsking, ask] = useState(false)
  const [busy, restartApi] = useBusy(async () => {
    const outcome = await call(restart, { params: { id: builtInAgent } }).then(
      () => ({
        kind: 'info' as const,
        message: 'The API will restart in 15 seconds. Please note that it will be down for a couple of minutes.',
      }),
      () => ({ kind: 'danger' as const, message: 'Unable to restart the API.' }),
    )
    ask(false)
    toast(outcome, toastMs)
  })
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={() => ask(true)}>
        Restart API
      </Button>
      <Confirm
        opened={isAsking}
        title="Restart the API"
        verb="Restart API"
        busy={busy}
        onCancel={() => ask(false)}
        onConfirm={() => restartApi()}
      >
        Everyone is disconnected until the API is back. Scans resume where they left off.
      </Confirm>
    </>
  )
}
