import { type ReportType, reportTypeLabels } from '#events/reports/templates.ts'

/** Explanation of each type of report. */
export const findsOf: Record<ReportType, string> = {
  DUPLICATED: 'Files of the comparison data that are in the reference data too.',
  UNIQUE: 'Files of the comparison data that are nowhere in the reference data.',
  SEARCH_QUERY: 'Files and folders that meet conditions, wherever they are.',
}

export const typeChoices = (types: readonly ReportType[]) =>
  types.map((type) => ({ value: type, label: reportTypeLabels[type] }))
