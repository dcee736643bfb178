import { startWatchdog } from '../index.ts'

/* Runs task 7, and task 8 which has ended, with open requests and answered ones, and hangs. Arguments: the agent's folder, and open requests. */
const [, , state = '', ...open] = process.argv
const suspects = startWatchdog(state, { looksUntilHung: 4, lookEveryMs: 50 })
suspects.started(7)
suspects.started(8)
suspects.stopped(8, true)
suspects.opened('an answered request')()
for (const request of open) suspects.opened(request)
setTimeout(() => {
  for (;;);
}, 300)
