import { daysBefore, isDay, monthsBefore } from '#events/contract/days.ts'
import { relativeDay } from '#events/search/relativeDays.ts'
import { webhookFields } from '#client/parts/webhook/webhookValues.ts'
import { comparesData, ReportDraft, type ReportType, type SourceType } from '#events/reports/templates.ts'
import type { Report, ReportCheck, ReportDelivery, ShownSource } from '#events/reports/templates.ts'
import { typedAddresses, typedNumber } from '#client/app/form.ts'
import { describeForm } from '#client/parts/settings-table/describeForm.ts'
import type { FormState } from '#client/app/useSavedForm.ts'
import {
  midnight,
  reportFrequencies,
  type Timing,
  timingCron,
  timingOf,
  timingProblem,
} from '#client/parts/cron/timing.ts'
import { type Condition, type Group, newGroup, typeOf } from '#events/search/string-format/conditions.ts'
import { criteriaText, readGroup, readValue } from '#events/search/string-format/criteriaText.ts'
import { type ReadyReport, readyReports } from './readyReports.ts'

/** A storage or project, or a folder in it. */
export type ChosenSource = { type: SourceType; id: number; name: string; path: string }

export type CheckFields = Omit<ReportCheck, 'value'> & { value: number | string }

/** Default check: fails if anything is found. */
export const newCheck: CheckFields = { rule: 'MORE_FILES_THAN', value: 0, level: 'FAIL' }

/** Form of a template, or an empty form. The search of another screen is not included. */
export function fieldsOfReady(key: string, today = new Date()): ReportFields {
  const ready = readyReports.find((report) => report.key === key)
  if (!ready) return emptyReport()
  return { ...emptyReport(), readyKey: key, name: ready.name, type: ready.type, ...queryOf(ready, today) }
}

const queryOf = (ready: ReadyReport, today: Date): { group?: Group } =>
  ready.type === 'SEARCH_QUERY' ? { group: readGroup(JSON.stringify(ready.criteria(today))) } : {}

export const fieldsOfCriteria = (criteria: string): ReportFields => ({
  ...emptyReport(),
  type: 'SEARCH_QUERY',
  group: readGroup(criteria),
})

const chosen = ({ type, id, path, volumeName }: ShownSource): ChosenSource => ({ type, id, path, name: volumeName })
const asSource = ({ type, id, path }: ChosenSource) => ({ type, id, path })

const never: Timing = { ...midnight, frequency: 'NEVER' }

/** The cron expression of a report; undefined if it only runs when launched. */
const cronOf = ({ runs }: { runs: Timing }): string | undefined =>
  runs.frequency === 'NEVER' ? undefined : timingCron(runs)

type Compared = { type: ReportType | '' }
const compares = ({ type }: Compared) => type !== '' && comparesData(type)

export const hasQuery = ({ type, isFiltered }: Compared & { isFiltered: boolean }): boolean =>
  type !== '' && (!comparesData(type) || isFiltered)

/** Data of a comparison, which other reports don't have. */
const sourcesField = <S extends 'references' | 'comparison'>(side: S, label: string) => ({
  label,
  initial: [] as ChosenSource[],
  isShown: compares,
  to: `parameters.${side}` as const,
  read: ({ parameters }: Report) => parameters[side].map(chosen),
  write: (sources: ChosenSource[]) => sources.map(asSource),
})

