import type { ReportRun } from '#events/reports/runs.ts'
import { counted } from '#client/ui/text/count.ts'
import { momentText } from '#client/ui/text/moment.ts'

/** Color of a run: by the result of its check if any, else by its status. */
export type RunTone = 'good' | 'attention' | 'critical' | 'ok' | 'quiet'

export function toneOf({ status, check }: Pick<ReportRun, 'status' | 'check'>): RunTone {
  if (status === 'RUNNING') return 'ok'
  if (status === 'FAILURE' || status === 'SCANNER_ERROR' || check?.state === 'FAILED') return 'critical'
  if (status === 'WARNING' || check?.state === 'WARNING' || check?.state === 'UNKNOWN') return 'attention'
  return status === 'SUCCESS' ? 'good' : 'quiet'
}

const endings: Partial<Record<ReportRun['status'], string>> = {
  SUCCESS: 'success',
  WARNING: 'warning',
  FAILURE: 'failure',
  SCANNER_ERROR: 'failure',
  CANCELLED: 'cancelled',
}
const outcomes = {
  PASSED: 'check passed',
  UNKNOWN: 'check not evaluated',
  WARNING: 'check warning',
  FAILED: 'check failed',
}

/** `2026-11-25 10:02, 12 files found, success, check failed` */
export function runText({ startedAt, numberOfFilesFound, status, check }: ReportRun): string {
  const found = numberOfFilesFound === null ? [] : [`${counted(numberOfFilesFound, 'file')} found`]
  const state = endings[status] ?? 'running'
  return [momentText(startedAt), ...found, state, ...(check ? [outcomes[check.state]] : [])].join(', ')
}

/** Height of each tick by the number of files found, 0 to 1. */
export function heightsOf(runs: readonly Pick<ReportRun, 'numberOfFilesFound'>[]): number[] {
  const max = Math.max(1, ...runs.map(({ numberOfFilesFound }) => numberOfFilesFound ?? 0))
  return runs.map(({ numberOfFilesFound }) => (numberOfFilesFound ?? 0) / max)
}

/** Runs whose results are kept and can be compared, newest first. */
export const comparableRuns = (runs: readonly ReportRun[]): ReportRun[] => runs.filter(({ isKept }) => isKept)
