import type { SizeUnit } from '#events/search/filters.ts'
import { type AlertClass, alertClassLabels, type Schedule, ScheduleDraft } from '#events/schedules/calls.ts'
import { defaultRepeatHours } from '#events/schedules/alerts.ts'
import { defineForm } from '#client/app/defineForm.ts'
import { typedAddresses } from '#client/app/form.ts'
import type { FormState } from '#client/app/useSavedForm.ts'
import {
  alertFrequencies,
  midnight,
  type Timing,
  timingCron,
  timingOf,
  timingProblem,
} from '#client/parts/cron/timing.ts'
import { noWebhook, type WebhookValues, webhookDraft, webhookValues } from '#client/parts/webhook/webhookValues.ts'
import { bytesOfTyped, typedOfBytes } from '#client/ui/form/typedSize.ts'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'

/** Meaning of the limit of a storage or project: percent in use, or growth in percent or bytes. */
export type AlertMeasure = 'USED' | 'GROWTH' | 'GROWTH_BYTES'

/** Number in an input; empty while the input is. */
type Typed = number | ''

export type AlertFields = {
  name: string
  jobClass: AlertClass
  watches: 'ALL' | 'CHOSEN'
  resourceIds: string[]
  measure: AlertMeasure
  /** Percent. */
  threshold: Typed
  growthSize: string
  growthUnit: SizeUnit
  growthDays: Typed
  /** Days without a scan. */
  days: Typed
  /** Percent; empty for the default. */
  clearThreshold: Typed
  /** Minimum hours between two messages. */
  repeatHours: Typed
  timing: Timing
  email: boolean
  /** Email addresses as one text. */
  addresses: string
} & WebhookValues

const newAlert: AlertFields = {
  name: '',
  jobClass: 'VOLUME_SPACE_ALERT',
  watches: 'ALL',
  resourceIds: [],
  measure: 'USED',
  threshold: 80,
  growthSize: '100',
  growthUnit: 'GB',
  growthDays: 7,
  days: 7,
  clearThreshold: '',
  repeatHours: defaultRepeatHours,
  timing: midnight,
  email: true,
  addresses: '',
  ...noWebhook,
}

/** True for alerts with a limit of used space or growth. */
export const hasMeasure = ({ jobClass }: AlertFields): boolean =>
  jobClass === 'VOLUME_SPACE_ALERT' || jobClass === 'PROJECT_SPACE_ALERT'

/** `paused` is passed through, since this form can't change it. */
function toDraft(fields: AlertFields, edited: Schedule | 'new'): ScheduleDraft {
  const { name, jobClass, timing } = fields
  const paused = edited !== 'new' && edited.paused
  const common = { name: name.trim(), cron: timingCron(timing), paused, jobGroup: 'ALERT' as const }
  const { email, addresses } = fields
  const delivery = { email, addresses: typedAddresses(addresses), ...webhookDraft(fields) }
  const isAll = fields.watches === 'ALL'
  const watched = {
    resourceIds: isAll ? [] : fields.resourceIds.map(Number),
    ...(isAll && { all: true }),
    repeatHours: numberOf(fields.repeatHours),
  }
  return { ...common, jobClass, delivery, payload: { ...watched, ...limitsOf(fields) } } as ScheduleDraft
}

/** The limits that a type of alert has. */
function limitsOf(fields: AlertFields): object {
  const { jobClass, measure, clearThreshold, growthSize: number, growthUnit: unit } = fields
  if (jobClass === 'SCAN_OVERDUE_ALERT') return { days: numberOf(fields.days) }
  if (!hasMeasure(fields)) return {}
  return {
    threshold: measure === 'GROWTH_BYTES' ? newAlert.threshold : numberOf(fields.threshold),
    ...(measure !== 'GROWTH_BYTES' && clearThreshold !== '' && { clearThreshold }),
    ...(measure !== 'USED' && { growthDays: numberOf(fields.growthDays) }),
    ...(measure === 'GROWTH_BYTES' && { growthBytes: Number(bytesOfTyped({ number, unit }, sizeSetting.base)) }),
  }
}

/** Empty inputs become -1, which fails validation. */
const numberOf = (field: Typed): number => (field === '' ? -1 : field)

function fromRow(row: Schedule): AlertFields {
  const { name, cron, jobClass, payload } = row
  const delivery = 'delivery' in row ? row.delivery : undefined
  return {
    ...newAlert,
    name,
    jobClass: Object.hasOwn(alertClassLabels, jobClass) ? (jobClass as AlertClass) : newAlert.jobClass,
    ...watchedOf(payload),
    ...('threshold' in payload && spaceFields(payload as Space)),
    ...('days' in payload && { days: payload.days }),
    timing: timingOf(cron, alertFrequencies, midnight),
    ...(delivery && {
      email: delivery.email,
      addresses: delivery.addresses.join('\n'),
      ...webhookValues(delivery),
    }),
  }
}

type Payload = Schedule['payload']

const watchedOf = (payload: Payload): Partial<AlertFields> =>
  'resourceIds' in payload
    ? {
        watches: payload.all ? 'ALL' : 'CHOSEN',
        resourceIds: payload.resourceIds.map(String),
        repeatHours: payload.repeatHours ?? defaultRepeatHours,
      }
    : {}

type Space = Extract<ScheduleDraft, { jobClass: 'VOLUME_SPACE_ALERT' }>['payload']

function spaceFields(payload: Space): Partial<AlertFields> {
  const { threshold, clearThreshold, growthDays, growthBytes } = payload
  const size = growthBytes === undefined ? undefined : typedOfBytes(String(growthBytes), sizeSetting.base)
  return {
    measure: growthDays === undefined ? 'USED' : size ? 'GROWTH_BYTES' : 'GROWTH',
    threshold,
    clearThreshold: clearThreshold ?? newAlert.clearThreshold,
    growthDays: growthDays ?? newAlert.growthDays,
    ...(size && { growthSize: size.number, growthUnit: size.unit }),
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
    'payload.growthBytes': 'growthSize',
    'payload.days': 'days',
    'payload.resourceIds': 'resourceIds',
    delivery: 'email',
    'delivery.addresses': 'addresses',
    'delivery.webhook': 'webhook',
    'delivery.webhookFormat': 'webhookFormat',
    'delivery.webhookTemplate': 'webhookTemplate',
  },
  labels: { 'delivery.addresses.*': 'Each address', 'payload.growthBytes': 'Growth' },
  check: ({ timing }) => ({ timing: timingProblem(timing) }),
})

export type AlertFormState = FormState<AlertFields>
