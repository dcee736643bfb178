import { randomUUID } from 'node:crypto'
import { headers, type Msg } from 'nats'
import { type FlushAnswer, flushWithinMs } from '#events/feeds/flushes.ts'
import { subjects } from '#events/subjects.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Running } from '#server/platform/runEvery.ts'
import { answerAgents } from '#server/workers/tasks/index.ts'
import { type CollectOptions, Flushes, later, over, readPart } from './flushes.ts'

/** Requests of an agent that are answered at a time. A correct agent sends one for each storage. */
const maxRequests = 16

/** Header of a block that another replica received: the agent that sent it. */
const agentHeader = 'Flush-Agent'

/**
 * Answers flushes of agents. The replica that receives the first block of a flush collects it; others pass on the blocks that they
 * receive.
 */
export function answerFlushes(platform: Platform, options: CollectOptions): Running {
  const { connection } = platform.nats
  const replica = randomUUID()
  const flushes = new Flushes(platform, {
    ...options,
    begun: (volumeId) => connection.publish(subjects.flushBegun, `${volumeId} ${replica}`),
  })
  const requests = new Map<number, number>()
  const answer = async (agentId: number, message: Msg): Promise<FlushAnswer> => {
    const open = requests.get(agentId) ?? 0
    if (open >= maxRequests) return later('The agent sends too much at once')
    requests.set(agentId, open + 1)
    try {
      const part = readPart(message.headers)
      const collector = part && flushes.collectorOf(part)
      return collector
        ? await passOn(platform, agentId, message, collector)
        : await flushes.take(agentId, part, message.data)
    } finally {
      requests.set(agentId, (requests.get(agentId) ?? 1) - 1)
    }
  }
  const begun = connection.subscribe(subjects.flushBegun, {
    callback(error, message) {
      const [, volumeId, other] = error ? [] : (/^(\d+) (\S+)$/.exec(message.string()) ?? [])
      if (other && other !== replica) flushes.begunElsewhere(Number(volumeId), other)
    },
  })
  const passed = connection.subscribe(subjects.flushBlocks(replica))
  const takePassed = async (message: Msg) => {
    const agentId = Number(message.headers?.get(agentHeader))
    try {
      message.respond(JSON.stringify(await flushes.take(agentId, readPart(message.headers), message.data)))
    } catch (error) {
      platform.log.warn({ error, agentId }, 'could not take a block of a flush')
    }
  }
  void (async () => {
    for await (const message of passed) void takePassed(message)
  })()
  const answering = answerAgents(platform, { [subjects.allFlush]: answer }, (message) => message)
  return {
    async stop() {
      await answering.stop()
      await Promise.all([begun.drain(), passed.drain()])
    },
  }
}

/** Passes a block to the replica that collects its flush, and returns the answer of that. */
async function passOn({ nats }: Platform, agentId: number, message: Msg, collector: string): Promise<FlushAnswer> {
  const copied = headers()
  for (const [name, [value = '']] of message.headers ?? []) copied.set(name, value)
  copied.set(agentHeader, String(agentId))
  const reply = await nats.connection
    .request(subjects.flushBlocks(collector), message.data, { headers: copied, timeout: flushWithinMs })
    .catch(() => undefined)
  return reply?.json<FlushAnswer>() ?? over('The server that had the first blocks of the flush does not answer')
}
