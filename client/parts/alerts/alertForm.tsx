import { NativeSelect, TextInput } from '@mantine/core'
import { type SizeUnit, sizeUnits } from '#events/search/filters.ts'
import { type AlertClass, alertClassLabels, type Schedule, ScheduleDraft } from '#events/schedules/calls.ts'
import { clearThresholdOf, defaultMassFiles, defaultRepeatHours, ownEmail } from '#events/schedules/alerts.ts'
import { alertFrequencies, midnight } from '#client/parts/cron/timing.ts'
import { timingField } from '#client/parts/cron/timingField.tsx'
import { describeForm } from '#client/parts/settings-table/describeForm.ts'
import { choicesOf, drawnBefore, type InputForm } from '#client/parts/settings-table/form.ts'
import { counted } from '#client/ui/text/count.ts'
import { bytesOfTyped, typedOfBytes, unitChoices } from '#client/ui/form/typedSize.ts'
import { sizeSetting, useSizeBase } from '#client/ui/values/sizeBase.state.ts'
import { type AlertMeasure, alertTexts, measureLabels } from './alertWords.ts'
import { ChannelsInput, type Recipients } from './ChannelsInput.tsx'
import { ResourcesSelect } from './alertResources.tsx'
import classes from './Alerts.module.css'

export type AlertDraft = Extract<ScheduleDraft, { jobGroup: 'ALERT' }>

/** Number in an input; empty while the input is. */
type Typed = number | ''

/** The parts of a form that decide which limits an alert has. */
type Kind = { jobClass: AlertClass; measure: AlertMeasure }

/** True for alerts with a limit of used space or growth. */
const hasMeasure = ({ jobClass }: Kind) => jobClass === 'VOLUME_SPACE_ALERT' || jobClass === 'PROJECT_SPACE_ALERT'
const hasPercent = (kind: Kind) => hasMeasure(kind) && kind.measure !== 'GROWTH_BYTES'
const hasGrowth = (kind: Kind) => hasMeasure(kind) && kind.measure !== 'USED'
const hasBytes = (kind: Kind) => hasMeasure(kind) && kind.measure === 'GROWTH_BYTES'
const isOverdue = ({ jobClass }: Kind) => jobClass === 'SCAN_OVERDUE_ALERT'
const isMass = ({ jobClass }: Kind) => jobClass === 'MASS_CHANGE_ALERT'
/** Alerts of mass changes are evaluated while files change, and each mass change is reported once. */
const hasTimes = (kind: Kind) => !isMass(kind)

/** Empty inputs become -1, which fails validation. */
const numberOf = (field: Typed): number => (field === '' ? -1 : field)

type AnyPayload = Partial<
  Record<'threshold' | 'clearThreshold' | 'growthDays' | 'growthBytes' | 'days' | 'files', number>
> &
  Partial<Pick<AlertDraft['payload'], 'resourceIds' | 'all' | 'repeatHours'>>
const payloadOf = (row: Schedule) => row.payload as AnyPayload
const deliveryOf = (row: Schedule) => ('delivery' in row ? row.delivery : undefined)

const typedGrowth = (row: Schedule) => {
  const { growthBytes } = payloadOf(row)
  return growthBytes === undefined ? undefined : typedOfBytes(String(growthBytes), sizeSetting.base)
}

const measureOf = (row: Schedule): AlertMeasure => {
  const { growthDays, growthBytes } = payloadOf(row)
  if (growthDays === undefined) return 'USED'
  return growthBytes === undefined ? 'GROWTH' : 'GROWTH_BYTES'
}

/** The storages, projects or reports to watch. */
const watched = {
  watches: {
    label: 'Applies to',
    kind: 'select',
    options: ({ jobClass }: Kind) => [
      { value: 'ALL', label: alertTexts[jobClass].all },
      { value: 'CHOSEN', label: alertTexts[jobClass].chosen },
    ],
    initial: 'ALL' as 'ALL' | 'CHOSEN',
    to: 'payload.all',
    read: (row: Schedule) => (payloadOf(row).all || !payloadOf(row).resourceIds ? 'ALL' : 'CHOSEN'),
    write: (watches: string) => (watches === 'ALL' ? true : undefined),
  },
  resourceIds: {
    label: ({ jobClass }: Kind) => alertTexts[jobClass].label,
    errorLabel: 'Resource ids',
    kind: 'own',
    Input: ResourcesSelect,
    propsOf: (_: unknown, { jobClass }: Kind) => ({ jobClass }),
    isShown: ({ watches }: { watches: string }) => watches === 'CHOSEN',
    initial: [] as string[],
    to: 'payload.resourceIds',
    read: (row: Schedule) => (payloadOf(row).resourceIds ?? []).map(String),
    write: (ids: string[]) => ids.map(Number),
  },
} as const

