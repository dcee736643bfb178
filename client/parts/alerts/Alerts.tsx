import { useMediaQuery } from '@mantine/hooks'
import { Button } from '@mantine/core'
import { IconBellPlus, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { type Schedule, type ScheduleDraft, schedules } from '#events/schedules/calls.ts'
import { call } from '#client/app/call.ts'
import { useRemote } from '#client/app/remote.ts'
import { session } from '#client/app/session.state.ts'
import { toast, toastFailure } from '#client/app/toasts/toasts.ts'
import { useOpenedForm } from '#client/app/useOpenedForm.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { ConfirmDeletion } from '#client/parts/deletion/ConfirmDeletion.tsx'
import { Card } from '#client/ui/Card.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { DataTable } from '#client/ui/table/DataTable.tsx'
import { countText } from '#client/ui/text/count.ts'
import { AlertForm } from './AlertForm.tsx'
import { alertColumns } from './alertColumns.tsx'
import { useAlertResources } from './alertResources.ts'

/** Alerts of the user: their state, recipients and last messages. */
export function Alerts() {
  const { user } = useSnapshot(session)
  const query = { jobGroup: 'ALERT' as const, userId: Number(user?.id) }
  const list = useRemote(schedules.list, { query }, 'schedules', 'notifications')
  const resources = useAlertResources()
  const [edited, edit] = useOpenedForm<Schedule>()
  const [deleting, setDeleting] = useState<Schedule>()
  const [switching, pause] = useBusy(async (alert: Schedule, paused: boolean) => {
    const { id, nextRuns: _, lastRun: __, alert: ___, ...draft } = alert
    await call(schedules.update, { params: { id }, body: { ...draft, paused } as ScheduleDraft })
    list.retry()
  })
  const [testing, test] = useBusy(sendTest)
  const isNarrow = useMediaQuery('(width < 768px)', undefined, { getInitialValueInEffect: false }) === true
  const columns = alertColumns({
    isNarrow,
    resources,
    edit,
    remove: setDeleting,
    pause,
    test,
    busy: switching || testing,
  })
  const add = (
    <Button leftSection={<IconPlus size={16} stroke={1.5} />} variant="default" onClick={() => edit('new')}>
      Add alert
    </Button>
  )
  return (
    <>
      <Card title="Your alerts" note={list.data && countText(list.data.length)} remote={list}>
        {(rows) => (
          <DataTable
            label="Alerts"
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            empty={
              <Notice icon={IconBellPlus} step={add}>
                No alerts yet. Get an email or webhook call when a storage or project fills up, a scan fails, or a
                report check fails.
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

/** Sends a test message to every recipient and shows the results in one message. */
async function sendTest({ id, name }: Schedule): Promise<void> {
  const results = await call(schedules.test, { params: { id } })
  const failed = results.filter(({ error }) => error !== null)
  if (failed.length === 0)
    return toast({ kind: 'success', message: `Test sent to ${results.map(({ to }) => to).join(', ')}` })
  toastFailure(`Test of ${name} failed. ${failed.map(({ to, error }) => `${to}: ${error}`).join('. ')}`)
}
