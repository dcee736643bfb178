import { readGroup } from '#events/search/string-format/criteriaText.ts'
import { type NamedStorage, printQuery } from '#events/search/string-format/printQuery.ts'
import type { CheckRule, DataSource, ReportCheck } from './templates.ts'

/** For example `Films` or `Films /raw`. */
export const sourceText = (name: string, { path }: Pick<DataSource, 'path'>): string =>
  path === '/' ? name : `${name} ${path}`

/** A query as a sentence. Deleted storages are shown as invalid. */
export const queryText = (searchQueryNode: unknown, volumes: readonly NamedStorage[]): string =>
  printQuery(readGroup(JSON.stringify(searchQueryNode)), volumes)

const grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 20 })

const rules: Record<CheckRule, (value: number) => string> = {
  MORE_FILES_THAN: (value) =>
    value === 0 ? 'any file matches' : `more than ${grouped.format(value)} ${value === 1 ? 'file' : 'files'} match`,
  BYTES_GREW_BY: (value) => `the total size of matches grows by more than ${grouped.format(value)} %`,
}

/** For example `Fails when any file matches`. */
export const checkText = ({ level, rule, value }: ReportCheck): string =>
  `${level === 'FAIL' ? 'Fails' : 'Warns'} when ${rules[rule](value)}`
