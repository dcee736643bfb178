import { makeCertificate } from '#agent/simulator/certificate.ts'
import { Clock } from './clock.ts'
import type { Cluster } from './cluster.ts'
import { Faults } from './faults.ts'
import { ClusterNode } from './node.ts'
import { Tokens } from './pages.ts'
import { Changelists } from './platform/changelists.ts'
import { Jobs } from './platform/jobs.ts'
import { Snapshots } from './platform/snapshots.ts'
import { type RequestRecord, Requests } from './requests.ts'
import { Sessions, type User } from './sessions.ts'
import { defaultSwitches, type Switches } from './switches.ts'
import { Tree } from './tree/tree.ts'

export { Clock } from './clock.ts'

export type { Switches } from './switches.ts'
export { changeAtRandom, type RandomBelow } from './tree/changeAtRandom.ts'
export { fillTree } from './tree/fillTree.ts'
export type { Entry } from './platform/compareTrees.ts'
export { encodedPath } from './tree/names.ts'
export type { Path, Tree } from './tree/tree.ts'

export type PowerScaleOptions = {
  /** Users that can sign in. The default is `scan` with the password `secret`. */
  users?: readonly User[]
  switches?: Partial<Switches>
  /** Port of the first node. The default is any free port. */
  port?: number
  nodeCount?: number
  /** A clock that does not move by default. */
  clock?: Clock
  onRequest?: (record: RequestRecord) => void
}

export type PowerScaleSimulator = Awaited<ReturnType<typeof startPowerScale>>

/** Name of the cluster in its certificate, next to localhost and 127.0.0.1. */
export const smartConnectName = 'powerscale.example'

/** Starts a Dell PowerScale cluster on the loopback: sessions, the platform API and the namespace API of OneFS, over TLS. */
export async function startPowerScale(options: PowerScaleOptions = {}) {
  const { users = [{ username: 'scan', password: 'secret' }], port = 0, nodeCount = 2, clock = new Clock() } = options
  const cluster = newCluster(users, { ...defaultSwitches, ...options.switches }, clock)
  const requests = new Requests()
  requests.onRequest = options.onRequest
  const { key, cert, fingerprint } = makeCertificate(['127.0.0.1', 'localhost', smartConnectName])
  const nodes = Array.from(
    { length: nodeCount },
    (_, number) => new ClusterNode({ number, port: number === 0 ? port : 0, key, cert, cluster, requests }),
  )
  await Promise.all(nodes.map((node) => node.start()))
  const { tree, switches, faults, snapshots, jobs, changelists, sessions, quotas } = cluster
  return {
    /** Address and port of the first node. */
    host: nodes[0]?.host ?? '',
    hosts: nodes.map(({ host }) => host),
    /** SHA-256 of the certificate, in the form of Node's `fingerprint256`. */
    fingerprint,
    /** The certificate, which is its own authority. */
    ca: cert,
    requests,
    tree,
    clock,
    switches,
    faults,
    snapshots,
    jobs,
    changelists,
    sessions,
    quotas,
    stopNode: (number: number) => nodes[number]?.stop(),
    startNode: (number: number) => nodes[number]?.start(),
    /** Restarts all nodes. Sessions and unfinished jobs are lost; snapshots, changelists and finished jobs stay. */
    async restart(): Promise<void> {
      sessions.clear()
      jobs.loseUnfinished()
      await Promise.all(nodes.map((node) => node.stop()))
      await Promise.all(nodes.map((node) => node.start()))
    },
    close: async (): Promise<void> => {
      await Promise.all(nodes.map((node) => node.stop()))
    },
  }
}

function newCluster(users: readonly User[], switches: Switches, clock: Clock): Cluster {
  const tree = new Tree(clock)
  const snapshots = new Snapshots(tree, clock, switches)
  const changelists = new Changelists(switches)
  return {
    clock,
    tree,
    switches,
    faults: new Faults(),
    tokens: new Tokens(clock, switches),
    sessions: new Sessions(users, clock, switches),
    snapshots,
    jobs: new Jobs(clock, switches, snapshots, changelists),
    changelists,
    quotas: [],
  }
}
