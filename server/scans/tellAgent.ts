import type { z } from 'zod'
import type { CancelRequest } from '#events/agents.ts'
import { subjects } from '#events/subjects.ts'
import { staging } from '#server/ingest/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Scan } from './changeScan.ts'

type Told = Pick<Scan, 'id' | 'agentId' | 'taskId'>

/** A scan is over: the agent is told to stop it, and what arrived goes. What it still sends is refused. */
export async function forgetScan(platform: Platform, scan: Told): Promise<void> {
  platform.log.info({ scan: scan.id }, 'The scan ended without a snapshot')
  say(platform, scan.agentId, { taskId: scan.taskId })
  await staging.drop(platform.clickhouse, scan.id)
}

/**
 * The agent is told to stop this attempt, and each one before it. Should it not hear that, it is told again when it next
 * says how far it is.
 */
export const stopAttempt = (platform: Platform, { agentId, taskId }: Told, attempt: number): void =>
  say(platform, agentId, { taskId, attempt })

const say = ({ nats }: Platform, agentId: number, request: z.input<typeof CancelRequest>): void =>
  nats.connection.publish(subjects.cancel(agentId), JSON.stringify(request))
