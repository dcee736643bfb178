import { EventEmitter, once } from 'node:events'
import type { z } from 'zod'
import type { HeartbeatAnswer } from '#events/agents.ts'
import { type PendingPage, type TaskAnswer, type TaskNotice, TaskRequest } from '#events/tasks.ts'
import type { ScanOrder } from '#events/sources/scanOrder.ts'
import { consumers, streams, subjects } from '#events/subjects.ts'
import { type Nats, taskConsumers } from '#server/platform/nats/nats.ts'

type Page = z.infer<typeof PendingPage>

/** The server's side of an agent: accepts it, queues tasks and, after `answer()`, answers its requests. */
export async function serverSide(nats: Nats, agentId: number) {
  await taskConsumers(nats, agentId)
  // Nanoseconds. The task of a killed agent is redelivered soon.
  await nats.jsm.consumers.update(streams.tasks, consumers.tasks(agentId, 'SCAN_VOLUMES'), { ack_wait: 2_000_000_000 })
  const accepted: HeartbeatAnswer = { type: 'accepted' }
  nats.connection.subscribe(subjects.heartbeat(agentId), {
    callback: (_, message) => void message.respond(JSON.stringify(accepted)),
  })
  const received = new EventEmitter()
  const requests: z.infer<typeof TaskRequest>[] = []
  const answers = new Map<number, TaskAnswer[]>()
  const pages: Page[] = []
  const turns = new Map<number, number>()
  let queued = 0
  return {
    requests,
    /** Answers from now on. Several answers for a task are given in order; the last one is repeated. */
    answer() {
      nats.connection.subscribe(subjects.startTask(agentId), {
        callback(_, message) {
          const request = TaskRequest.parse(message.json())
          requests.push(request)
          received.emit('requests')
          const [first, ...others] = answers.get(request.taskId) ?? []
          if (others.length > 0) answers.set(request.taskId, others)
          message.respond(JSON.stringify(first))
        },
      })
      nats.connection.subscribe(subjects.pending(agentId), {
        callback: (_, message) => void message.respond(JSON.stringify(pages.shift())),
      })
    },
    setPages: (...given: Page[]) => void pages.push(...given),
    async queue(taskId: number, ...given: (TaskAnswer | ScanOrder)[]) {
      const answered = given.map((one): TaskAnswer => ('type' in one ? one : { type: 'scan', order: one }))
      if (answered.length > 0) answers.set(taskId, answered)
      const notice: TaskNotice = { taskId, jobId: 1, type: 'SCAN_VOLUMES', turn: turns.get(taskId) ?? 1 }
      await nats.js.publish(subjects.tasks(agentId, 'SCAN_VOLUMES'), JSON.stringify(notice), {
        msgID: `${agentId}.${taskId}.${++queued}`,
      })
    },
    async untilAsked(times: number) {
      while (requests.length < times) await once(received, 'requests')
    },
    /** Queues the task as another turn from now on. */
    nextTurn: (taskId: number) => void turns.set(taskId, (turns.get(taskId) ?? 1) + 1),
    async cancel(taskId: number, attempt?: number): Promise<void> {
      await nats.connection.request(subjects.cancel(agentId), JSON.stringify({ taskId, attempt }), { timeout: 2_000 })
    },
    /** Notices that are queued or not yet acknowledged. */
    async waiting(): Promise<number> {
      const { state } = await nats.jsm.streams.info(streams.tasks, {
        subjects_filter: subjects.tasks(agentId, 'SCAN_VOLUMES'),
      })
      return state.subjects?.[subjects.tasks(agentId, 'SCAN_VOLUMES')] ?? 0
    },
  }
}
