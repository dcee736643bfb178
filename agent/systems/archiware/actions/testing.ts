import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { testFolder } from '#server/platform/testing/stores.ts'
import type { ArchiveOrder, RestoreOrder } from '#events/actions/orders.ts'
import type { ArchiwareOptions, ArchiwareSimulator } from '../simulator/index.ts'
import { simulator } from '../simulator/testing.ts'
import { callsTo, connectionTo, defaultIndex } from '../testing.ts'
import type { Action, ActionContext } from '../../../actions/action.ts'
import { type Attempt, runAttempt, simulatedTime, untilComplete } from '../../../actions/testing/attempts.ts'
import { type FileList, newFileList } from '../../../actions/testing/fileList.ts'
import { openArchive } from './archive.ts'
import { openRestore } from './restore.ts'
import { defaultTiming, type Timing } from './timing.ts'

type RunOptions = Attempt & {
  changes?: Partial<Omit<ArchiveOrder, 'kind'> & Omit<RestoreOrder, 'kind'>>
  batchSize?: number
  parallel?: number
  /** Called between a crash and the next attempt. */
  beforeRetry?: () => void
}

/** Runs one attempt of an action for all files of a list. */
export async function run(
  p5: ArchiwareSimulator,
  kind: 'archive' | 'restore',
  list: FileList,
  { changes = {}, batchSize, parallel, ...attempt }: RunOptions = {},
) {
  const timing: Timing = { ...defaultTiming, ...simulatedTime(p5.clock) }
  const common = { connection: connectionTo(p5), clientId: 'studio' }
  const archive: ArchiveOrder = { kind: 'archive', ...common, planId: '10001', indexRoot: '', ...changes }
  const restore: RestoreOrder = {
    kind: 'restore',
    ...common,
    indexName: 'Default-Archive',
    relocate: null,
    ...changes,
  }
  const open = async (context: ActionContext): Promise<Action> => {
    const action = await (kind === 'archive'
      ? openArchive(archive, context, timing)
      : openRestore(restore, context, timing))
    return { ...action, ...(batchSize && { batchSize }), ...(parallel && { parallel }) }
  }
  await runAttempt(list, kind === 'archive' ? archive : restore, open, attempt)
}

/** Runs attempts until one ends without a crash, the first one with a crash. Returns the number of attempts. */
export const runWithCrash = (
  p5: ArchiwareSimulator,
  kind: 'archive' | 'restore',
  list: FileList,
  { crash, beforeRetry, ...options }: RunOptions,
): Promise<number> =>
  untilComplete((attempt) => {
    if (attempt === 1) return run(p5, kind, list, { ...options, crash })
    beforeRetry?.()
    return run(p5, kind, list, { ...options, attempt })
  })

/** A simulator with a client `studio` that has these files under /mnt/media, and the list of them for an archive action. */
export async function withFiles(names: string[], options: ArchiwareOptions = {}) {
  const p5 = await simulator(options)
  const folder = testFolder('media')
  const write = (name: string, content = `content of ${name}`) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  names.forEach((name) => write(name))
  const client = p5.addClient('studio', { folders: { '/mnt/media': folder } })
  const list = newFileList(
    names.map((name) => {
      const { size, mtimeMs } = statSync(join(folder, name))
      return { place: `/mnt/media/${name}`, size, modified: mtimeMs / 1_000 }
    }),
  )
  return { p5, folder, client, list, write, index: defaultIndex(p5) }
}

/** A simulator whose index has these files, and a list of them for a restore to a folder of the client `studio`. */
export async function withArchived(names: string[], options: ArchiwareOptions = {}) {
  const archived = await withFiles([], options)
  const { index, folder } = archived
  mkdirSync(join(folder, 'target'))
  const files = names.map((name, i) => ({ name, size: 10 + i, mtime: 1_700_000_000 + i }))
  for (const { name, ...values } of files) index.add(`mnt/Projects/${name}`, values)
  const list = newFileList(
    files.map(({ name, size, mtime }) => ({
      place: `/mnt/Projects/${name}`,
      pathInStorage: `/Projects/${name}`,
      size,
      modified: mtime,
    })),
  )
  return { ...archived, list, target: join(folder, 'target') }
}

export const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `clip ${i + 1}.mov`)

/** Number of times that each file was processed by jobs, by path on the client. */
export function timesProcessed({ jobs }: ArchiwareSimulator): Map<string, number> {
  const times = new Map<string, number>()
  for (const { path, result } of jobs.all().flatMap(({ files }) => files))
    if (result === 'done') times.set(path, (times.get(path) ?? 0) + 1)
  return times
}

export const submissionsTo = (p5: ArchiwareSimulator): number =>
  callsTo(p5).filter((call) => call.startsWith('POST')).length
