import { type Schedule, ScheduleDraft, type ScannerClass } from '#events/schedules/calls.ts'
import { checkedBy } from '#client/app/form.ts'
import type { useSavedForm } from '#client/app/useSavedForm.ts'
import { jobClasses } from './jobClasses.ts'

/** A schedule as its form holds it: the choices of every job class, of which those of the chosen class count. */
export type ScheduleFields = {
  name: string
  cron: string
  paused: boolean
  jobClass: ScannerClass | ''
  /** An agent's id, or nothing. */
  serverId: string
  chosen: string[]
  paths: { id: string; path: string }[]
  cloneIndex: boolean
  isDeltaScan: boolean
}

export const newSchedule: ScheduleFields = {
  name: '',
  cron: '',
  paused: false,
  jobClass: '',
  serverId: '',
  chosen: [],
  paths: [],
  cloneIndex: true,
  isDeltaScan: true,
}

/** A delta scan compares with the index before, which is therefore cloned. */
export const clones = ({ jobClass, cloneIndex, isDeltaScan }: ScheduleFields): boolean =>
  cloneIndex || (jobClass !== '' && jobClasses[jobClass].canScanDelta && isDeltaScan)

/** Whether a schedule is complete: a name, a cron expression, a job of this version, and the fields of that job. */
export function maySave(fields: ScheduleFields): boolean {
  const { name, cron, jobClass, serverId, chosen, paths } = fields
  if (name.trim() === '' || cron.trim() === '' || jobClass === '') return false
  const { choice, missing } = jobClasses[jobClass]
  if (missing !== undefined) return false
  if (choice === 'agent') return Number(serverId) > 0
  if (choice === 'storages') return chosen.length > 0
  if (choice === 'paths') return paths.some(({ id }) => id !== '')
  return true
}

export function draftOf(fields: ScheduleFields): ScheduleDraft {
  const { name, cron, paused, jobClass } = fields
  const payload = jobClass === '' ? {} : payloadOf[jobClass](fields)
  return { name: name.trim(), cron: cron.trim(), paused, jobGroup: 'SCANNER', jobClass, payload } as ScheduleDraft
}

const ids = ({ chosen }: ScheduleFields) => chosen.map(Number)
const clone = (fields: ScheduleFields) => ({ cloneIndex: clones(fields) })
const delta = (fields: ScheduleFields) => ({ ...clone(fields), isDeltaScan: fields.isDeltaScan })

const payloadOf: Record<ScannerClass, (fields: ScheduleFields) => ScheduleDraft['payload']> = {
  SCAN_ALL_VOLUMES: clone,
  SCAN_SERVER: (fields) => ({ serverId: Number(fields.serverId), ...clone(fields) }),
  SCAN_VOLUMES: (fields) => ({ volumes: ids(fields), ...clone(fields) }),
  SCAN_ALL_BUCKETS: clone,
  SCAN_BUCKETS: (fields) => ({ bucketsId: ids(fields), ...clone(fields) }),
  SCAN_ALL_DELL_POWER_SCALES: clone,
  SCAN_DELL_POWER_SCALES: (fields) => ({ dellPowerScaleIds: ids(fields), ...delta(fields) }),
  SCAN_ALL_ARCHIWARES: clone,
  SCAN_ARCHIWARES: (fields) => ({ archiwareIds: ids(fields), ...delta(fields) }),
  SCAN_STORAGES: ({ paths }) => ({
    storageIdToPath: Object.fromEntries(paths.filter(({ id }) => id !== '').map(({ id, path }) => [id, path])),
  }),
  SCAN_ALL_STORAGES: () => ({}),
}

/** The ids that a payload names, whatever its job class calls them. */
export function namedIds(payload: Schedule['payload']): number[] {
  if ('volumes' in payload) return payload.volumes
  if ('bucketsId' in payload) return payload.bucketsId
  if ('dellPowerScaleIds' in payload) return payload.dellPowerScaleIds
  if ('archiwareIds' in payload) return payload.archiwareIds
  if ('storageIdToPath' in payload) return Object.keys(payload.storageIdToPath).map(Number)
  return []
}

export function fieldsOf({ name, cron, paused, jobClass, payload }: Schedule): ScheduleFields {
  const isOfScanner = jobClass in jobClasses
  return {
    name,
    cron,
    paused,
    jobClass: isOfScanner ? (jobClass as ScannerClass) : '',
    serverId: 'serverId' in payload ? String(payload.serverId) : '',
    chosen: 'storageIdToPath' in payload ? [] : namedIds(payload).map(String),
    paths:
      'storageIdToPath' in payload ? Object.entries(payload.storageIdToPath).map(([id, path]) => ({ id, path })) : [],
    cloneIndex: 'cloneIndex' in payload ? payload.cloneIndex : true,
    isDeltaScan: 'isDeltaScan' in payload ? payload.isDeltaScan : true,
  }
}

/** Where the form shows what the server says of a field. */
export const shownAt = (field: string): string =>
  field === 'payload.serverId'
    ? 'serverId'
    : field.startsWith('payload.storageIdToPath')
      ? 'paths'
      : field.startsWith('payload')
        ? 'chosen'
        : field

/** What is wrong with the fields, in the server's words. */
export function scheduleErrors(fields: ScheduleFields): Record<string, string> {
  const found = Object.entries(checkedBy(ScheduleDraft)(draftOf(fields)))
  return Object.fromEntries(found.map(([field, message]) => [shownAt(field), message]))
}

/** The form that a schedule is written in. */
export type FormOfSchedule = ReturnType<typeof useSavedForm<ScheduleFields>>['form']
