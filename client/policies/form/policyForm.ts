import type { OptionsOf } from '#events/actions/actions.ts'
import { type Policy, type PolicyAction, PolicyDraft, type PolicyLimits } from '#events/policies/policies.ts'
import { noFilters, unitLabel, unitSize } from '#events/search/filters.ts'
import { typedNumber } from '#client/app/form.ts'
import { midnight, reportFrequencies, type Timing, timingCron, timingOf } from '#client/parts/cron/timing.ts'
import { timingField } from '#client/parts/cron/timingField.tsx'
import { describeForm } from '#client/parts/settings-table/describeForm.ts'
import { drawnBefore } from '#client/parts/settings-table/form.ts'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import { ArchiveInput, TransferInput, UploadInput } from './SystemInputs.tsx'
import { QuietDays, ThenInput } from './PolicyInputs.tsx'

type Kind = PolicyAction['kind']
type ActionOf<K extends Kind> = Extract<PolicyAction, { kind: K }>
type WithOptions = 'archive' | 'transfer' | 'upload'
type NumberInput = number | string

/** Units of the limit of bytes: TiB, or TB with decimal units. */
const unit = () => unitSize('TB', sizeSetting.base)
const never: Timing = { ...midnight, frequency: 'NEVER', time: '03:00' }
const numberOrNull = (value: NumberInput): number | null => (value === '' ? null : Number(value))

const shownFor =
  (...kinds: Kind[]) =>
  ({ kind }: { kind: Kind }) =>
    kinds.includes(kind)

/** A field of one kind of action. Others have its initial value. */
function fieldOf<K extends Kind, V>(kind: K, initial: V, read: (action: ActionOf<K>) => V) {
  return {
    initial,
    isShown: shownFor(kind),
    read: ({ action }: Policy): V => (action.kind === kind ? read(action as ActionOf<K>) : initial),
  }
}

/** Options of an action of a connected system; null until all are chosen. */
const optionsField = <K extends WithOptions>(kind: K, choose: string) =>
  ({
    ...fieldOf(kind, null as OptionsOf<K> | null, (action) => (action as { options: unknown }).options as OptionsOf<K>),
    to: ['action.options', kind],
    check: (options: unknown, { kind: chosen }: { kind: Kind }) => chosen === kind && options === null && choose,
  }) as const

const noDays: readonly number[] = []
const foldedUnder = 'Limits, approval and quiet hours'

/** A limit above which a run waits. */
const limitField = (key: Exclude<keyof PolicyLimits, 'twiceUsual'>, factor: () => number, initial: number) =>
  ({
    kind: 'number',
    hideControls: true,
    foldedUnder,
    initial: initial as NumberInput,
    to: `limits.${key}`,
    read: ({ limits }: Policy): NumberInput => {
      const value = limits[key]
      return value === null ? '' : Math.round((value / factor()) * 1_000) / 1_000
    },
    write: (value: NumberInput) => (value === '' ? null : Number(value) * factor()),
  }) as const

const quietField = (key: 'from' | 'to', label: string, initial: string) => ({
  label,
  placeholder: initial,
  foldedUnder,
  initial,
  isShown: ({ quietDays }: { quietDays: readonly number[] }) => quietDays.length > 0,
  to: [`quiet.${key}`] as const,
  read: ({ quiet }: Policy) => quiet?.[key] ?? initial,
})

