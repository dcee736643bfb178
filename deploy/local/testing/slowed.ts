import { Worker } from 'node:worker_threads'

/**
 * Slows a process down to bursts of 5 milliseconds, so that it can be observed on a machine of any speed. On a busy machine a burst lasts until
 * the process has had as much processor time, but at most 200 milliseconds. The timer runs in its own thread, independent of the load of the test.
 */
export function slowed(pid: number | undefined, rest = 95) {
  if (pid === undefined) throw new Error('There is no process to slow down')
  const beat = new Worker(
    `const { readdirSync, readFileSync } = require('node:fs')
     const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
     // The first number of a thread is its processor time in nanoseconds; threads may end meanwhile.
     const usedBy = (thread) => {
       try {
         return Number(readFileSync('/proc/${pid}/task/' + thread + '/schedstat', 'utf8').split(' ')[0])
       } catch {
         return 0
       }
     }
     const used = () => readdirSync('/proc/${pid}/task').reduce((sum, thread) => sum + usedBy(thread), 0)
     const beat = () => {
       process.kill(${pid}, 'SIGSTOP')
       wait(${rest})
       const enough = used() + 5_000_000
       process.kill(${pid}, 'SIGCONT')
       wait(5)
       for (let i = 0; i < 65 && used() < enough; i++) wait(3)
     }
     try {
       for (;;) beat()
     } catch (error) {
       // The process has ended.
       if (!['ENOENT', 'ESRCH'].includes(error.code)) throw error
     }`,
    { eval: true },
  )
  const then = (signal: NodeJS.Signals) => async () => {
    await beat.terminate()
    process.kill(pid, signal)
  }
  return { freeze: then('SIGSTOP'), goOn: then('SIGCONT') }
}
