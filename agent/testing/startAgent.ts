import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { atEndOfFile } from '#server/platform/testing/testFile.ts'

const program = join(import.meta.dirname, '../main.ts')

export type TestAgent = { child: ChildProcess; ended: Promise<unknown> }

/** Starts an agent in the same way as its server. It is killed at the end of the test file. */
export function startAgent(natsUrl: string, agentId: number, more: NodeJS.ProcessEnv = {}): TestAgent {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, LOG_LEVEL: 'error', NATS_URL: natsUrl, AGENT_ID: String(agentId), ...more }
  const child = fork(program, [], { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(child, 'exit')
  atEndOfFile(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, ended }
}
