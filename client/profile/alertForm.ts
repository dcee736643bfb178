import { type AlertClass, alertClassLabels, type Schedule, ScheduleDraft } from '#events/schedules/calls.ts'
import { defaultRepeatHours } from '#events/schedules/alerts.ts'
import { defineForm } from '#client/app/defineForm.ts'
import {
  alertFrequencies,
  midnight,
  type Timing,
  timingCron,
  timingOf,
  timingProblem,
} from '#client/parts/cron/timing.ts'

type AlertMeasure = 'USED' | 'GROWTH'

export type AlertFields = {
  name: string
  jobClass: AlertClass
  /** Meaning of the threshold; storages have no growth alerts. */
  measure: AlertMeasure
  /** Percent; empty while the input is. */
  threshold: number | ''
  /** Period of the growth in days; empty while the input is. */
  growthDays: number | ''
  resourceIds: string[]
  /** Percent; empty for the default. */
  clearThreshold: number | ''
  /** Minimum hours between two emails; empty while the input is. */
  repeatHours: number | ''
  timing: Timing
}

const newAlert: AlertFields = {
  name: '',
  jobClass: 'VOLUME_SPACE_ALERT',
  measure: 'USED',
  threshold: 80,
  growthDays: 7,
  resourceIds: [],
  clearThreshold: '',
  repeatHours: defaultRepeatHours,
  timing: midnight,
}

/** True if the alert watches the growth of projects. */
export const watchesGrowth = ({ jobClass, measure }: AlertFields): boolean =>
  jobClass === 'PROJECT_SPACE_ALERT' && measure === 'GROWTH'

/** `paused` is passed through, since this form can't change it. */
function toDraft(fields: AlertFields, edited: Schedule | 'new'): ScheduleDraft {
  const { jobClass } = fields
  const paused = edited !== 'new' && edited.paused
  const common = { name: fields.name.trim(), cron: timingCron(fields.timing), paused, jobGroup: 'ALERT' as const }
  const watched = { resourceIds: fields.resourceIds.map(Number), repeatHours: numberOf(fields.repeatHours) }
  if (jobClass === 'REPORT_CHECK_ALERT') return { ...common, jobClass, payload: watched }
  const clear = fields.clearThreshold !== '' && { clearThreshold: fields.clearThreshold }
  const growth = watchesGrowth(fields) && { growthDays: numberOf(fields.growthDays) }
  return { ...common, jobClass, payload: { threshold: numberOf(fields.threshold), ...watched, ...clear, ...growth } }
}

/** Invalid numbers become -1, which fails validation. */
const numberOf = (field: number | ''): number => (field === '' ? -1 : field)

function fromRow({ name, cron, jobClass, payload }: Schedule): AlertFields {
  const growthDays = 'growthDays' in payload ? payload.growthDays : undefined
  return {
    name,
    jobClass: Object.hasOwn(alertClassLabels, jobClass) ? (jobClass as AlertClass) : newAlert.jobClass,
    measure: growthDays === undefined ? 'USED' : 'GROWTH',
    threshold: 'threshold' in payload ? payload.threshold : newAlert.threshold,
    growthDays: growthDays ?? newAlert.growthDays,
    resourceIds: 'resourceIds' in payload ? payload.resourceIds.map(String) : [],
    clearThreshold: ('clearThreshold' in payload ? payload.clearThreshold : undefined) ?? newAlert.clearThreshold,
    repeatHours: ('repeatHours' in payload ? payload.repeatHours : undefined) ?? defaultRepeatHours,
    timing: timingOf(cron, alertFrequencies, midnight),
  }
}

/** Form of an alert. */
export const alertForm = defineForm({
  schema: ScheduleDraft,
  fields: newAlert,
  toDraft,
  fromRow,
  inputFor: {
    cron: 'timing',
    'payload.threshold': 'threshold',
    'payload.clearThreshold': 'clearThreshold',
    'payload.repeatHours': 'repeatHours',
    'payload.growthDays': 'growthDays',
    'payload.resourceIds': 'resourceIds',
  },
  check: ({ timing }) => ({ timing: timingProblem(timing) }),
})
