import { type AlertClass, alertClassLabels, type Schedule, ScheduleDraft } from '#events/schedules/calls.ts'
import { checkedBy } from '#client/app/form.ts'
import { type CronPreset, cronPresets, presetOf } from '#client/parts/cron/cronText.ts'

type AlertMeasure = 'USED' | 'GROWTH'

/** Form of an alert. `custom` is the cron expression if the preset is CUSTOM. */
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
  preset: CronPreset
  custom: string
}

export const newAlert: AlertFields = {
  name: '',
  jobClass: 'VOLUME_SPACE_ALERT',
  measure: 'USED',
  threshold: 80,
  growthDays: 7,
  resourceIds: [],
  preset: 'DAILY',
  custom: cronPresets.CUSTOM.cron,
}

/** True if the alert watches the growth of projects. */
export const watchesGrowth = ({ jobClass, measure }: AlertFields): boolean =>
  jobClass === 'PROJECT_SPACE_ALERT' && measure === 'GROWTH'

const alertCron = ({ preset, custom }: AlertFields): string =>
  preset === 'CUSTOM' ? custom.trim() : cronPresets[preset].cron

/** `paused` is passed through, since this form can't change it. */
export function draftOf(fields: AlertFields, paused = false): ScheduleDraft {
  const { jobClass } = fields
  const common = { name: fields.name.trim(), cron: alertCron(fields), paused, jobGroup: 'ALERT' as const }
  const resourceIds = fields.resourceIds.map(Number)
  if (jobClass === 'REPORT_CHECK_ALERT') return { ...common, jobClass, payload: { resourceIds } }
  const growth = watchesGrowth(fields) && { growthDays: numberOf(fields.growthDays) }
  return { ...common, jobClass, payload: { threshold: numberOf(fields.threshold), resourceIds, ...growth } }
}

/** Invalid numbers become -1, which fails validation. */
const numberOf = (field: number | ''): number => (field === '' ? -1 : field)

export function fieldsOf({ name, cron, jobClass, payload }: Schedule): AlertFields {
  const growthDays = 'growthDays' in payload ? payload.growthDays : undefined
  const preset = presetOf(cron)
  return {
    name,
    jobClass: Object.hasOwn(alertClassLabels, jobClass) ? (jobClass as AlertClass) : newAlert.jobClass,
    measure: growthDays === undefined ? 'USED' : 'GROWTH',
    threshold: 'threshold' in payload ? payload.threshold : newAlert.threshold,
    growthDays: growthDays ?? newAlert.growthDays,
    resourceIds: 'resourceIds' in payload ? payload.resourceIds.map(String) : [],
    preset,
    custom: preset === 'CUSTOM' ? cron : cronPresets.CUSTOM.cron,
  }
}

/** Input for an error of the server's field. */
export const inputFor = (field: string): string => {
  const own = field.replace(/^payload[.]/, '').replace(/^(resourceIds)[.].*/, '$1')
  return own === 'cron' ? 'custom' : own
}

/** Validation errors by field. */
export const alertErrors = (fields: AlertFields): Record<string, string> =>
  Object.fromEntries(
    Object.entries(checkedBy(ScheduleDraft)(draftOf(fields))).map(([field, message]) => [inputFor(field), message]),
  )
