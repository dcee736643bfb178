import type { ArchiwareConnection } from '#events/sources/archiwares.ts'
import { newClient } from '../../systems/archiware/client.ts'
import { NotFound } from '../../systems/archiware/failures.ts'
import { readObject } from '../../systems/archiware/lists.ts'
import { segmentOf } from '../../systems/archiware/names.ts'
import { type ActionContext, ActionFailed } from '../action.ts'
import { newBatchProgress } from '../batchProgress.ts'
import { translated } from './failures.ts'
import { newJobs } from './jobs/jobs.ts'
import type { Timing } from './timing.ts'

type Options = { order: { connection: ArchiwareConnection; clientId: string }; context: ActionContext; timing: Timing }
export type Server = ReturnType<typeof newServer>

/** Opens a P5 server for an action that `check` allows. Throws `ActionFailed` or `SystemAway`. */
export async function openServer<T>(options: Options, check: (server: Server) => Promise<T>) {
  const server = await translated(async () => newServer(options))
  try {
    const checked = await translated(async () => {
      await checkClient(server, options)
      return check(server)
    })
    return { server, checked }
  } catch (error) {
    server.client.close()
    throw error
  }
}

function newServer({ order, context, timing }: Options) {
  const client = newClient(order.connection, { isKnown: true })
  const { note } = newBatchProgress(context.report)
  return {
    client,
    jobs: newJobs(client, timing),
    timing,
    note,
    /** Shows the last line of the report of a job. */
    jobNote: (reference: string, id: string) => (line: string) =>
      note(reference, line === '' ? '' : `Archiware P5 job ${id}: ${line}`),
  }
}

async function checkClient({ client }: Server, { order: { clientId }, context: { signal } }: Options): Promise<void> {
  try {
    await client.general(`clients/${segmentOf(clientId)}`, { read: readObject, signal })
  } catch (error) {
    if (!(error instanceof NotFound)) throw error
    throw new ActionFailed(`Archiware P5 at ${client.host} has no client ${clientId}. Choose another client`)
  }
}
