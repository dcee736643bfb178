import { Worker } from 'node:worker_threads'

/**
 * A process that runs for 5 milliseconds, then rests, again and again, so that what it does can be watched on a machine of
 * any speed. A thread of its own keeps the time, however busy the test is.
 */
export function slowed(pid: number | undefined, rest = 95) {
  if (pid === undefined) throw new Error('There is no process to slow down')
  const beat = new Worker(
    `const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
     for (;;) {
       process.kill(${pid}, 'SIGSTOP')
       wait(${rest})
       process.kill(${pid}, 'SIGCONT')
       wait(5)
     }`,
    { eval: true },
  )
  const then = (signal: NodeJS.Signals) => async () => {
    await beat.terminate()
    process.kill(pid, signal)
  }
  return { freeze: then('SIGSTOP'), goOn: then('SIGCONT') }
}
