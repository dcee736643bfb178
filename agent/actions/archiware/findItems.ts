import type { FileOutcome, PlannedFile } from '#events/actions/files.ts'
import type { ActionContext } from '../action.ts'
import { patiently } from '../patiently.ts'
import { translated } from './failures.ts'
import type { Handles } from './handles.ts'
import { inParallel } from './inParallel.ts'
import { failed } from './outcomes.ts'
import type { Item } from './submit.ts'

type Options = Pick<ActionContext, 'report' | 'signal'> & { handles: Handles; index: string }

/** Finds the entries of files, with their handles as names. Waits while P5 is away, since nothing was sent yet. */
export async function findItems(
  files: PlannedFile[],
  { handles, index, report, signal }: Options,
): Promise<{ items: Item[]; missing: FileOutcome[] }> {
  const found = new Map<PlannedFile, string | undefined>()
  await inParallel(files, async (file) => {
    const find = () => translated(() => handles.find(file, signal))
    found.set(file, await patiently(find, report, signal))
  })
  const items = files.flatMap((file): Item[] => {
    const name = found.get(file)
    return name === undefined ? [] : [{ file, name }]
  })
  const missing = files.filter((file) => found.get(file) === undefined)
  return { items, missing: missing.map((file) => failed(file, `The index ${index} no longer has it`)) }
}
