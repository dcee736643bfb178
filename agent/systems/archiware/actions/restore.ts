import type { RestoreOrder } from '#events/actions/orders.ts'
import type { FileOutcome, PlannedFile } from '#events/actions/files.ts'
import { listIndexes } from '../lists.ts'
import { type Action, type ActionContext, ActionFailed, type Batch } from '../../../actions/action.ts'
import { patiently } from '../../../actions/patiently.ts'
import { newAction, type SentBatch, translated, openServer, type Server } from './server.ts'
import { type Handles, newHandles } from './handles.ts'
import { inParallel } from '../../inParallel.ts'
import { describe } from './jobs.ts'
import { failed } from '../../../actions/outcomes.ts'
import { restoreOutcomes } from './outcomes.ts'
import { type Item, submit } from './submit.ts'
import { defaultTiming, requestsAtOnce } from './timing.ts'
import { headerEncodings, readSubmitted, targetPathForms } from '../unconfirmed.ts'

type Setup = { server: Server; order: RestoreOrder; context: ActionContext }

/** Restores files from an index of Archiware P5 to a client. Each batch is one restore selection, and one job. */
export async function openRestore(
  order: RestoreOrder,
  context: ActionContext,
  timing = defaultTiming,
): Promise<Action> {
  const { clientId, indexName: index, relocate } = order
  const { server } = await openServer({ order, context, timing }, async ({ client }) => {
    if ((await listIndexes(client, context.signal)).includes(index)) return
    throw new ActionFailed(`Archiware P5 at ${client.host} has no index ${index}. Select files of another storage`)
  })
  const { client, jobs } = server
  const handles = newHandles(client, { index, clientId })
  const find = (files: PlannedFile[], signal: AbortSignal) =>
    findItems(files, { handles, index, report: context.report, signal })
  return newAction(server, {
    send: async (batch, signal) => send({ server, order, context }, batch, await find(batch.files, signal), signal),
    async judge(job, files, sent, signal) {
      const isComplete = (job.totalFiles ?? -1) >= files.length
      // Only the attempt that sent the batch knew which entries were missing.
      const { items, missing } = sent || isComplete ? { items: undefined, missing: [] } : await find(files, signal)
      const requested = items?.map(({ file }) => file) ?? files
      return [...missing, ...(await restoreOutcomes({ jobs, relocate, signal }, job, requested))]
    },
  })
}

/** Files with their entries, and outcomes of files without. */
type Lookup = { items: Item[]; missing: FileOutcome[] }

type FindOptions = Pick<ActionContext, 'report' | 'signal'> & { handles: Handles; index: string }

/** Finds the entries of files, with their handles as names. Waits while P5 is away, since nothing was sent yet. */
async function findItems(files: PlannedFile[], { handles, index, report, signal }: FindOptions): Promise<Lookup> {
  const found = new Map<PlannedFile, string | undefined>()
  await inParallel(files, requestsAtOnce, async (file) => {
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

async function send(
  { server, order, context }: Setup,
  { reference }: Batch,
  found: Lookup,
  signal: AbortSignal,
): Promise<SentBatch> {
  const { client } = server
  const { clientId, relocate } = order
  const parameters = { client: clientId, time: 'now', ...(relocate !== null && { relocate }) }
  const description = describe(context.jobId, reference)
  const post = (encode: (value: string) => string, form: (path: string) => string) => (items: Item[]) => {
    const entries = items.map(({ file, name: ID }) =>
      relocate === null ? { ID } : { ID, targetPath: form(targetPathOf(file)) },
    )
    const options = {
      parameters,
      encode,
      body: { entries, description },
      read: (answer: unknown) => answer ?? {},
      signal,
    }
    return client.call('POST', 'restore/restoreselections', options)
  }
  const paths = relocate === null ? [] : found.items.map(({ file }) => targetPathOf(file))
  const { refused, answer } = await submit(reference, found.items, {
    server,
    signal,
    forms: headerEncodings(...Object.values(parameters)).flatMap((encode) =>
      targetPathForms(paths).map((form) => post(encode, form)),
    ),
    reasonOf: (text) => folderReason(order, text),
  })
  return { jobId: readSubmitted(answer).jobId, ended: [...found.missing, ...refused] }
}

/** Path below the target folder. The folders of the storage keep files of the same name apart. */
const targetPathOf = ({ pathInStorage }: PlannedFile): string => pathInStorage.replace(/^\/+/, '')

/** Reason of a refusal that is about the target folder. */
function folderReason({ relocate, clientId }: RestoreOrder, text: string): string | undefined {
  if (relocate === null || !text.includes(relocate)) return undefined
  return `Archiware P5 can't restore to ${relocate} on the client ${clientId}: ${text}. Create the folder, or choose another one`
}