/** Form of an alert. */
export const alertForm = describeForm<Schedule, AlertDraft>()({
  schema: ScheduleDraft,
  fields: {
    name: {
      label: 'Name',
      placeholder: proposedName,
      initial: '',
      write: (name, fields) => name.trim() || proposedName(fields),
    },
    jobClass: {
      label: 'Type',
      kind: 'select',
      description: (edited) => (edited === 'new' ? undefined : 'The type of an alert cannot be changed.'),
      options: choicesOf(alertClassLabels),
      isFixed: (edited) => edited !== 'new',
      // Resources of the other type have different ids.
      changes: () => ({ resourceIds: [] }),
      initial: 'VOLUME_SPACE_ALERT' as AlertClass,
      read: ({ jobClass }) => (jobClass in alertClassLabels ? (jobClass as AlertClass) : 'VOLUME_SPACE_ALERT'),
    },
    ...watched,
    days: {
      label: 'Days without a scan',
      kind: 'number',
      unit: 'days',
      isShown: isOverdue,
      initial: 7 as Typed,
      to: 'payload.days',
      read: (row) => payloadOf(row).days ?? 7,
      write: (days, fields) => (isOverdue(fields) ? numberOf(days) : undefined),
    },
    files: {
      label: 'Files within 5 minutes',
      errorLabel: 'Files',
      description: 'That are deleted, rewritten or renamed to another extension, in storages that follow changes.',
      kind: 'number',
      unit: 'files',
      isShown: isMass,
      initial: defaultMassFiles as Typed,
      to: 'payload.files',
      read: (row) => payloadOf(row).files ?? defaultMassFiles,
      write: (files, fields) => (isMass(fields) ? numberOf(files) : undefined),
    },
    measure: {
      label: 'Measure',
      kind: 'select',
      options: ({ jobClass }) =>
        choicesOf(measureLabels[jobClass === 'PROJECT_SPACE_ALERT' ? jobClass : 'VOLUME_SPACE_ALERT']),
      isShown: hasMeasure,
      initial: 'USED' as AlertMeasure,
      to: null,
      read: measureOf,
    },
    growthSize: {
      label: 'Growth',
      kind: 'drawn',
      draw: (props) => <GrowthSize {...props} />,
      isShown: hasBytes,
      initial: '100',
      to: 'payload.growthBytes',
      read: (row) => typedGrowth(row)?.number ?? '100',
      write: (number, { growthUnit: unit, ...kind }) =>
        hasBytes(kind) ? Number(bytesOfTyped({ number, unit }, sizeSetting.base)) : undefined,
    },
    growthUnit: {
      ...drawnBefore,
      label: 'Unit of growth',
      initial: 'GB' as SizeUnit,
      to: null,
      read: (row) => typedGrowth(row)?.unit ?? 'GB',
    },
    threshold: {
      label: 'Threshold',
      description: (_, kind) => thresholdText(kind),
      kind: 'number',
      unit: '%',
      isShown: hasPercent,
      initial: 80 as Typed,
      to: 'payload.threshold',
      read: (row) => payloadOf(row).threshold ?? 80,
      write: (threshold, fields) => (hasMeasure(fields) ? numberOf(threshold) : undefined),
    },
    growthDays: {
      label: 'Within',
      errorLabel: 'Growth days',
      kind: 'number',
      unit: 'days',
      isShown: hasGrowth,
      initial: 7 as Typed,
      to: 'payload.growthDays',
      read: (row) => payloadOf(row).growthDays ?? 7,
      write: (days, fields) => (hasGrowth(fields) ? numberOf(days) : undefined),
    },
    recipients: {
      label: 'Recipients',
      description: (edited) => edited !== 'new' && ownRecipients(edited),
      kind: 'own',
      Input: ChannelsInput,
      initial: { email: true, channelIds: [] } as Recipients,
      to: ['delivery', 'delivery.email', 'delivery.channelIds'],
      read: (row) => ({ email: deliveryOf(row)?.email ?? true, channelIds: deliveryOf(row)?.channelIds ?? [] }),
      // Scripts can give an alert recipients of its own. They stay.
      write: (recipients, _, edited) => ({ ...ownEmail, ...(edited !== 'new' && deliveryOf(edited)), ...recipients }),
    },
    timing: {
      ...timingField('Frequency', alertFrequencies, midnight),
      description: (_, { jobClass }) => alertTexts[jobClass].frequency,
      isShown: hasTimes,
    },
    clearThreshold: {
      label: 'Clears below',
      errorLabel: 'Clear threshold',
      description: 'Sent again only after the value was below this.',
      kind: 'number',
      unit: '%',
      foldedUnder: 'More options',
      placeholder: ({ threshold }) => String(clearThresholdOf({ threshold: threshold === '' ? 0 : threshold })),
      isShown: hasPercent,
      initial: '' as Typed,
      to: 'payload.clearThreshold',
      read: (row) => payloadOf(row).clearThreshold ?? '',
      write: (threshold) => (threshold === '' ? undefined : threshold),
    },
    repeatHours: {
      label: 'Minimum interval',
      errorLabel: 'Repeat hours',
      foldedUnder: 'More options',
      description: 'Minimum time between messages about the same state. 0 sends one at every run.',
      kind: 'number',
      unit: 'hours',
      isShown: hasTimes,
      initial: defaultRepeatHours as Typed,
      to: 'payload.repeatHours',
      read: (row) => payloadOf(row).repeatHours ?? defaultRepeatHours,
      write: numberOf,
    },
    // The table changes it.
    paused: { ...drawnBefore, label: 'Paused', initial: false as boolean },
  },
  draft: () => ({ jobGroup: 'ALERT' }),
  saved: (fields, edited) =>
    `Alert ${fields.name.trim() || proposedName(fields)} was ${edited === 'new' ? 'created' : 'updated'}`,
})

