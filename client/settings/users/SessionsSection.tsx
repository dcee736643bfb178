import { useState } from 'react'
import { type Session, sessions } from '#events/sessions.ts'
import { call } from '../../app/call.ts'
import { useRemote } from '../../app/remote.ts'
import { toast } from '../../app/toasts.ts'
import { useBusy } from '../../app/useBusy.ts'
import { sessionColumns } from '../../parts/sessions/sessionColumns.tsx'
import { Card } from '../../ui/Card.tsx'
import type { Sort } from '../../ui/column.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { countText } from '../../ui/text/count.ts'

/** The browsers that are signed in, of everyone. */
export function SessionsSection() {
  const [sort, setSort] = useState<Sort>({ field: 'lastSeenAt', direction: 'desc' })
  const query = { page: 1, size: everySession, sort: sort.field, direction: sort.direction }
  const list = useRemote(sessions.list, { query }, 'sessions')
  const [, signOut] = useBusy(async ({ id, userName }: Session) => {
    await call(sessions.end, { params: { id } })
    list.retry()
    toast({ kind: 'success', message: `A browser of ${userName} was signed out` })
  })
  return (
    <Card title="Sessions" note={list.data && countText(list.data.total)} remote={list} folds="closed">
      {({ elements }) => (
        <DataTable
          label="Sessions"
          columns={sessionColumns({ signOut, withUsers: true })}
          rows={elements}
          rowKey={({ id }) => id}
          sort={sort}
          onSort={setSort}
          empty={null}
        />
      )}
    </Card>
  )
}

const everySession = 500
