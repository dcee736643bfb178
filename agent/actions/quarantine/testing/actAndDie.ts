import files, { type FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import type { PlannedFile } from '#events/actions/files.ts'
import { product } from '../../testing/attempts.ts'
import { runFiles } from '../../runAction.ts'
import { systemCalls } from '../../../systems/local/systemCalls.ts'
import type { Request, Start } from './killed.ts'

/* Carries out an order that arrives from another process, and kills itself before or after a step that changes something. */

let killAt = 0
let steps = 0
function step(): void {
  if (++steps === killAt) process.kill(process.pid, 'SIGKILL')
}

type Call = (...args: unknown[]) => Promise<unknown>
/** Makes the calls of an object two steps each: before and after. */
function watch(owner: object, names: readonly string[]): void {
  const calls = owner as Record<string, Call>
  for (const name of names) {
    const call = calls[name] as Call
    calls[name] = async function (this: unknown, ...args: unknown[]) {
      step()
      if (name === 'appendFile') await halfOf(this as FileHandle, args[0] as string | Buffer)
      return call.apply(this, args).finally(step)
    }
  }
}

/** The half of a text is written if the process ends there. */
async function halfOf(handle: FileHandle, text: string | Buffer): Promise<void> {
  if (steps + 1 === killAt) await handle.write(Buffer.from(text.toString('latin1').slice(0, text.length / 2), 'latin1'))
  step()
}

const handle = await files.open('/dev/null')
watch(Object.getPrototypeOf(handle) as object, ['appendFile', 'datasync', 'sync', 'truncate'])
await handle.close()
watch(files, ['mkdir', 'unlink', 'rmdir', 'link', 'writeFile', 'chmod', 'chown'])
syncBuiltinESMExports()
if (systemCalls) {
  const { renameat2Later } = systemCalls
  systemCalls.renameat2Later = (from, name, to, newName, flags, done) => {
    step()
    renameat2Later(from, name, to, newName, flags, (error, result) => {
      step()
      done(error, result)
    })
  }
}

const answers = new Map<number, (files: PlannedFile[]) => void>()
type Question = Request extends infer R ? (R extends { id: number } ? Omit<R, 'id'> : never) : never
function ask(request: Question): Promise<PlannedFile[]> {
  const id = answers.size + 1
  return new Promise((resolve) => {
    answers.set(id, resolve)
    process.send?.({ ...request, id })
  })
}

process.on('message', (message: Start | { id: number; files: PlannedFile[] }) => {
  if ('order' in message) void act(message)
  else answers.get(message.id)?.(message.files)
})

async function act({ order, storage, killAt: at }: Start): Promise<void> {
  const { openQuarantine } = await import('../openQuarantine.ts')
  killAt = at
  process.send?.('started')
  const link = {
    async *files(state: 'planned' | 'sent') {
      const page = await ask({ files: state })
      if (page.length > 0) yield page
    },
    async record(outcomes: never[]) {
      step()
      await ask({ record: outcomes })
      step()
    },
    setProgress: () => {},
    digestCopies: async () => [],
  }
  const { signal } = new AbortController()
  const action = { attempt: 1, jobId: 1, product, system: order }
  await runFiles(link, action, signal, () => openQuarantine(order, { ...storage, agentId: 7 }))
  process.disconnect?.()
}