/** Form of a report, whose inputs are in the steps of the wizard. Invalid numbers are sent, so that the server rejects them. */
export const reportForm = describeForm<Report, ReportDraft>()({
  schema: ReportDraft,
  fields: {
    /** Key of the template; empty for none. */
    readyKey: { label: 'Start from', initial: '', to: null, read: () => '' },
    name: { label: 'Name', initial: '', write: (name) => name.trim() },
    type: { label: 'Type', initial: '' as ReportType | '', write: (type) => type as ReportType },
    /** Days. */
    retention: { label: 'Retention', initial: 30 as number | string, write: typedNumber },
    references: sourcesField('references', 'References'),
    comparison: sourcesField('comparison', 'Comparison'),
    /** Filters the compared data by conditions. */
    isFiltered: {
      label: 'Add search queries',
      initial: false as boolean,
      to: null,
      read: ({ parameters }) => parameters.searchQueryNode !== null,
    },
    group: {
      label: 'Search query node',
      initial: newGroup(),
      to: 'parameters.searchQueryNode',
      read: ({ parameters: { searchQueryNode: node } }) => (node ? readGroup(JSON.stringify(node)) : newGroup()),
      write: (group, fields) => (hasQuery(fields) ? JSON.parse(criteriaText(group)) : null),
      // Comparisons may have no query, but not an empty one.
      check: (group, fields) => hasQuery(fields) && !hasCondition(group) && 'Complete at least one condition',
    },
    rollingDates: {
      label: 'Rolling dates',
      initial: true as boolean,
      to: 'parameters.rollingDates',
      read: ({ parameters }) => parameters.rollingDates,
      write: (rolls) => rolls,
    },
    tags: { label: 'Tags', initial: [] as string[] },
    runs: {
      label: 'Schedule',
      initial: never,
      to: 'schedule',
      read: ({ schedule }) => (schedule ? timingOf(schedule.cron, reportFrequencies, midnight) : never),
      write: (runs, { isPaused }) => {
        const cron = cronOf({ runs })
        return cron === undefined ? null : { cron, paused: isPaused }
      },
      check: timingProblem,
    },
    isPaused: {
      label: 'Paused',
      initial: false as boolean,
      to: null,
      read: ({ schedule }) => schedule?.paused ?? false,
    },
    checks: {
      label: 'Checks',
      initial: [] as CheckFields[],
      write: (checks) => checks.map(({ value, ...check }) => ({ ...check, value: typedNumber(value) })),
    },
    /** Email addresses as one text. */
    addresses: {
      label: 'Addresses',
      initial: '',
      to: 'delivery.addresses',
      read: ({ delivery }) => delivery?.addresses.join('\n') ?? '',
      write: typedAddresses,
    },
    ...webhookFields('delivery.', ({ delivery }: Report) => delivery),
    when: {
      label: 'When',
      initial: 'ALWAYS' as ReportDelivery['when'],
      to: 'delivery.when',
      read: ({ delivery }) => delivery?.when ?? 'ALWAYS',
      write: (when) => when,
    },
    launches: { label: 'Launch the report after saving', initial: true as boolean, to: null, read: () => true },
  },
  labels: () => ({ 'delivery.addresses.*': 'Each address' }),
})

export type ReportFields = typeof reportForm.fields

export const emptyReport = (): ReportFields => ({ ...reportForm.fields, group: newGroup() })

export type ReportForm = FormState<ReportFields>

const hasCondition = ({ conditions, groups }: Group): boolean =>
  conditions.some((condition) => readValue(condition) !== undefined) || groups.some(hasCondition)

const isSame = (one: ChosenSource, other: ChosenSource): boolean =>
  one.type === other.type && one.id === other.id && one.path === other.path

export const isAmong = (sources: readonly ChosenSource[], source: ChosenSource): boolean =>
  sources.some((known) => isSame(known, source))

/** Adds or removes a source. */
export const toggled = (sources: readonly ChosenSource[], source: ChosenSource): ChosenSource[] =>
  isAmong(sources, source) ? sources.filter((known) => !isSame(known, source)) : [...sources, source]

/** Days of a relative day have at most four digits. */
const maxDays = 9_999
const maxYears = 30

/** Conditions with fixed dates as the distance that a report with relative dates keeps to the day of each run. */
export const withRelativeDates = (group: Group, today: string): Group => ({
  ...group,
  conditions: group.conditions.map((condition) => relativeCondition(condition, today)),
  groups: group.groups.map((inner) => withRelativeDates(inner, today)),
})

function relativeCondition(condition: Condition, today: string): Condition {
  if (typeOf(condition.field) !== 'date' || !isDay(condition.value)) return condition
  return { ...condition, value: distance(condition.value, today) ?? condition.value }
}

/** In whole years or months if possible, otherwise in days. Undefined for days after today, and those too long ago. */
function distance(day: string, today: string): string | undefined {
  for (let months = 1; months <= maxYears * 12; months += 1)
    if (monthsBefore(today, months) === day)
      return months % 12 === 0 ? relativeDay(months / 12, 'y') : relativeDay(months, 'M')
  const days = (Date.parse(today) - Date.parse(day)) / 86_400_000
  return days >= 0 && days <= maxDays && daysBefore(today, days) === day ? relativeDay(days, 'd') : undefined
}
