import { Button } from '@mantine/core'
import { type Session, ownSessions } from '#events/sessions.ts'
import { call } from '../app/call.ts'
import { useRemote } from '../app/remote.ts'
import { toast } from '../app/toasts.ts'
import { useBusy } from '../app/useBusy.ts'
import { browserText } from '../parts/sessions/browserText.ts'
import { sessionColumns } from '../parts/sessions/sessionColumns.tsx'
import { Card } from '../ui/Card.tsx'
import { DataTable } from '../ui/DataTable.tsx'
import { countText, counted } from '../ui/text/count.ts'

/** The browsers in which one is signed in, and the way out of each. */
export function SessionsCard() {
  const list = useRemote(ownSessions.list, {}, 'sessions')
  const [, signOut] = useBusy(async ({ id, userAgent }: Session) => {
    await call(ownSessions.end, { params: { id } })
    list.retry()
    toast({ kind: 'success', message: `${browserText(userAgent)} was signed out` })
  })
  const [busy, signOutOthers] = useBusy(async () => {
    const { ended } = await call(ownSessions.endOthers, {})
    list.retry()
    toast({ kind: 'success', message: `${counted(ended, 'browser')} signed out` })
  })
  const others = (
    <Button variant="default" loading={busy} onClick={() => signOutOthers()}>
      Sign out all others
    </Button>
  )
  return (
    <Card title="Sessions" note={list.data && countText(list.data.length)} remote={list}>
      {(rows) => (
        <DataTable
          label="Sessions"
          columns={sessionColumns({ signOut })}
          rows={rows}
          rowKey={({ id }) => id}
          empty={null}
          footer={rows.length > 1 && others}
        />
      )}
    </Card>
  )
}
