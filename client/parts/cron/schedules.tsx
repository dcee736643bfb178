import { Switch } from '@mantine/core'
import type { ChangeTopic } from '#events/changes.ts'
import { type Schedule, type ScheduleDraft, schedules } from '#events/schedules/calls.ts'
import { call } from '#client/app/call.ts'
import { useBusy } from '#client/app/useBusy.ts'
import type { Rows } from '#client/parts/settings-table/declaration.ts'
import type { Column } from '#client/ui/table/column.ts'

type Pause = (schedule: Schedule, paused: boolean, onDone: () => void) => void

/** Pauses or resumes a schedule. */
export const usePause = (): [busy: boolean, pause: Pause] =>
  useBusy(async (schedule, paused, onDone) => {
    const { id, nextRuns: _, lastRun: __, alert: ___, ...draft } = schedule
    await call(schedules.update, { params: { id }, body: { ...draft, paused } as ScheduleDraft })
    onDone()
  })

/** Column with a switch that pauses a schedule. */
export const activeColumn = (busy: boolean, pause: Pause, onDone: () => void): Column<Schedule> => ({
  key: 'active',
  title: 'Active',
  cell: (schedule) => (
    <Switch
      aria-label={`${schedule.name} is active`}
      checked={!schedule.paused}
      disabled={busy}
      onChange={({ currentTarget }) => pause(schedule, !currentTarget.checked, onDone)}
    />
  ),
})

type Query = { jobGroup: 'SCANNER' | 'ALERT'; userId?: number }

/** Schedules of a table, whose list has no pages. */
export const schedulesOf = (query: Query, ...topics: ChangeTopic[]): Rows<Schedule> => ({
  list: schedules.list,
  topics: ['schedules', ...topics],
  query: () => query,
  pageOf: (answer) => ({ elements: answer as Schedule[], total: (answer as Schedule[]).length }),
})
