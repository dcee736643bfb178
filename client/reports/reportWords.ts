import { type ReportType, reportTypeLabels } from '#events/reports/templates.ts'

/** Explanation of each type of report. */
export const findsOf: Record<ReportType, string> = {
  DUPLICATED: 'Files in the comparison data that are also in the reference data.',
  UNIQUE: 'Files in the comparison data that are not in the reference data.',
  SEARCH_QUERY: 'Files and folders that match conditions, in any storage.',
}

export const typeChoices = (types: readonly ReportType[]) =>
  types.map((type) => ({ value: type, label: reportTypeLabels[type] }))
