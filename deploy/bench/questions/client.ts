import { parentPort, workerData } from 'node:worker_threads'
import type { Answered, Request } from './asker.ts'

/**
 * The thread of a client: the server's own thread has no part in what it does. Calls of one request go out at once, as a
 * screen's do; it is answered when all of them have come to their end.
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

const tell = (answered: Answered) => parentPort?.postMessage(answered)

async function answerOf(path: string): Promise<number> {
  const response = await fetch(`${address}/api${path}`, { headers: { cookie } })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  let bytes = 0
  for await (const chunk of response.body ?? []) bytes += chunk.byteLength
  return bytes
}
