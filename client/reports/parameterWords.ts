import { type CheckRule, type DataSource, invalidName, type ReportCheck } from '#events/reports/templates.ts'
import { readGroup } from '#client/parts/query-builder/criteriaText.ts'
import { type NamedStorage, printQuery } from '#client/parts/query-builder/printQuery.ts'
import { countText, counted } from '#client/ui/text/count.ts'

/** `Films`, `Films /raw` */
export const sourceText = (name: string, { path }: Pick<DataSource, 'path'>): string =>
  path === '/' ? name : `${name} ${path}`

/** A query as a sentence; a storage that is gone is invalid in it. */
export const queryText = (searchQueryNode: unknown, volumes: readonly NamedStorage[]): string =>
  printQuery(readGroup(JSON.stringify(searchQueryNode)), volumes)

const rules: Record<CheckRule, (value: number) => string> = {
  MORE_FILES_THAN: (value) => (value === 0 ? 'any file matches' : `more than ${counted(value, 'file')} match`),
  BYTES_GREW_BY: (value) => `the matched bytes grew by more than ${countOrDecimal(value)} %`,
}

const countOrDecimal = (value: number) => (Number.isInteger(value) ? countText(value) : String(value))

/** `Fails when any file matches` */
export const checkText = ({ level, rule, value }: ReportCheck): string =>
  `${level === 'FAIL' ? 'Fails' : 'Warns'} when ${rules[rule](value)}`

export const isInvalid = (name: string): boolean => name === invalidName
