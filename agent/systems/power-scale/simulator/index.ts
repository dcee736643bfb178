import type { Answer } from '#agent/simulator/answers.ts'
import { fingerprintOf } from '#agent/simulator/listen.ts'
import { type RecordedRequest, simulate, type SimulatedRequest } from '#agent/simulator/simulate.ts'
import { certificate } from '#agent/simulator/certificate.ts'
import { serviceUnavailable, unknownAddress } from './answers.ts'
import { type Clock, newClock } from '#agent/simulator/clock.ts'
import { type Cluster, newCluster } from './cluster.ts'
import { answerNamespace } from './namespace.ts'
import { answerPlatform } from './platform.ts'
import type { User } from './sessions.ts'
import { defaultSwitches, type Switches } from './switches.ts'

export { errorBody } from './answers.ts'
export type { Switches } from './switches.ts'
export { changeAtRandom, type RandomBelow } from './tree/changeAtRandom.ts'
export { fillTree } from './tree/fillTree.ts'
export type { Entry } from './compareTrees.ts'
export type { Tree } from './tree/tree.ts'

export type PowerScaleOptions = {
  /** Users that can sign in. The default is `scan` with the password `secret`. */
  users?: readonly User[]
  switches?: Partial<Switches>
  /** The default is any free port. */
  port?: number
  /** A clock that counts seconds. By default, it does not move. */
  clock?: Clock
  onAnswer?: (record: RecordedRequest) => void
}

export type PowerScaleSimulator = Awaited<ReturnType<typeof startPowerScale>>

/** Name of the cluster in its certificate, next to localhost and 127.0.0.1. */
export const smartConnectName = 'powerscale.example'

/** Starts a Dell PowerScale cluster on the loopback: sessions, the platform API and the namespace API of OneFS, over TLS. */
export async function startPowerScale(options: PowerScaleOptions = {}) {
  const { users = [{ username: 'scan', password: 'secret' }], port = 0, onAnswer } = options
  const { clock = newClock({ start: 1_735_000_000, speed: 0 }) } = options
  const cluster = newCluster(users, { ...defaultSwitches, ...options.switches }, clock)
  const { urls, ...node } = await simulate({
    hosts: { node: { tls: certificate, port } },
    answer: (request) => answerTo(cluster, request),
    now: () => clock.now(),
    callOf: ({ path, query }) => `/${path}${query.size > 0 ? `?${query}` : ''}`,
    secretNames: ['x-csrf-token', 'password'],
    throttled: { status: 503, body: { errors: [{ message: 'Too many requests' }] } },
    onAnswer,
    onClose: clock.close,
  })
  const { tokens: _, ...parts } = cluster
  return {
    ...node,
    ...parts,
    /** Address and port. */
    host: urls.node.replace('https://', ''),
    /** SHA-256 of the certificate, in the form of Node's `fingerprint256`. */
    fingerprint: fingerprintOf(certificate),
    /** The certificate, which is its own authority. */
    ca: certificate.cert,
  }
}

function answerTo(cluster: Cluster, request: SimulatedRequest): Answer {
  const { sessions, switches, jobs, clock } = cluster
  clock.advance(switches.timeOfRequest)
  jobs.settle()
  // With a slash at the end, OneFS 9.5 does not know the address.
  if (request.path === 'session/1/session') return sessions.answer(request)
  const [service] = request.path.split('/')
  if (service !== 'platform' && service !== 'namespace') return unknownAddress
  const isPlatform = service === 'platform'
  if (isPlatform ? !switches.isPlatformOn : !switches.isNamespaceOn) return serviceUnavailable
  const { user, cookies } = sessions.authorize(request, service)
  const answer = (isPlatform ? answerPlatform : answerNamespace)(cluster, request, user)
  return cookies.length === 0 ? answer : { ...answer, headers: { ...answer.headers, 'set-cookie': cookies } }
}
