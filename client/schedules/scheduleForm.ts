import { type Schedule, ScheduleDraft, type ScannerClass } from '#events/schedules/calls.ts'
import { everySource } from '#events/sources/kinds.ts'
import { defineForm } from '#client/app/defineForm.ts'
import type { FormState } from '#client/app/useSavedForm.ts'
import { defaultScanOptions, effectiveOptions, type ScanOptions } from '#client/parts/scan-dialog/scanOptions.ts'
import {
  nightly,
  scanFrequencies,
  type Timing,
  timingCron,
  timingOf,
  timingProblem,
} from '#client/parts/cron/timing.ts'
import { jobClasses } from './jobClasses.ts'

/**
 * The fields of a schedule's form: the selections for every job class, though only those of the selected class are
 * used.
 */
export type ScheduleFields = ScanOptions & {
  name: string
  timing: Timing
  paused: boolean
  jobClass: ScannerClass | ''
  /** An agent's id, or ''. */
  serverId: string
  chosen: string[]
  paths: { id: string; path: string }[]
}

const newSchedule: ScheduleFields = {
  name: '',
  timing: nightly,
  paused: false,
  jobClass: '',
  serverId: '',
  chosen: [],
  paths: [],
  ...defaultScanOptions,
}

/** True if a schedule is complete: a name, its times, a job, and the fields of that job. */
export function maySave(fields: ScheduleFields): boolean {
  const { name, timing, jobClass, serverId, chosen, paths } = fields
  if (name.trim() === '' || timingCron(timing) === '' || jobClass === '') return false
  const { choice } = jobClasses[jobClass]
  if (choice === 'agent') return Number(serverId) > 0
  if (choice === 'sources') return chosen.length > 0
  if (choice === 'paths') return paths.some(({ id }) => id !== '')
  return true
}

function toDraft(fields: ScheduleFields): ScheduleDraft {
  const { name, timing, paused, jobClass } = fields
  const cron = timingCron(timing)
  const payload = jobClass === '' ? {} : payloadOf(jobClass, fields)
  return { name: name.trim(), cron, paused, jobGroup: 'SCANNER', jobClass, payload } as ScheduleDraft
}

/** The fields that a job class uses. */
function payloadOf(jobClass: ScannerClass, { serverId, chosen, paths, ...options }: ScheduleFields) {
  const { choice, source, canClone, canScanDelta } = jobClasses[jobClass]
  const { cloneIndex, isDeltaScan } = effectiveOptions(options, canScanDelta)
  const named = paths.filter(({ id }) => id !== '').map(({ id, path }) => [id, path])
  return {
    ...(choice === 'agent' && { serverId: Number(serverId) }),
    ...(choice === 'sources' && source && { [source.idsName]: chosen.map(Number) }),
    ...(choice === 'paths' && { storageIdToPath: Object.fromEntries(named) }),
    ...(canClone && { cloneIndex }),
    ...(canScanDelta && { isDeltaScan }),
  }
}

/** The ids in a payload of any job class. */
export function namedIds(payload: Schedule['payload']): number[] {
  if ('serverId' in payload) return [payload.serverId]
  if ('storageIdToPath' in payload) return Object.keys(payload.storageIdToPath).map(Number)
  return sourceIds(payload)
}

/** The ids of the sources that a payload names. */
function sourceIds(payload: Schedule['payload']): number[] {
  const idsName = everySource.map(({ idsName }) => idsName).find((idsName) => idsName in payload)
  return idsName === undefined ? [] : ((payload as Record<string, unknown>)[idsName] as number[])
}

function fromRow({ name, cron, paused, jobClass, payload }: Schedule): ScheduleFields {
  const isOfScanner = jobClass in jobClasses
  return {
    name,
    timing: timingOf(cron, scanFrequencies, nightly),
    paused,
    jobClass: isOfScanner ? (jobClass as ScannerClass) : '',
    serverId: 'serverId' in payload ? String(payload.serverId) : '',
    chosen: sourceIds(payload).map(String),
    paths:
      'storageIdToPath' in payload ? Object.entries(payload.storageIdToPath).map(([id, path]) => ({ id, path })) : [],
    cloneIndex: 'cloneIndex' in payload ? payload.cloneIndex : true,
    isDeltaScan: 'isDeltaScan' in payload ? payload.isDeltaScan : true,
  }
}

/** Form of a schedule. */
export const scheduleForm = defineForm({
  schema: ScheduleDraft,
  fields: newSchedule,
  toDraft,
  fromRow,
  inputFor: { cron: 'timing', payload: 'chosen', 'payload.serverId': 'serverId', 'payload.storageIdToPath': 'paths' },
  check: ({ timing }) => ({ timing: timingProblem(timing) }),
})

export type FormOfSchedule = FormState<ScheduleFields>
