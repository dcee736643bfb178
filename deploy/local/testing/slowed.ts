import { Worker } from 'node:worker_threads'

/**
 * Slows a process down to bursts of 5 milliseconds, so that it can be observed on a machine of any speed. The timer
 * runs in its own thread, independent of the load of the test.
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
