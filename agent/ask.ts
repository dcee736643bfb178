import { setTimeout as wait } from 'node:timers/promises'
import type { z } from 'zod'
import { PendingPage, TaskAnswer } from '#events/agents.ts'
import { subjects } from '#events/subjects.ts'
import { abortable } from './abortable.ts'
import { ComeAgain } from './endings.ts'
import type { Line } from './line.ts'

/** Milliseconds: how long the server may take over an answer, the pauses between tries, and when the asking ends. */
const patience = 30_000
const firstPause = 250
const longestPause = 5_000
const pageWithin = 5 * 60_000

type Decided = Exclude<TaskAnswer, { type: 'later' }>

/** Asks the server what a task is, for as long as it cannot say. */
export async function askForTask(line: Line, taskId: number, signal: AbortSignal): Promise<Decided> {
  const subject = subjects.startTask(line.agentId)
  for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
    const answer = await askOnce(line, { subject, question: { taskId, run: line.run } }, TaskAnswer, signal)
    if (answer && answer.type !== 'later') return answer
    await wait(pause, undefined, { signal })
  }
}

type PageAfter = { taskId: number; attempt: number; after: string }

/** Asks for more of the folders of an order. When the server says nothing for long, the order may be an old one. */
export async function askForPending(line: Line, question: PageAfter, signal: AbortSignal) {
  const until = Date.now() + pageWithin
  for (let pause = firstPause; Date.now() < until; pause = Math.min(pause * 2, longestPause)) {
    const page = await askOnce(line, { subject: subjects.pending(line.agentId), question }, PendingPage, signal)
    if (page) return page
    await wait(pause, undefined, { signal })
  }
  throw new ComeAgain('The server does not say which folders are still to be listed')
}

type Asked = { subject: string; question: unknown }

/** One try; undefined when there is no answer, or none that can be read. */
async function askOnce<S extends z.ZodType>(line: Line, { subject, question }: Asked, schema: S, signal: AbortSignal) {
  try {
    const request = line.connection.request(subject, JSON.stringify(question), { timeout: patience })
    const answer = await abortable(request, signal)
    return schema.parse(answer.json())
  } catch (error) {
    signal.throwIfAborted()
    if (line.connection.isClosed()) throw error
    line.log.debug({ reason: String(error), subject }, 'The server does not answer; asking again')
    return undefined
  }
}
