import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

export type Request = { id: number; paths: string[] }
/** `failure` is the error if the query failed. */
export type QueryResult = { id: number; milliseconds: number; bytes: number; failure?: string }

export type QueryClient = {
  /** Requests all paths, below `/api`, at the same time; resolves when all were result. */
  ask(paths: string[]): Promise<QueryResult>
  stop(): Promise<void>
}

/** A client in a separate thread, with the session of the cookie. */
export function startClient(address: string, cookie: string): QueryClient {
  const worker = new Worker(join(import.meta.dirname, 'clientThread.ts'), { workerData: { address, cookie } })
  const waiting = new Map<number, PromiseWithResolvers<QueryResult>>()
  let lastId = 0
  worker.on('message', (result: QueryResult) => {
    waiting.get(result.id)?.resolve(result)
    waiting.delete(result.id)
  })
  worker.once('error', (error) => {
    for (const { reject } of waiting.values()) reject(error)
  })
  return {
    ask(paths) {
      const id = ++lastId
      const answer = Promise.withResolvers<QueryResult>()
      waiting.set(id, answer)
      worker.postMessage({ id, paths } satisfies Request)
      return answer.promise
    },
    async stop() {
      await worker.terminate()
    },
  }
}
