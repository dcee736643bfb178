import { Button } from '@mantine/core'
import { IconBellPlus, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { type Schedule, schedules } from '#events/schedules/calls.ts'
import { call } from '#client/app/call.ts'
import { useRemote } from '#client/app/remote.ts'
import { session } from '#client/app/session.state.ts'
import { ConfirmDeletion } from '#client/parts/deletion/ConfirmDeletion.tsx'
import { Card } from '#client/ui/Card.tsx'
import { DataTable } from '#client/ui/table/DataTable.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { countText } from '#client/ui/text/count.ts'
import { AlertForm } from './AlertForm.tsx'
import { alertColumns } from './alertColumns.tsx'
import { useAlertResources } from './alertResources.ts'

/** Alerts for full storages and projects, and for failed report checks. */
export function AlertsCard() {
  const { user } = useSnapshot(session)
  const query = { jobGroup: 'ALERT' as const, userId: Number(user?.id) }
  const list = useRemote(schedules.list, { query }, 'schedules')
  const resources = useAlertResources()
  const [edited, edit] = useState<Schedule | 'new'>()
  const [deleting, setDeleting] = useState<Schedule>()
  const columns = alertColumns({ resources, edit, remove: setDeleting })
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
                No alerts yet. An alert emails you when a storage or project exceeds its threshold, or when a report
                check fails.
              </Notice>
            }
            footer={add}
          />
        )}
      </Card>
      <AlertForm edited={edited} resources={resources} onClose={() => edit(undefined)} onSaved={list.retry} />
      <ConfirmDeletion
        deleting={deleting}
        onClose={() => setDeleting(undefined)}
        onDeleted={list.retry}
        title="Delete Confirmation"
        verb="Delete alert"
        remove={({ id }) => call(schedules.remove, { params: { id } })}
        deletedText={({ name }) => `Alert ${name} was deleted`}
      >
        Are you sure you want to delete alert {deleting?.name}?
      </ConfirmDeletion>
    </>
  )
}
