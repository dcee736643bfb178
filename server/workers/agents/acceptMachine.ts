import type { z } from 'zod'
import type { acceptMachine as endpoint } from '#events/agents.ts'
import { streamNames } from '#events/streams.ts'
import { holderColumns, nameMachine, rivalOf, runCode } from '#server/workers/agent-runs/index.ts'
import { giveUpTasksOfAgent, notifyRunners, type TaskHandlers } from '#server/workers/tasks/index.ts'
import { change } from '#server/platform/log/change.ts'
import type { Actor } from '#server/platform/log/eventLog.ts'
import { redeliverTasks } from '#server/platform/nats/nats.ts'
import type { Platform } from '#server/platform/platform.ts'
import { conflict } from '#server/platform/problem.ts'
import { lockAgent, topics } from './agentRow.ts'

/**
 * Gives an agent's key to the refused machine. Ends tasks started by the previous machine, because their data must not
 * be mixed with files of another machine. Throws 409 if the refused machine has disappeared or is too old.
 */
export async function acceptMachine(
  platform: Platform,
  handlers: TaskHandlers,
  id: number,
  { code }: z.output<typeof endpoint.body>,
  by: Actor,
): Promise<void> {
  const ended = await change(platform, by, topics, async ({ trx, record }) => {
    const { name } = await lockAgent(trx, id)
    const agent = await trx.selectFrom('agents').select(holderColumns).where('id', '=', id).executeTakeFirstOrThrow()
    const now = new Date()
    const refused = rivalOf(agent, now)
    if (!refused || runCode(refused.run) !== code)
      return conflict(`That machine no longer asks to run agent ${name}. Start the agent there, and try again.`)
    const { run, host, version, machine, boot, pid } = refused
    if (machine === null) return conflict(`The agent on ${host} is too old. Update it to the version of this server.`)
    const reason = `Agent ${name} now runs on another machine: ${nameMachine(refused)}`
    const ended = await giveUpTasksOfAgent(trx, handlers, { agentId: id, reason, by, onlyBegun: true })
    const after = { run, host, version, machine, boot, pid, lastActiveAt: now, refused: null }
    await trx.updateTable('agents').set(after).where('id', '=', id).execute()
    await record(streamNames.agent(id), {
      before: { machine: nameMachine(agent) },
      after: { machine: nameMachine(refused) },
    })
    return ended
  })
  notifyRunners(handlers, ended)
  await redeliverTasks(platform.nats, id).catch((error: unknown) =>
    platform.log.warn(
      { error, agent: id },
      'could not redeliver tasks of the previous machine; the queue redelivers them after 10 s',
    ),
  )
}
