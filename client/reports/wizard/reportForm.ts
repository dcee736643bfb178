import { daysBefore, isDay, monthsBefore } from '#events/contract/days.ts'
import { relativeDay } from '#events/search/relativeDays.ts'
import { noWebhook, type WebhookValues, webhookDraft, webhookValues } from '#client/parts/webhook/webhookValues.ts'
import { comparesData, ReportDraft, type ReportType, type SourceType } from '#events/reports/templates.ts'
import type { Report, ReportCheck, ReportDelivery, ShownSource } from '#events/reports/templates.ts'
import { defineForm } from '#client/app/defineForm.ts'
import { typedAddresses, typedNumber } from '#client/app/form.ts'
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

export type ReportFields = {
  /** Key of the template; empty for none. */
  readyKey: string
  name: string
  type: ReportType | ''
  /** Days. */
  retention: number | string
  references: ChosenSource[]
  comparison: ChosenSource[]
  /** Filters the compared data by conditions. */
  isFiltered: boolean
  group: Group
  rollingDates: boolean
  tags: string[]
  runs: Timing
  isPaused: boolean
  checks: CheckFields[]
  /** Email addresses as one text. */
  addresses: string
  when: ReportDelivery['when']
  launches: boolean
} & WebhookValues
export type CheckFields = Omit<ReportCheck, 'value'> & { value: number | string }

/** Default check: fails if anything is found. */
export const newCheck: CheckFields = { rule: 'MORE_FILES_THAN', value: 0, level: 'FAIL' }

const never: Timing = { ...midnight, frequency: 'NEVER' }

export const emptyReport = (): ReportFields => ({
  readyKey: '',
  name: '',
  type: '',
  retention: 30,
  references: [],
  comparison: [],
  isFiltered: false,
  group: newGroup(),
  rollingDates: true,
  tags: [],
  runs: never,
  isPaused: false,
  checks: [],
  addresses: '',
  ...noWebhook,
  when: 'ALWAYS',
  launches: true,
})

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

function fromRow(report: Report): ReportFields {
  const { name, type, retention, tags, schedule, delivery, checks } = report
  const { references, comparison, searchQueryNode, rollingDates } = report.parameters
  return {
    ...emptyReport(),
    name,
    type,
    retention,
    tags,
    rollingDates,
    checks,
    references: references.map(chosen),
    comparison: comparison.map(chosen),
    isFiltered: searchQueryNode !== null,
    ...(searchQueryNode && { group: readGroup(JSON.stringify(searchQueryNode)) }),
    runs: schedule ? timingOf(schedule.cron, reportFrequencies, midnight) : never,
    isPaused: schedule?.paused ?? false,
    addresses: delivery?.addresses.join('\n') ?? '',
    ...(delivery ? webhookValues(delivery) : noWebhook),
    when: delivery?.when ?? 'ALWAYS',
  }
}

const chosen = ({ type, id, path, volumeName }: ShownSource): ChosenSource => ({ type, id, path, name: volumeName })
const asSource = ({ type, id, path }: ChosenSource) => ({ type, id, path })

export const cronOf = ({ runs }: ReportFields): string | undefined =>
  runs.frequency === 'NEVER' ? undefined : timingCron(runs)

export const hasQuery = ({ type, isFiltered }: ReportFields): boolean =>
  type !== '' && (!comparesData(type) || isFiltered)

/** The report for the API. Invalid numbers are passed through, so that the server rejects them. */
function toDraft(fields: ReportFields): ReportDraft {
  const { type, retention, checks, addresses, when } = fields
  const cron = cronOf(fields)
  const compares = type !== '' && comparesData(type)
  return {
    name: fields.name.trim(),
    type: type as ReportType,
    retention: typedNumber(retention),
    tags: fields.tags,
    parameters: {
      references: compares ? fields.references.map(asSource) : [],
      comparison: compares ? fields.comparison.map(asSource) : [],
      searchQueryNode: hasQuery(fields) ? JSON.parse(criteriaText(fields.group)) : null,
      rollingDates: fields.rollingDates,
    },
    schedule: cron === undefined ? null : { cron, paused: fields.isPaused },
    delivery: { addresses: typedAddresses(addresses), ...webhookDraft(fields), when },
    checks: checks.map(({ value, ...check }) => ({ ...check, value: typedNumber(value) })),
  }
}

/** Form of a report. */
export const reportForm = defineForm({
  schema: ReportDraft,
  fields: emptyReport(),
  toDraft,
  fromRow,
  inputFor: {
    'parameters.references': 'references',
    'parameters.comparison': 'comparison',
    'parameters.searchQueryNode': 'group',
    'parameters.rollingDates': 'rollingDates',
    schedule: 'runs',
    'delivery.addresses': 'addresses',
    'delivery.webhook': 'webhook',
    'delivery.webhookFormat': 'webhookFormat',
    'delivery.webhookTemplate': 'webhookTemplate',
    'delivery.when': 'when',
  },
  labels: { 'delivery.addresses.*': 'Each address' },
  check: (fields) => ({
    runs: timingProblem(fields.runs),
    // Comparisons may have no query, but not an empty one.
    group: hasQuery(fields) && !hasCondition(fields.group) && 'Complete at least one condition',
  }),
})

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
