import { type AlertClass, type Schedule, ScheduleDraft } from '#events/schedules/calls.ts'
import { checkedBy } from '#client/app/form.ts'
import { type CronPreset, cronPresets, presetOf } from '#client/parts/cron/cronText.ts'

export type AlertMeasure = 'USED' | 'GROWTH'

/** An alert as its form holds it. `custom` is the expression that counts while the preset is CUSTOM. */
export type AlertFields = {
  name: string
  jobClass: AlertClass
  /** Of what the threshold is a percent; storages are never watched for their growth. */
  measure: AlertMeasure
  /** Percent; empty while nothing is typed. */
  threshold: number | ''
  /** Within how many days the growth counts; likewise. */
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

/** Whether it watches how projects grow. */
export const watchesGrowth = ({ jobClass, measure }: AlertFields): boolean =>
  jobClass === 'PROJECT_SPACE_ALERT' && measure === 'GROWTH'

const alertCron = ({ preset, custom }: AlertFields): string =>
  preset === 'CUSTOM' ? custom.trim() : cronPresets[preset].cron

/** `paused` is kept as it was: alerts are not switched off here. */
export const draftOf = (fields: AlertFields, paused = false): ScheduleDraft => ({
  name: fields.name.trim(),
  cron: alertCron(fields),
  paused,
  jobGroup: 'ALERT',
  jobClass: fields.jobClass,
  payload: {
    // What is no number is between no two.
    threshold: fields.threshold === '' ? -1 : fields.threshold,
    resourceIds: fields.resourceIds.map(Number),
    ...(watchesGrowth(fields) && { growthDays: fields.growthDays === '' ? -1 : fields.growthDays }),
  },
})

export function fieldsOf({ name, cron, jobClass, payload }: Schedule): AlertFields {
  const { threshold, resourceIds } =
    'threshold' in payload ? payload : { threshold: newAlert.threshold, resourceIds: [] }
  const growthDays = 'growthDays' in payload ? payload.growthDays : undefined
  const preset = presetOf(cron)
  return {
    name,
    jobClass: jobClass === 'PROJECT_SPACE_ALERT' ? jobClass : 'VOLUME_SPACE_ALERT',
    measure: growthDays === undefined ? 'USED' : 'GROWTH',
    threshold,
    growthDays: growthDays ?? newAlert.growthDays,
    resourceIds: resourceIds.map(String),
    preset,
    custom: preset === 'CUSTOM' ? cron : cronPresets.CUSTOM.cron,
  }
}

/** Where the form shows what the server says of a field. */
export const shownAt = (field: string): string => {
  const own = field.replace(/^payload[.]/, '').replace(/^(resourceIds)[.].*/, '$1')
  return own === 'cron' ? 'custom' : own
}

/** What is wrong with the fields, in the server's words. */
export const alertErrors = (fields: AlertFields): Record<string, string> =>
  Object.fromEntries(
    Object.entries(checkedBy(ScheduleDraft)(draftOf(fields))).map(([field, message]) => [shownAt(field), message]),
  )
