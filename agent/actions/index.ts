import type { ActionKind, ActionOrder } from '#events/actions/orders.ts'
import type { TaskContext } from '../execution.ts'
import { type Action, type ActionContext, ActionFailed, type OpenAction } from './action.ts'
import { openArchive } from '../systems/archiware/actions/archive.ts'
import { openRestore } from '../systems/archiware/actions/restore.ts'
import { compareFiles } from './contents/compareFiles.ts'
import { openQuarantine } from './quarantine/openQuarantine.ts'
import { readMediaFiles } from '../media/readMediaFiles.ts'
import { openUpload } from '../systems/iconik/upload.ts'
import { runAction as runWith, runFiles } from './runAction.ts'
import { openStorageManager } from '../systems/stornext/storageManager.ts'
import { openTransfer } from '../systems/transfers/transfer.ts'

/** Kinds of actions in an external system. */
type SystemKind = Exclude<ActionKind, 'compare' | 'readMedia' | 'quarantine'>
const openers: { [K in SystemKind]: OpenAction<K> } = {
  archive: (system, context) => openArchive(system, context),
  restore: (system, context) => openRestore(system, context),
  storageManager: (system, context) => openStorageManager(system, context),
  transfer: (system, context) => openTransfer(system, context),
  upload: (system, context) => openUpload(system, context),
}

/** Runs a task of the type ACT_ON_FILES. */
export const runAction = (
  context: TaskContext,
  task: { taskId: number; order: ActionOrder },
  signal: AbortSignal,
): Promise<void> =>
  runWith(context, task, signal, (link) => {
    const { order } = task
    const { agentId } = context.connection
    if (order.system.kind === 'compare') return compareFiles(link, order.system, { agentId, signal })
    if (order.system.kind === 'readMedia') return readMediaFiles(link, order.system, signal)
    const { system } = order
    if (system.kind === 'quarantine')
      return runFiles(link, order, signal, () => openQuarantine(system, { ...context, agentId }))
    return runFiles(link, order, signal, openAction)
  })

function openAction({ system }: ActionOrder, context: ActionContext): Promise<Action> {
  const open = openers[system.kind as SystemKind] as OpenAction<ActionKind> | undefined
  if (!open) throw new ActionFailed('This agent does not know this action. Update it.')
  return open(system, context)
}
