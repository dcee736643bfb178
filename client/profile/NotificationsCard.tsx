import { Button } from '@mantine/core'
import { IconMailPlus, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { jobTypeLabels } from '#events/job-types.ts'
import { type JobNotification, notifications } from '#events/notifications.ts'
import { call } from '../app/call.ts'
import { useRemote } from '../app/remote.ts'
import { ConfirmDeletion } from '../parts/deletion/ConfirmDeletion.tsx'
import { Card } from '../ui/Card.tsx'
import { DataTable } from '../ui/DataTable.tsx'
import { Notice } from '../ui/Notice.tsx'
import { countText } from '../ui/text/count.ts'
import { NotificationForm } from './NotificationForm.tsx'
import { notificationColumns } from './notificationColumns.tsx'

/** Of which jobs one is told that they ended. */
export function NotificationsCard() {
  const list = useRemote(notifications.list, { query: { size: 1_000 } }, 'notifications')
  const [edited, edit] = useState<JobNotification | 'new'>()
  const [doomed, doom] = useState<JobNotification>()
  const columns = notificationColumns({ edit, remove: doom })
  const add = (
    <Button leftSection={<IconPlus size={16} stroke={1.5} />} variant="default" onClick={() => edit('new')}>
      Add job notification
    </Button>
  )
  return (
    <>
      <Card title="Job notifications" note={list.data && countText(list.data.total)} remote={list}>
        {({ elements }) => (
          <DataTable
            label="Job notifications"
            columns={columns}
            rows={elements}
            rowKey={({ id }) => id}
            empty={
              <Notice icon={IconMailPlus} step={add}>
                No job notification is set up yet. One tells you by mail or webhook that a job has ended.
              </Notice>
            }
            footer={add}
          />
        )}
      </Card>
      <NotificationForm edited={edited} onClose={() => edit(undefined)} onSaved={list.retry} />
      <ConfirmDeletion
        doomed={doomed}
        onClose={() => doom(undefined)}
        onDeleted={list.retry}
        title="Delete Confirmation"
        verb="Delete job notification"
        remove={({ id }) => call(notifications.remove, { params: { id } })}
        gone={() => 'The job notification has been deleted'}
      >
        Are you sure you want to delete the job notification for {doomed && jobTypeLabels[doomed.type]}?
      </ConfirmDeletion>
    </>
  )
}
