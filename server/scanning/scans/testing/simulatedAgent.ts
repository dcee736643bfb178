import { setTimeout as pause } from 'node:timers/promises'
import { zstdCompressSync } from 'node:zlib'
import { createInbox, headers } from 'nats'
import { protocolVersion } from '#events/agents.ts'
import { TaskAnswer, TaskNotice } from '#events/tasks.ts'
import { blockOf } from '#events/node/blocks/testing/blockOf.ts'
import type { EntryRow } from '#events/scans/entryRow.ts'
import { batchHeaders, batchMessageId } from '#events/scans/batches.ts'
import type { Progress, ScanEvent } from '#events/scans/lifecycle.ts'
import type { ScanOrder } from '#events/sources/scanOrder.ts'
import { consumers, streams, subjects } from '#events/subjects.ts'
import type { Nats } from '#server/platform/nats/nats.ts'

export const progress: Progress = {
  entries: 2,
  directories: 1,
  bytes: 5,
  unreadable: 0,
  queued: 0,
  rate: 1,
  currentPath: '/',
}

/** The root of a storage. */
export const entry: EntryRow = {
  parentPath: '',
  name: '',
  isDirectory: true,
  size: 0,
  allocatedSize: 0,
  linkCount: 1,
  device: 1,
  inode: 2,
  owner: 'ana',
  group: 'staff',
  mode: 0o755,
  linkTarget: '',
  created: 0,
  modified: 1_600_000_000,
  accessed: 1_600_000_000,
}

/** A storage of one file of five bytes, in one batch. */
export const rowsOf = (): Buffer =>
  blockOf((rows) => {
    rows.add(entry)
    rows.add({ ...entry, parentPath: '/', name: 'file', isDirectory: false, size: 5, inode: 3 })
    rows.addListed(entry, 1)
  })

type WithoutOrigin<E> = E extends ScanEvent ? Omit<E, 'at' | 'run' | 'attempt'> : never

/** The run that holds the key of each simulated agent, see `startScanning`. */
export const simulatedRun = 'a run'

/** Simulates agent 1, one action at a time: for tests only. */
export function simulatedAgent(nats: Nats) {
  /** Takes the next task from the queue of agent 1 and requests its order, as an agent does. */
  async function takeTask(): Promise<ScanOrder & { taskId: number }> {
    const consumer = await nats.js.consumers.get(streams.tasks, consumers.tasks(1, 'SCAN_VOLUMES'))
    const message = await consumer.next({ expires: 60_000 })
    const notice = TaskNotice.parse(message?.json())
    message?.ack()
    const answer = await askForOrder(notice.taskId)
    if (answer.type !== 'scan') throw new Error('reason' in answer ? answer.reason : answer.type)
    return { ...answer.order, taskId: notice.taskId }
  }

  async function askForOrder(taskId: number, agentId = 1): Promise<TaskAnswer> {
    const request = JSON.stringify({ taskId, run: simulatedRun, protocol: protocolVersion })
    const reply = createInbox(`_INBOX_agent-${agentId}`)
    const options = { timeout: 10_000, noMux: true, reply }
    const { data } = await nats.connection.request(subjects.startTask(agentId), request, options)
    return TaskAnswer.parse(JSON.parse(new TextDecoder().decode(data)))
  }

  async function send(order: ScanOrder, rows: Buffer, batch = 1): Promise<void> {
    const about = headers()
    about.set(batchHeaders.run, simulatedRun)
    about.set(batchHeaders.attempt, String(order.attempt))
    about.set(batchHeaders.batch, String(batch))
    const msgID = batchMessageId(order.scanId, order.attempt, batch)
    await nats.js.publish(subjects.entries(1, order.scanId), zstdCompressSync(rows), { msgID, headers: about })
  }

  /** Waits until the server has stored all rows that were sent. */
  async function takenIn(): Promise<void> {
    const waiting = async () => {
      const { num_pending, num_ack_pending } = await nats.jsm.consumers.info(streams.scans, consumers.entries)
      return num_pending + num_ack_pending
    }
    while ((await waiting()) > 0) await pause(20)
  }

  const say = (order: ScanOrder, event: WithoutOrigin<ScanEvent>, agentId = 1) =>
    nats.js.publish(
      subjects.lifecycle(agentId, order.scanId),
      JSON.stringify({ at: new Date().toISOString(), run: simulatedRun, attempt: order.attempt, ...event }),
    )

  const complete = (order: ScanOrder, batches: number, kept: { baseline?: string } = {}) =>
    say(order, { type: 'completed', batches, progress, ...kept })
  return { takeTask, askForOrder, send, takenIn, say, complete }
}
