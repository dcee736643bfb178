import { type Schedule, ScheduleDraft, type ScannerClass } from '#events/schedules/calls.ts'
import { everySource } from '#events/sources/kinds.ts'
import { nightly, scanFrequencies, type Timing, timingCron } from '#client/parts/cron/timing.ts'
import { timingField } from '#client/parts/cron/timingField.tsx'
import { defaultScanOptions, effectiveOptions, type ScanOptions } from '#client/parts/scan-dialog/scanOptions.ts'
import { ScanOptionInputs } from '#client/parts/scan-dialog/ScanOptionInputs.tsx'
import { describeForm } from '#client/parts/settings-table/describeForm.ts'
import { drawnBefore } from '#client/parts/settings-table/form.ts'
import { jobClasses } from './jobClasses.ts'
import type { Row } from './StoragePaths.tsx'
import { AgentChoice, JobSelect, PathsChoice, SourceChoice, sourceWords } from './TargetInputs.tsx'

export type ScanDraft = Extract<ScheduleDraft, { jobGroup: 'SCANNER' }>

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
  paths: Row[]
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

/** The fields that a job class uses. */
function payloadOf({ jobClass, serverId, chosen, paths, ...options }: ScheduleFields) {
  if (jobClass === '') return {}
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

type Job = Pick<ScheduleFields, 'jobClass'>

const offers =
  (wanted: 'agent' | 'sources' | 'paths') =>
  ({ jobClass }: Job) =>
    jobClass !== '' && jobClasses[jobClass].choice === wanted
const canClone = ({ jobClass }: Job) => jobClass !== '' && jobClasses[jobClass].canClone
const ofJob = { propsOf: (_: unknown, { jobClass }: Job) => ({ jobClass }) }

/** Form of a schedule. */
export const scheduleForm = describeForm<Schedule, ScanDraft>()({
  schema: ScheduleDraft,
  isComplete: maySave,
  fields: {
    name: { label: 'Name', initial: '', write: (name) => name.trim() },
    jobClass: {
      label: 'Job',
      errorLabel: 'Job class',
      description: (edited) => (edited === 'new' ? undefined : 'The job of a schedule cannot be changed.'),
      kind: 'own',
      Input: JobSelect,
      isFixed: (edited) => edited !== 'new',
      // The selected targets were of another kind.
      changes: () => ({ chosen: [] }),
      initial: '' as ScannerClass | '',
      read: ({ jobClass }) => (jobClass in jobClasses ? (jobClass as ScannerClass) : ''),
      write: (jobClass) => jobClass as ScannerClass,
    },
    serverId: {
      label: 'Agent',
      errorLabel: 'Server id',
      kind: 'own',
      Input: AgentChoice,
      ...ofJob,
      isShown: offers('agent'),
      initial: '',
      to: ['payload.serverId'],
      read: ({ payload }) => ('serverId' in payload ? String(payload.serverId) : ''),
    },
    chosen: {
      label: ({ jobClass }) => {
        const { plural } = sourceWords(jobClass)
        return plural.charAt(0).toUpperCase() + plural.slice(1)
      },
      errorLabel: 'Payload',
      kind: 'own',
      Input: SourceChoice,
      ...ofJob,
      isShown: offers('sources'),
      initial: [] as string[],
      to: ['payload'],
      read: ({ payload }) => sourceIds(payload).map(String),
    },
    paths: {
      label: 'Storages',
      errorLabel: 'Storage id to path',
      kind: 'own',
      Input: PathsChoice,
      ...ofJob,
      isShown: offers('paths'),
      initial: [] as Row[],
      to: ['payload.storageIdToPath'],
      read: ({ payload }) =>
        'storageIdToPath' in payload ? Object.entries(payload.storageIdToPath).map(([id, path]) => ({ id, path })) : [],
    },
    cloneIndex: {
      label: 'Keep other storages in the snapshot',
      kind: 'drawn',
      draw: ({ form, busy }) => (
        <ScanOptionInputs
          options={form.values}
          canScanDelta={form.values.jobClass !== '' && jobClasses[form.values.jobClass].canScanDelta}
          disabled={busy}
          onChange={({ cloneIndex, isDeltaScan }) => {
            form.setFieldValue('cloneIndex', cloneIndex)
            form.setFieldValue('isDeltaScan', isDeltaScan)
          }}
        />
      ),
      isShown: canClone,
      initial: defaultScanOptions.cloneIndex,
      to: null,
      read: ({ payload }) => ('cloneIndex' in payload ? payload.cloneIndex : true),
    },
    isDeltaScan: {
      ...drawnBefore,
      label: 'Only changes',
      initial: defaultScanOptions.isDeltaScan,
      to: null,
      read: ({ payload }) => ('isDeltaScan' in payload ? payload.isDeltaScan : true),
    },
    timing: timingField('Runs', scanFrequencies, nightly),
    // The table changes it.
    paused: { ...drawnBefore, label: 'Paused', initial: false as boolean },
  },
  draft: (fields) => ({ jobGroup: 'SCANNER', payload: payloadOf(fields) }) as Partial<ScanDraft>,
  saved: ({ name }, edited) => `Schedule ${name.trim()} was ${edited === 'new' ? 'created' : 'updated'}`,
})
