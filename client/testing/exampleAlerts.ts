import type { AlertStatus } from '#events/schedules/alerts.ts'
import type { Schedule, ScheduleDraft } from '#events/schedules/calls.ts'
import type { Storage } from '#events/storages.ts'
import { listedProject } from './exampleProject.ts'
import { today } from './examples.ts'

export const at = `${today}T10:00:00.000Z`
export const films: Storage = {
  id: 1,
  name: 'Films',
  account: null,
  type: 'crawl.files',
  createdAt: at,
  stats: { capacityUsed: 1, capacityTotal: 2, capacityFree: 1, fileSystem: null },
}
export const storagePage = {
  elements: [films, { ...films, id: 2, name: 'Bucket', type: 'AWS-S3' }],
  startCursor: null,
  endCursor: null,
  hasNextPage: false,
  hasPreviousPage: false,
  size: 1_000,
  sort: 'NAME' as const,
  direction: 'asc' as const,
  indexingDate: today,
}
export const alpine = listedProject(4, 'Alpine')
export const check = {
  id: 6,
  name: 'No ransomware',
  state: null,
  reason: '',
  at: null,
  indexingDate: null,
  numberOfFilesFound: null,
  sizeOfFilesFound: null,
}
const notEvaluated: AlertStatus = { state: null, evaluatedAt: null, reason: null, lastSent: null, isWebhookLost: false }
export const rowOf = (draft: ScheduleDraft, id: number): Schedule => ({
  ...draft,
  id,
  nextRuns: [],
  lastRun: null,
  alert: notEvaluated,
})
export const filmsFull: Schedule = {
  id: 1,
  name: 'Films full',
  cron: '0 0 0 ? * MON',
  paused: false,
  jobGroup: 'ALERT',
  jobClass: 'VOLUME_SPACE_ALERT',
  payload: { threshold: 75, resourceIds: [1] },
  nextRuns: [],
  lastRun: null,
  alert: notEvaluated,
}
