import type { Answer } from '#agent/simulator/answers.ts'
import { answered, linkTo, listOf } from '../answers.ts'
import { indexOf, type P5 } from '../contents/p5.ts'
import { submitArchive } from '../jobs/submitArchive.ts'
import { submitRestore } from '../jobs/submitRestore.ts'
import { newRoutes } from '#agent/simulator/routes.ts'
import type { Call } from './call.ts'
import { clientDetails, overview, pingClient, planDetails, serverInfo, volumeDetails } from './details.ts'
import { dumpIndex, dumpJob } from './dump.ts'
import { entryDetails, findEntry } from './entries.ts'
import { listInventory } from './inventory.ts'
import { cancelJob, jobDetails, jobProtocol, jobReport, listJobs } from './jobs.ts'

type Handler = (p5: P5, call: Call) => Answer | Promise<Answer>

const pools = ({ volumes }: P5) => new Set([...volumes.values()].map(({ pool }) => pool))

const emptyLists = ['devices', 'jukeboxes', 'filters'].map((name): [string, Handler] => [
  `GET general/${name}`,
  () => listOf('general', name, []),
])

/** Calls by method and path. `:` stands for one segment, `*` at the end for any number of them. */
const routes = newRoutes<Handler>(
  Object.fromEntries<Handler>([
    ['GET general/srvinfo', serverInfo],
    ['GET general/clients', ({ clients }) => listOf('general', 'clients', clients.keys())],
    ['GET general/clients/:', clientDetails],
    ['POST general/clients/:', pingClient],
    ['GET general/volumes', ({ volumes }) => listOf('general', 'volumes', volumes.keys())],
    ['GET general/volumes/:', volumeDetails],
    [
      'GET general/volumes/:/jobs',
      ({ jobs }, { params }) => listOf('general', 'jobs', jobsOfVolume(jobs.all(), params)),
    ],
    ['GET general/pools', (p5) => listOf('general', 'pools', pools(p5))],
    ['GET general/pools/:/volumes', (p5, { params }) => listOf('general', 'volumes', volumesOfPool(p5, params))],
    ...emptyLists,
    ['GET license/resources', () => listOf('license', 'resources', [])],
    ['GET archive/indexes', ({ indexes }) => listOf('archive', 'indexes', indexes.keys())],
    ['PUT archive/indexes/:', dumpIndex],
    ['GET archive/indexes/:/keys', (p5, { params }) => listOf('archive', 'keys', indexOf(p5, params[0] ?? '').keys)],
    ['GET archive/indexes/:/inventory*', listInventory],
    ['GET archive/entries', findEntry],
    ['GET archive/entries/:', entryDetails],
    ['GET archive/overview', overview],
    ['GET archive/plans', ({ plans }) => listOf('archive', 'plans', plans.keys())],
    ['GET archive/plans/:', planDetails],
    ['POST archive/plans/:/archiveselections', submitArchive],
    ['POST restore/restoreselections', submitRestore],
    ['GET general/jobs', listJobs],
    ['GET general/jobs/:', jobDetails],
    ['DELETE general/jobs/:', cancelJob],
    ['GET general/jobs/:/report', jobReport],
    ['GET general/jobs/:/protocol', jobProtocol],
    ['GET general/jobs/:/inventory', dumpJob],
    ['PUT general/jobs/:/inventory', dumpJob],
  ]),
)

/** Answers a call. Unknown paths and methods get 404. */
export function answerCall(p5: P5, call: Call): Answer | Promise<Answer> {
  const found = routes.find(call.method, call.path)
  return found ? found.route(p5, { ...call, params: found.params }) : { status: 404, body: {} }
}

/** `GET /rest`: the groups of calls. */
export const listGroups = (): Answer =>
  answered({
    groups: ['general', 'archive', 'restore', 'backup', 'synchronize', 'license'].map((group) => {
      return { ID: group, links: [linkTo(group)] }
    }),
  })

const jobsOfVolume = (jobs: { id: string; volumes: string[] }[], [volume = '']: string[]) =>
  jobs.filter(({ volumes }) => volumes.includes(volume)).map(({ id }) => id)

const volumesOfPool = ({ volumes }: P5, [pool = '']: string[]) =>
  [...volumes.values()].filter((volume) => volume.pool === pool).map(({ id }) => id)
