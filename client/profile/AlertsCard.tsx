import { Button } from '@mantine/core'
import { IconBellPlus, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { type Schedule, schedules } from '#events/schedules.ts'
import { call } from '../app/call.ts'
import { useRemote } from '../app/remote.ts'
import { session } from '../app/session.state.ts'
import { ConfirmDeletion } from '../parts/deletion/ConfirmDeletion.tsx'
import { Card } from '../ui/Card.tsx'
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
      <ConfirmDeletion
        doomed={doomed}
        onClose={() => doom(undefined)}
        onDeleted={list.retry}
        title="Delete Confirmation"
        verb="Delete alert"
        remove={({ id }) => call(schedules.remove, { params: { id } })}
        gone={({ name }) => `Alert ${name} was deleted`}
      >
        Are you sure you want to delete alert {doomed?.name}?
      </ConfirmDeletion>
    </>
  )
}
