import { type Answer, refused } from '#agent/simulator/answers.ts'
import { newRoutes } from '#agent/simulator/routes.ts'
import type { SimulatedRequest } from '#agent/simulator/simulate.ts'
import { listOf } from '../answers.ts'
import type { P5 } from '../contents/p5.ts'
import { submitArchive } from '../jobs/submitArchive.ts'
import { submitRestore } from '../jobs/submitRestore.ts'
import { type Call, callOf } from './call.ts'
import { clientDetails, planDetails, volumeDetails } from './details.ts'
import { dumpIndex } from './dump.ts'
import { entryDetails, findEntry } from './entries.ts'
import { listInventory } from './inventory.ts'
import { cancelJob, jobDetails, jobProtocol, jobReport, listJobs } from './jobs.ts'

/** Calls by method and path. `:` stands for one segment, `*` at the end for any number of them. */
const routes = newRoutes<(p5: P5, call: Call) => Answer | Promise<Answer>>({
  'GET general/clients': ({ clients }) => listOf('general', 'clients', clients.keys()),
  'GET general/clients/:': clientDetails,
  'GET general/volumes/:': volumeDetails,
  'GET archive/indexes': ({ indexes }) => listOf('archive', 'indexes', indexes.keys()),
  'PUT archive/indexes/:': dumpIndex,
  'GET archive/indexes/:/inventory*': listInventory,
  'GET archive/entries': findEntry,
  'GET archive/entries/:': entryDetails,
  'GET archive/plans': ({ plans }) => listOf('archive', 'plans', plans.keys()),
  'GET archive/plans/:': planDetails,
  'POST archive/plans/:/archiveselections': submitArchive,
  'POST restore/restoreselections': submitRestore,
  'GET general/jobs': listJobs,
  'GET general/jobs/:': jobDetails,
  'DELETE general/jobs/:': cancelJob,
  'GET general/jobs/:/report': jobReport,
  'GET general/jobs/:/protocol': jobProtocol,
})

/** Answers a request of one account. Unknown paths and methods get 404. */
export function answerRequest(
  p5: P5,
  { user, password }: { user: string; password: string },
  request: SimulatedRequest,
): Answer | Promise<Answer> {
  const credentials = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  if (request.headers.authorization !== credentials) throw refused(400, 'Wrong username or password.')
  const call = callOf(request, p5.behavior)
  const found = call && routes.find(call.method, call.path)
  return found ? found.route(p5, { ...call, params: found.params }) : { status: 404, body: {} }
}
