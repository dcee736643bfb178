import { type Answer, answered, Refused } from '#agent/simulator/answers.ts'
import { newRoutes } from '#agent/simulator/routes.ts'
import type { SimulatedRequest } from '#agent/simulator/simulate.ts'
import { type Call, errorAnswer, refused } from '../answers.ts'
import type { Service } from '../contents/service.ts'
import type { Tokens } from '../tokens.ts'
import { jobFiles } from './files.ts'
import { cancel, createJob, jobDetails, listJobs } from './jobs.ts'
import { listFolders, listStorages } from './storages.ts'

type Route = { parameters?: string[]; handle: (service: Service, call: Call) => Answer }

/** Calls by method and path. `:` is one segment. */
const routes = newRoutes<Route>({
  'GET ': { handle: () => answered({ name: 'CloudSoda', version: '1.7.0' }) },
  'GET storages': { parameters: ['page[size]', 'page[after]', 'sort'], handle: listStorages },
  'GET storages/:/folders': { parameters: ['path'], handle: listFolders },
  'GET jobs': { parameters: ['filter[reference]'], handle: listJobs },
  'POST jobs': { handle: createJob },
  'GET jobs/:': { handle: jobDetails },
  'GET jobs/:/files': { parameters: ['page[size]', 'page[after]'], handle: jobFiles },
  'POST jobs/:/cancel': { handle: cancel },
})

/** Answers a call. All but the token call need a token. */
export function answerCall(service: Service, tokens: Tokens, request: SimulatedRequest): Answer {
  if (request.path === 'oauth/token' && request.method === 'POST') return tokens.request(request)
  if (!tokens.isValid(request)) return errorAnswer(401, 'Unauthorized')
  try {
    return handled(service, request)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return service.readings.errorsWithStatus200 ? { ...error.answer, status: 200 } : error.answer
  }
}

function handled(service: Service, request: SimulatedRequest): Answer {
  const found = routes.find(request.method, request.path)
  if (!found) throw refused(404, 'Not Found')
  const { parameters = [], handle } = found.route
  const unknown = [...request.query.keys()].find((parameter) => !parameters.includes(parameter))
  if (unknown !== undefined) throw refused(400, 'Bad Request', `Unknown parameter ${unknown}`)
  return handle(service, { ...request, params: found.params })
}
