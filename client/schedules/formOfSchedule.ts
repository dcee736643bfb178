import type { useSavedForm } from '../app/useSavedForm.ts'
import type { ScheduleFields } from './scheduleFields.ts'

/** The form that a schedule is written in. */
export type FormOfSchedule = ReturnType<typeof useSavedForm<ScheduleFields>>['form']
