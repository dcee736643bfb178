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
import { type Group, newGroup } from '#events/search/string-format/conditions.ts'
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
