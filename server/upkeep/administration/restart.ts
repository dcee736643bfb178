import { streamNames } from '#events/streams.ts'
import { builtInAgent } from '#events/agents.ts'
import { restartDelayMs } from '#events/administration.ts'
import { change } from '#server/platform/log/change.ts'
import type { Actor } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import { conflict, notFound } from '#server/platform/problem.ts'

/** Restarts the process soon; returns at once. */
export type Restart = () => void

/** Restarts once, `after` milliseconds after the first request; doesn't keep the process running until then. */
export function restartOnce(restart: () => void, after = restartDelayMs): Restart {
  let timer: NodeJS.Timeout | undefined
  return () => void (timer ??= setTimeout(restart, after).unref())
}

/** Restarts the API and records the user in the event log. */
export async function restartServer(
  platform: Pick<Platform, 'db' | 'log' | 'live'>,
  restart: Restart | undefined,
  id: number,
  by: Actor,
): Promise<void> {
  if (id !== builtInAgent) notFound('API', id)
  if (!restart) return conflict('The program that started this API cannot restart it')
  await change(platform, by, [], ({ recordFact }) => recordFact(streamNames.api, { type: 'RestartOrdered' }))
  platform.log.warn({ by: by.name }, 'The API will restart')
  restart()
}
