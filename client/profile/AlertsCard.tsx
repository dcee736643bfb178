import { Button } from '@mantine/core'
import { IconBellPlus, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { type Schedule, schedules } from '#events/schedules.ts'
import { call } from '../app/call.ts'
import { useRemote } from '../app/remote.ts'
import { session } from '../app/session.state.ts'
import { toast } from '../app/toasts.ts'
import { useBusy } from '../app/useBusy.ts'
import { Card } from '../ui/Card.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { DataTable } from '../ui/DataTable.tsx'
import { Notice } from '../ui/Notice.tsx'
import { countText } from '../ui/text/count.ts'
import { AlertForm } from './AlertForm.tsx'
import { alertColumns } from './alertColumns.tsx'
import { useAlertVolumes } from './useAlertVolumes.ts'

/** When one is told that a storage runs full. */
export function AlertsCard() {
  const { user } = useSnapshot(session)
  const query = { jobGroup: 'ALERT' as const, userId: Number(user?.id) }
  const list = useRemote(schedules.list, { query }, 'schedules')
  const volumes = useAlertVolumes()
  const [edited, edit] = useState<Schedule | 'new'>()
  const [doomed, doom] = useState<Schedule>()
  const columns = alertColumns({ volumes: volumes.data, edit, remove: doom })
  const add = (
    <Button leftSection={<IconPlus size={16} stroke={1.5} />} variant="default" onClick={() => edit('new')}>
      Add alert
    </Button>
  )
  return (
    <>
      <Card title="Alert configurations" note={list.data && countText(list.data.length)} remote={list}>
        {(rows) => (
          <DataTable
            label="Alerts"
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            empty={
              <Notice icon={IconBellPlus} step={add}>
                No alert is set up yet. An alert mails you when a storage is fuller than you want it to be.
              </Notice>
            }
            footer={add}
          />
        )}
      </Card>
      <AlertForm edited={edited} volumes={volumes} onClose={() => edit(undefined)} onSaved={list.retry} />
      <DeleteAlert doomed={doomed} onClose={() => doom(undefined)} onDeleted={list.retry} />
    </>
  )
}

type DeleteAlertProps = { doomed: Schedule | undefined; onClose: () => void; onDeleted: () => void }

function DeleteAlert({ doomed, onClose, onDeleted }: DeleteAlertProps) {
  const [busy, remove] = useBusy(async ({ id, name }: Schedule) => {
    await call(schedules.remove, { params: { id } })
    onClose()
    onDeleted()
    toast({ kind: 'success', message: `Alert ${name} was deleted` })
  })
  return (
    <Confirm
      opened={doomed !== undefined}
      title="Delete Confirmation"
      verb="Delete alert"
      busy={busy}
      onCancel={onClose}
      onConfirm={() => doomed && remove(doomed)}
    >
      Are you sure you want to delete alert {doomed?.name}?
    </Confirm>
  )
}
