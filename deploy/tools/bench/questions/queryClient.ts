import { parentPort, Worker, workerData } from 'node:worker_threads'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { onEveryServer } from '#server/platform/clickhouse/statements.ts'

type Request = { id: number; paths: string[] }
/** `failure` is the error if the query failed. */
type QueryResult = { id: number; milliseconds: number; failure?: string | undefined }

/** A client in a thread of its own, independent of the server's thread. */
export type QueryClient = {
  /** Requests all paths, below `/api`, at the same time, like a screen. Resolves when all have ended. */
  ask(paths: string[]): Promise<QueryResult>
  stop(): Promise<unknown>
}

/** Starts a client with the session of the cookie. */
export function startClient(address: string, cookie: string): QueryClient {
  const worker = new Worker(new URL(import.meta.url), { workerData: { address, cookie } })
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
      const answer = Promise.withResolvers<QueryResult>()
      waiting.set(++lastId, answer)
      worker.postMessage({ id: lastId, paths } satisfies Request)
      return answer.promise
    },
    stop: () => worker.terminate(),
  }
}

const given = workerData as { address?: string; cookie?: string } | null
parentPort?.on('message', ({ id, paths }: Request) => {
  const started = performance.now()
  const tell = (failure?: string) =>
    parentPort?.postMessage({ id, milliseconds: performance.now() - started, failure } satisfies QueryResult)
  Promise.all(paths.map(readAnswer)).then(
    () => tell(),
    (error: unknown) => tell(error instanceof Error ? error.message : String(error)),
  )
})

async function readAnswer(path: string): Promise<void> {
  const response = await fetch(`${given?.address}/api${path}`, { headers: { cookie: given?.cookie ?? '' } })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  for await (const _ of response.body ?? []);
}

/** Clears the engine's query condition cache: users rarely repeat a query, so repeated runs must not benefit. */
export const forgetConditions = (clickhouse: ClickHouse): Promise<void> =>
  clickhouse.change(onEveryServer('SYSTEM DROP QUERY CONDITION CACHE'))
