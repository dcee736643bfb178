import { parentPort, Worker, workerData } from 'node:worker_threads'

/** Calls as other users make them, with the milliseconds between two of them. */
const everyMs = 150
const tickMs = 20
const search = [{ name: { value: 'frame*' } }]
const calls = [
  { path: '/actuator/health' },
  { path: '/api/loginInfo' },
  { path: '/api/v1/search?size=10', method: 'POST', body: JSON.stringify(search) },
] as const

/** A call with its status; 0 without an answer. `lostMs` is the time in which this thread, which does nothing else, had no processor. */
export type Waited = { path: string; status: number; ms: number; lostMs: number }
type Start = { address: string; token: string }

/** Makes light calls all the time, in a thread of its own, and reports each with the time that it took. */
export function startProbe(start: Start, onWaited: (waited: Waited) => void) {
  const worker = new Worker(new URL(import.meta.url), { workerData: start })
  worker.on('message', onWaited)
  return { stop: () => worker.terminate() }
}

const given = workerData as Partial<Start> | null
if (parentPort && given?.address && given.token) void probe(given as Start, parentPort)

async function probe({ address, token }: Start, port: NonNullable<typeof parentPort>): Promise<never> {
  let [lost, ticked] = [0, performance.now()]
  setInterval(() => {
    const now = performance.now()
    lost += Math.max(0, now - ticked - 2 * tickMs)
    ticked = now
  }, tickMs)
  for (let i = 0; ; i++) {
    const { path, ...request } = calls[i % calls.length] ?? calls[0]
    const [began, lostBefore] = [performance.now(), lost]
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const status = await fetch(address + path, { ...request, headers, signal: AbortSignal.timeout(300_000) })
      .then(async (response) => (await response.arrayBuffer(), response.status))
      .catch(() => 0)
    port.postMessage({ path, status, ms: performance.now() - began, lostMs: lost - lostBefore } satisfies Waited)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
