import { Button } from '@mantine/core'
import { IconCalendarPlus, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { type Schedule, type ScheduleDraft, schedules } from '#events/schedules.ts'
import { call } from '../app/call.ts'
import { useRemote } from '../app/remote.ts'
import { useBusy } from '../app/useBusy.ts'
import { SettingsFrame } from '../parts/settings/SettingsFrame.tsx'
import { Card } from '../ui/Card.tsx'
import { DataTable } from '../ui/DataTable.tsx'
import { Notice } from '../ui/Notice.tsx'
import { countText } from '../ui/text/count.ts'
import { DeleteSchedule } from './DeleteSchedule.tsx'
import { ScheduleForm } from './ScheduleForm.tsx'
import { scheduleColumns } from './scheduleColumns.tsx'
import { useScanTargets } from './useScanTargets.ts'

/** The schedules of scans. */
export function SchedulesPage() {
  return (
    <SettingsFrame tab="schedules" title="Schedules" subtitle="Manage how and when the jobs occur.">
      <Schedules />
    </SettingsFrame>
  )
}

function Schedules() {
  const list = useRemote(schedules.list, { query: { jobGroup: 'SCANNER' } }, 'schedules')
  const targets = useScanTargets()
  const [edited, edit] = useState<Schedule | 'new'>()
  const [doomed, doom] = useState<Schedule>()
  const [switching, pause] = useBusy(async (schedule: Schedule, paused: boolean) => {
    await call(schedules.update, { params: { id: schedule.id }, body: { ...schedule, paused } as ScheduleDraft })
    list.retry()
  })
  const columns = scheduleColumns({ targets, edit, remove: doom, pause, switching })
  const add = (
    <Button leftSection={<IconPlus size={16} stroke={1.5} />} variant="default" onClick={() => edit('new')}>
      Add schedule
    </Button>
  )
  return (
    <>
      <Card title="Schedules of scans" note={list.data && countText(list.data.length)} remote={list}>
        {(rows) => (
          <DataTable
            label="Schedules"
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            empty={
              <Notice icon={IconCalendarPlus} step={add}>
                Nothing is scheduled yet. Scans start only when someone starts them.
              </Notice>
            }
            footer={add}
          />
        )}
      </Card>
      <ScheduleForm edited={edited} targets={targets} onClose={() => edit(undefined)} onSaved={list.retry} />
      <DeleteSchedule doomed={doomed} onClose={() => doom(undefined)} onDeleted={list.retry} />
    </>
  )
}
