import { headers } from 'nats'
import { FlushAnswer, flushHeaders, flushWithinMs } from '#events/feeds/flushes.ts'
import { subjects } from '#events/subjects.ts'
import { abortable } from '../abortable.ts'
import type { Connection } from '../connection.ts'
import { messageOf } from '../systems/system.ts'
import type { Flush } from './messages.ts'

/** Returns a function that sends a flush, block after block. It resolves to the last answer, or to undefined if one of them was not answered. */
export function newFlushSender(
  { agentId, nats, log }: Connection,
  { over, signal }: { over: () => void; signal: AbortSignal },
): (flush: Flush) => Promise<FlushAnswer | undefined> {
  const request = async (flush: Flush, part: number): Promise<FlushAnswer> => {
    const isLast = part === flush.parts.length
    const body = flush.parts[part - 1]
    const options = { headers: headersOf(flush, part, isLast), timeout: flushWithinMs }
    const answer = await abortable(nats.request(subjects.flush(agentId), body, options), signal)
    return FlushAnswer.parse(answer.json())
  }
  return async (flush) => {
    let answer: FlushAnswer | undefined
    try {
      for (let part = 1; part <= flush.parts.length; part++) {
        answer = await request(flush, part)
        if (answer.type !== 'stored') break
      }
    } catch (error) {
      log.debug({ volume: flush.volumeId, reason: messageOf(error) }, 'a flush was not answered, will retry')
      return undefined
    }
    if (answer?.type === 'over') {
      log.info({ volume: flush.volumeId, reason: answer.reason }, 'the server refused a flush')
      over()
    }
    return answer
  }
}

function headersOf({ volumeId, session, number }: Flush, part: number, isLast: boolean) {
  const marked = headers()
  marked.set(flushHeaders.volume, String(volumeId))
  marked.set(flushHeaders.session, session)
  marked.set(flushHeaders.number, String(number))
  marked.set(flushHeaders.part, String(part))
  marked.set(flushHeaders.last, String(isLast))
  return marked
}
