import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

export type Request = { id: number; paths: string[] }
/** `failure` is what went wrong instead of an answer. */
export type Answered = { id: number; milliseconds: number; bytes: number; failure?: string }

export type Asker = {
  /** Calls all the paths, below `/api`, at once; settles when all were answered. */
  ask(paths: string[]): Promise<Answered>
  stop(): Promise<void>
}

/** A client in a thread of its own, which asks as the user of the cookie. */
export function startAsker(address: string, cookie: string): Asker {
  const worker = new Worker(join(import.meta.dirname, 'client.ts'), { workerData: { address, cookie } })
  const waiting = new Map<number, PromiseWithResolvers<Answered>>()
  let asked = 0
  worker.on('message', (answered: Answered) => {
    waiting.get(answered.id)?.resolve(answered)
    waiting.delete(answered.id)
  })
  worker.once('error', (error) => {
    for (const { reject } of waiting.values()) reject(error)
  })
  return {
    ask(paths) {
      const id = ++asked
      const answer = Promise.withResolvers<Answered>()
      waiting.set(id, answer)
      worker.postMessage({ id, paths } satisfies Request)
      return answer.promise
    },
    async stop() {
      await worker.terminate()
    },
  }
}
