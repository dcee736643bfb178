import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { builtInAgent } from '#events/agents.ts'
import { machineVariables } from '#events/node/index.ts'
import { claimBuiltInRun } from '#server/workers/agent-runs/index.ts'
import { redeliverTasks } from '#server/platform/nats/nats.ts'
import type { Platform } from '#server/platform/platform.ts'
import { otherReplicas } from '#server/workers/replicas/index.ts'

const defaultProgram = join(import.meta.dirname, '../../../agent/main.ts')
/**
 * The main thread's objects are short-lived: with little space for young objects it takes 19 MB less, and no more time.
 */
const smallHeap = ['--max-semi-space-size=1']

/** Milliseconds until an agent that does not stop is killed: more than it gives itself. */
const stopTimeoutMs = 5_000

/**
 * Address of NATS for the agent, and the seed of its key; undefined if NATS needs no sign-in. `program` runs instead of the
 * agent. `isElsewhere`: agent 1 is started by someone else, as in a deployment of several servers.
 */
export type AgentAccess = {
  natsUrl: string
  seed: string | undefined
  program?: string | undefined
  isElsewhere?: boolean | undefined
}

type Deps = Pick<Platform, 'config' | 'db' | 'nats' | 'log'>

/**
 * Runs agent 1 as a child process and restarts it whenever it dies, after a pause that grows to 10 s. It ends when its
 * channel to this process closes, so a killed server leaves no agent behind. Each run gets the agent's key before it
 * starts, and at once receives the unfinished tasks of the previous run. While other servers run, the agent of one of them may hold
 * the key: this one then waits until that ends, and interrupts nothing.
 */
export function startBuiltInAgent(
  access: AgentAccess,
  platform: Deps,
): { readonly pid: number | undefined; stop(): Promise<void> } {
  if (access.isElsewhere) return { pid: undefined, async stop() {} }
  const { config, log } = platform
  let child: ChildProcess | undefined
  let timer: NodeJS.Timeout | undefined
  let stopping = false
  let pauseMs = 100
  const start = (run: string) => {
    const born = Date.now()
    child = fork(access.program ?? defaultProgram, [], {
      execArgv: [...process.execArgv, ...smallHeap],
      env: environmentOf(access, join(config.data, 'agent'), run),
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      detached: true,
    })
    const ended = (why: object) => {
      if (stopping) return
      log.warn(why, 'The built-in agent ended; starting it again')
      pauseMs = Date.now() - born > 30_000 ? 100 : Math.min(pauseMs * 2, 10_000)
      timer = setTimeout(() => void startAnew(), pauseMs)
    }
    child.once('exit', (code, signal) => ended({ code, signal }))
    child.on('error', (error) => child?.pid === undefined && ended({ error }))
  }
  const startAnew = async () => {
    const run = randomUUID()
    await takeOver(platform, run).catch((error: unknown) =>
      log.warn({ error }, 'The built-in agent waits until its previous process is gone'),
    )
    if (!stopping) start(run)
  }
  void startAnew()
  return {
    get pid() {
      return child?.pid
    },
    async stop() {
      stopping = true
      clearTimeout(timer)
      if (child && child.exitCode === null && child.signalCode === null) await end(child)
    },
  }
}

/** Gives the key to a run that is about to start, and the tasks of the previous one; unless an agent of another server may have it. */
async function takeOver({ config, db, nats, log }: Deps, run: string): Promise<void> {
  if ((await otherReplicas(db, config)).length > 0) return
  await claimBuiltInRun(db, run)
  await redeliverTasks(nats, builtInAgent).catch((error: unknown) =>
    log.warn({ error }, 'could not redeliver tasks of the built-in agent; the queue redelivers them after 10 s'),
  )
}

/** Waits until a process has ended; one that does not stop is killed. */
async function end(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
  await gone.finally(() => clearTimeout(force))
}

/** Variables by which Amazon's SDK finds the role of this machine, container or pod. */
const roleVariables = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('AWS_')))

/** The agent gets its own access and nothing of the server's: no addresses of other stores, no keys. */
function environmentOf({ natsUrl, seed }: AgentAccess, state: string, run: string): NodeJS.ProcessEnv {
  const { PATH, LANG, HOME, NODE_COMPILE_CACHE, AGENT_P5_DUMPS, AGENT_MAY_CHANGE, AGENT_MAY_DELETE } = process.env
  // Each scan starts and ends threads: with fewer arenas, some 30 MB of their memory are returned.
  const memory = { MALLOC_ARENA_MAX: '2' }
  const own = {
    NATS_URL: natsUrl,
    AGENT_ID: String(builtInAgent),
    AGENT_SEED: seed,
    AGENT_STATE: state,
    AGENT_RUN: run,
    AGENT_P5_DUMPS,
    AGENT_MAY_CHANGE,
    AGENT_MAY_DELETE,
  }
  return { PATH, LANG, HOME, NODE_COMPILE_CACHE, ...machineVariables(), ...roleVariables(), ...memory, ...own }
}
