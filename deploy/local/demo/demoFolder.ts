import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { CannotStart, type Config } from '#server/platform/config.ts'

/** Sign-in of the demo. Not a secret: the demo has made-up data and listens on this machine. */
export const demoPassword = 'northlight-demo'

const DemoState = z.object({
  /** Everything made up is the same for the same seed and first day. */
  seed: z.int(),
  /** Start of the day in the middle of the history, in seconds UTC. */
  first: z.int(),
  /** The pretended time while the history is written, in seconds UTC; without it the clock counts. */
  now: z.int().optional(),
  isComplete: z.boolean(),
})
export type DemoState = z.infer<typeof DemoState>

/** Name of the file that marks a data folder as that of a demo. */
const stateFile = 'demo.json'
export const defaultFolder = resolve(import.meta.dirname, '../../../.demo')

/**
 * Settings of the demo: like those of the product, but with a data folder of its own, and without single sign-on. Throws a
 * sentence for an environment in which the demo could reach real data.
 */
export function demoConfig(config: Config, environment: NodeJS.ProcessEnv = process.env): Config {
  const external = ['DATABASE_URL', 'CLICKHOUSE_URL', 'NATS_URL'].filter((name) => environment[name])
  if (external.length > 0)
    throw new CannotStart(`The demo only uses stores of its own. Unset ${external.join(', ')} to start it.`)
  const data = environment['DATAINTELL_DATA'] ? config.data : defaultFolder
  if (!isDemoFolder(data) && isFilled(data))
    throw new CannotStart(
      `The data folder ${data} is not that of a demo. Unset DATAINTELL_DATA, or set it to an empty folder.`,
    )
  return {
    ...config,
    data,
    isDemo: true,
    adminPassword: demoPassword,
    singleSignOn: undefined,
    agentsListen: undefined,
  }
}

/** Throws for the data folder of a demo: a real product must not start with made-up data. */
export function refuseDemoFolder({ data }: Pick<Config, 'data'>): void {
  if (isDemoFolder(data))
    throw new CannotStart(
      `The data folder ${data} is that of a demo. Start it with \`npm start -- --demo\`, or set DATAINTELL_DATA to another folder.`,
    )
}

const isDemoFolder = (data: string): boolean => existsSync(join(data, stateFile))
const isFilled = (data: string): boolean =>
  statSync(data, { throwIfNoEntry: false }) !== undefined && readdirSync(data).length > 0

/** State of the demo in a data folder; undefined for a new one. */
export const readDemo = (data: string): DemoState | undefined =>
  isDemoFolder(data) ? DemoState.parse(JSON.parse(readFileSync(join(data, stateFile), 'utf8'))) : undefined

export function writeDemo(data: string, state: DemoState): void {
  mkdirSync(data, { recursive: true, mode: 0o711 })
  writeFileSync(join(data, `${stateFile}.new`), JSON.stringify(state))
  renameSync(join(data, `${stateFile}.new`), join(data, stateFile))
}

/** Program that runs as the built-in agent of a demo. */
export const agentProgram = join(import.meta.dirname, '../../tools/demo/agent.ts')