export type AlertFields = typeof alertForm.fields

/** Recipients that a script gave the alert. */
function ownRecipients(row: Schedule): string | undefined {
  const { addresses = [], webhook = null } = deliveryOf(row) ?? {}
  const names = [...addresses, ...(webhook === null ? [] : [new URL(webhook).host])]
  return names.length > 0 ? `Also sent to ${names.join(', ')}, as set by a script.` : undefined
}

/** Name of an alert whose name is left empty, such as `Storages at 80 %`. */
function proposedName(kind: Kind & { threshold: Typed; days: Typed }): string {
  const { jobClass, measure, threshold, days } = kind
  const objects = jobClass === 'PROJECT_SPACE_ALERT' ? 'Projects' : 'Storages'
  if (jobClass === 'SCAN_FAILED_ALERT') return 'Failed scans'
  if (jobClass === 'REPORT_CHECK_ALERT') return 'Failed report checks'
  if (jobClass === 'MASS_CHANGE_ALERT') return 'Mass changes'
  if (jobClass === 'SCAN_OVERDUE_ALERT') return `Not scanned for ${counted(days || 0, 'day')}`
  return measure === 'USED' ? `${objects} at ${threshold || 0} %` : `Growth of ${objects.toLowerCase()}`
}

const thresholdText = ({ measure, jobClass }: Kind): string => {
  if (measure === 'GROWTH') return 'Percent of the previous size'
  return jobClass === 'PROJECT_SPACE_ALERT' ? 'Percent of allocated size' : 'Percent of the usable capacity'
}

function GrowthSize({ form, busy }: { form: Pick<InputForm, 'getInputProps'>; busy: boolean }) {
  const base = useSizeBase()
  return (
    <div className={classes.size}>
      <TextInput label="Growth" autoComplete="off" disabled={busy} {...form.getInputProps('growthSize')} />
      <NativeSelect
        aria-label="Unit of growth"
        data={unitChoices(sizeUnits, base)}
        disabled={busy}
        {...form.getInputProps('growthUnit')}
      />
    </div>
  )
}