/** Form of a policy. The search is that of the URL, or the stored one. */
export const policyForm = describeForm<Policy, PolicyDraft>()({
  schema: PolicyDraft,
  fields: {
    search: { ...drawnBefore, label: 'Search', initial: { filters: noFilters } as PolicyDraft['search'] },
    name: { label: 'Name', initial: '' },
    untouchedDays: {
      label: 'Untouched for',
      errorLabel: 'Untouched for',
      description: 'Files that were neither created, changed nor read for this number of days.',
      kind: 'number',
      unit: 'days',
      initial: 180 as NumberInput,
      write: typedNumber,
    },
    kind: { label: 'Then', kind: 'own', Input: ThenInput, initial: 'nothing' as Kind, to: null, read: kindOf },
    tag: { label: 'Tag', ...fieldOf('tag', '', ({ tag }) => tag), to: ['action.tag'] },
    askDays: {
      label: 'Answers count for',
      description: 'The link in the email ends after this number of days.',
      kind: 'number',
      unit: 'days',
      ...fieldOf('ask', 14 as NumberInput, ({ days }) => days),
      to: ['action.days'],
    },
    domain: {
      label: 'Email domain',
      description: 'Completes the addresses of owners without an account. Leave empty to ask only those with one.',
      placeholder: 'example.com',
      ...fieldOf('ask', '', ({ domain }) => domain ?? ''),
      to: ['action.domain'],
    },
    deleteAfterDays: {
      label: 'Delete after',
      errorLabel: 'Days',
      description: 'Days in quarantine. Leave empty to keep the files there.',
      kind: 'number',
      unit: 'days',
      ...fieldOf('quarantine', '' as NumberInput, ({ deleteAfterDays }) => deleteAfterDays ?? ''),
      to: ['action.deleteAfterDays'],
    },
    archive: {
      label: 'Archive',
      kind: 'own',
      Input: ArchiveInput,
      ...optionsField('archive', 'Choose a plan and a client'),
    },
    transfer: { label: 'Transfer', kind: 'own', Input: TransferInput, ...optionsField('transfer', 'Choose a target') },
    upload: {
      label: 'Upload',
      kind: 'own',
      Input: UploadInput,
      ...optionsField('upload', 'Choose a storage of Iconik'),
    },
    timing: {
      ...timingField('Runs', reportFrequencies, never),
      read: ({ cron }) => (cron === null ? never : timingOf(cron, reportFrequencies, { ...never, frequency: 'DAILY' })),
      write: (timing: Timing) => timingCron(timing) || null,
    },
    paused: { label: 'Paused', kind: 'switch', initial: false as boolean },
    limitFiles: {
      label: 'Maximum files',
      description: 'A run above a limit waits for approval. Leave a limit empty to turn it off.',
      ...limitField('files', () => 1, 10_000),
    },
    limitBytes: {
      label: () => `Maximum ${unitLabel('TB', sizeSetting.base)}`,
      errorLabel: 'Bytes',
      ...limitField('bytes', unit, 10),
    },
    limitShare: { label: 'Maximum percent of a storage', ...limitField('share', () => 1, 5) },
    twiceUsual: {
      label: 'Wait for approval if a run is more than twice the usual size',
      kind: 'checkbox',
      foldedUnder,
      initial: true as boolean,
      to: 'limits.twiceUsual',
      read: ({ limits }) => limits.twiceUsual,
      write: (twice) => twice,
    },
    needsSecondPerson: {
      label: 'Each run needs the approval of a second administrator',
      kind: 'checkbox',
      foldedUnder,
      initial: false as boolean,
    },
    quietDays: {
      label: 'Quiet hours',
      kind: 'own',
      Input: QuietDays,
      foldedUnder,
      initial: noDays,
      to: ['quiet'],
      read: ({ quiet }) => quiet?.days ?? noDays,
    },
    quietFrom: quietField('from', 'Quiet from', '08:00'),
    quietTo: quietField('to', 'Quiet until', '18:00'),
  },
  draft: ({ quietDays, quietFrom, quietTo, ...fields }) => ({
    action: actionOf(fields as ActionFields),
    quiet: quietDays.length === 0 ? null : { days: [...quietDays], from: quietFrom, to: quietTo },
  }),
  saved: ({ name }, edited) => `Policy ${name.trim()} was ${edited === 'new' ? 'created' : 'saved'}`,
})

function kindOf({ action }: Policy): Kind {
  return action.kind
}

type ActionFields = { kind: Kind; tag: string; askDays: NumberInput; domain: string; deleteAfterDays: NumberInput } & {
  [K in WithOptions]: OptionsOf<K> | null
}

/** The action of the form; incomplete options are rejected by the schema. */
function actionOf({ kind, tag, askDays, domain, deleteAfterDays, ...options }: ActionFields): PolicyAction {
  if (kind === 'tag') return { kind, tag }
  if (kind === 'ask') return { kind, days: typedNumber(askDays), domain: domain.trim() || null }
  if (kind === 'quarantine') return { kind, deleteAfterDays: numberOrNull(deleteAfterDays) }
  if (kind === 'store') return { kind, options: {} }
  return kind === 'nothing' ? { kind } : ({ kind, options: options[kind] } as PolicyAction)
}
