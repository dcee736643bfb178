import { Button } from '@mantine/core'
import { IconMailPlus, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { jobTypeLabels } from '#events/jobs/types.ts'
import { type JobNotification, notifications } from '#events/notifications/calls.ts'
import { call } from '#client/app/call.ts'
import { useRemote } from '#client/app/remote.ts'
import { ConfirmDeletion } from '#client/parts/deletion/ConfirmDeletion.tsx'
import { Card } from '#client/ui/Card.tsx'
import { DataTable } from '#client/ui/table/DataTable.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { countText } from '#client/ui/text/count.ts'
import { NotificationForm } from './NotificationForm.tsx'
import { notificationColumns } from './notificationColumns.tsx'

/** Emails that the user receives when jobs end. */
export function NotificationsCard() {
  const list = useRemote(notifications.list, { query: { size: 1_000 } }, 'notifications')
  const [edited, edit] = useState<JobNotification | 'new'>()
  const [deleting, setDeleting] = useState<JobNotification>()
  const columns = notificationColumns({ edit, remove: setDeleting })
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
                No job notifications yet. Get an email or webhook call when a job ends.
              </Notice>
            }
            footer={add}
          />
        )}
      </Card>
      <NotificationForm edited={edited} onClose={() => edit(undefined)} onSaved={list.retry} />
      <ConfirmDeletion
        deleting={deleting}
        onClose={() => setDeleting(undefined)}
        onDeleted={list.retry}
        title="Delete Confirmation"
        verb="Delete job notification"
        remove={({ id }) => call(notifications.remove, { params: { id } })}
        deletedText={() => 'The job notification has been deleted'}
      >
        Are you sure you want to delete the job notification for {deleting && jobTypeLabels[deleting.type]}?
      </ConfirmDeletion>
    </>
  )
}
