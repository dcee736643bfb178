import type { ArchiveOrder } from '#events/actions/orders.ts'
import type { PlannedFile } from '#events/actions/files.ts'
import { CallRefused, NotFound } from '../failures.ts'
import { readObject } from '../lists.ts'
import { segmentOf } from '../names.ts'
import {
  isSet,
  propertyOf,
  textOf,
  acceptedByPath,
  headerEncodings,
  isTemporary,
  readSubmitted,
  submittedPath,
} from '../unconfirmed.ts'
import { type Action, type ActionContext, ActionFailed, type Batch } from '../../../actions/action.ts'
import { archiveOutcomes } from './outcomes.ts'
import { newAction, type SentBatch, openServer, type Server } from './server.ts'
import { newHandles } from './handles.ts'
import { newIndexSearch } from './indexSearch.ts'
import { describe } from './jobs.ts'
import { done } from '../../../actions/outcomes.ts'
import { submit } from './submit.ts'
import { defaultTiming } from './timing.ts'

type Setup = { server: Server; order: ArchiveOrder; context: ActionContext }

/** Index of a plan that names none. */
const defaultIndex = 'Default-Archive'

/** Archives files with a plan of Archiware P5. Each batch is one archive selection, and one job. */
export async function openArchive(
  order: ArchiveOrder,
  context: ActionContext,
  timing = defaultTiming,
): Promise<Action> {
  const options = { order, context, timing }
  const { server, checked: plan } = await openServer(options, (server) => readPlan({ server, order, context }))
  const { client, jobs } = server
  const handles = newHandles(client, { index: plan.index, clientId: order.clientId })
  const search = newIndexSearch({ client, handles, index: plan.index, indexRoot: order.indexRoot })
  return newAction(server, {
    send: (batch, signal) => send({ server, order, context }, batch, signal),
    judge: (job, files, sent, signal) =>
      archiveOutcomes({ jobs, search, timing, signal }, { job, files, accepted: sent?.accepted }),
  })
}

/** Reads a plan. Throws `ActionFailed` if it is gone or disabled. */
async function readPlan({ server: { client }, order: { planId }, context: { signal } }: Setup) {
  const path = `archive/plans/${segmentOf(planId)}`
  const plan = await client.call('GET', path, { read: readObject, signal }).catch((error: unknown) => {
    const isRefused = error instanceof CallRefused && !isTemporary(error.debugMessage)
    if (!(isRefused || error instanceof NotFound)) throw error
    throw new ActionFailed(`Archiware P5 at ${client.host} has no archive plan ${planId}. Choose another plan`)
  })
  const enabled = propertyOf(plan, 'enabled')
  if (enabled !== undefined && !isSet(enabled)) {
    const name = textOf(propertyOf(plan, 'description')) || planId
    throw new ActionFailed(`The archive plan ${name} is disabled. Enable it in Archiware P5, or choose another plan`)
  }
  return { index: textOf(propertyOf(plan, 'database')) || defaultIndex }
}

async function send({ server, order, context }: Setup, batch: Batch, signal: AbortSignal): Promise<SentBatch> {
  const { client } = server
  const { reference, files } = batch
  const { clientId, planId, indexRoot } = order
  const parameters = { client: clientId, time: 'now', ...(indexRoot !== '' && { indexroot: indexRoot }) }
  const description = describe(context.jobId, reference)
  const post = (encode: (value: string) => string) => (items: { file: PlannedFile }[]) => {
    const paths = items.map(({ file }) => ({ path: submittedPath(file.place), meta: [] }))
    const options = {
      parameters,
      encode,
      body: { paths, description },
      read: (answer: unknown) => answer ?? {},
      signal,
    }
    return client.call('POST', `archive/plans/${segmentOf(planId)}/archiveselections`, options)
  }
  const items = files.map((file) => ({ file, name: file.place }))
  const { refused, sent, answer } = await submit(reference, items, {
    server,
    signal,
    forms: headerEncodings(...Object.values(parameters)).map(post),
    reasonOf: () => undefined,
  })
  const { jobId, entries } = readSubmitted(answer)
  const places = sent.map(({ file }) => file.place)
  const accepted = entries && acceptedByPath(entries, places)
  // P5 has them already.
  const archived = sent.filter(({ file }) => accepted?.get(file.place) === '').map(({ file }) => done(file))
  return { jobId, ended: [...refused, ...archived], accepted }
}
