import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { FileOutcome, PlannedFile } from '#events/actions/files.ts'
import type { QuarantineOrder } from '#events/actions/orders.ts'
import type { FileList } from '../../testing/fileList.ts'
import { letDayPass, type TestStorage } from './storage.ts'

/** A request of the agent to the list of files, with its answer. */
export type Request = { id: number } & ({ files: 'planned' | 'sent' } | { record: FileOutcome[] })
/** `killAt`: the step of the file system or of the list, from 1, at which the agent kills itself. */
export type Start = {
  order: QuarantineOrder
  storage: Pick<TestStorage, 'state' | 'mayChange' | 'mayDelete'>
  killAt: number
}

const program = fileURLToPath(new URL('actAndDie.ts', import.meta.url))

/**
 * Carries out an order in a process of its own, which is killed at a step, or after some milliseconds. Returns false if it has ended before that.
 */
export async function isKilled(
  storage: TestStorage,
  list: FileList,
  order: QuarantineOrder,
  { killAt = 0, afterMs }: { killAt?: number; afterMs?: number },
): Promise<boolean> {
  if (order.verb === 'delete') letDayPass(storage)
  const link = list.link()
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const { state, mayChange, mayDelete } = storage
  child.on('message', (message) => {
    const request = message as Request | 'started'
    if (request === 'started') {
      if (afterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), afterMs)
      return
    }
    void (async () => {
      if ('record' in request) await link.record(request.record)
      const files: PlannedFile[] = []
      if ('files' in request) for await (const page of link.files(request.files)) files.push(...page)
      if (child.connected) child.send({ id: request.id, files }, () => {})
    })()
  })
  child.send({ order, storage: { state, mayChange, mayDelete }, killAt } satisfies Start)
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  if (signal === 'SIGKILL') return true
  if (code !== 0) throw new Error(`The agent ended with ${code ?? signal}`)
  return false
}
