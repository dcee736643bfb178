import { parentPort, workerData } from 'node:worker_threads'
import type { QueryResult, Request } from './queryClient.ts'

/**
 * The thread of a client, independent of the server's thread. The calls of a request are sent at the same time, like
 * those of a screen; it is complete when all have ended.
 */
const { address, cookie } = workerData as { address: string; cookie: string }

parentPort?.on('message', ({ id, paths }: Request) => {
  const started = performance.now()
  void Promise.all(paths.map(answerOf)).then(
    (bytes) => tell({ id, milliseconds: performance.now() - started, bytes: bytes.reduce((a, b) => a + b, 0) }),
    (error: unknown) =>
      tell({
        id,
        milliseconds: performance.now() - started,
        bytes: 0,
        failure: error instanceof Error ? error.message : String(error),
      }),
  )
})

const tell = (answered: QueryResult) => parentPort?.postMessage(answered)

async function answerOf(path: string): Promise<number> {
  const response = await fetch(`${address}/api${path}`, { headers: { cookie } })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  let bytes = 0
  for await (const chunk of response.body ?? []) bytes += chunk.byteLength
  return bytes
}
