import type { JobStatus } from '#events/jobs/events.ts'

export const hasFailed = ({ status }: { status: JobStatus }): boolean =>
  status === 'FAILURE' || status === 'SCANNER_ERROR'
