import { startWatchdog } from '../index.ts'

/* Runs task 7, and task 8 which has ended, and hangs; its argument is the agent's folder. */
const suspects = startWatchdog(process.argv[2] ?? '', { looksUntilHung: 4, lookEveryMs: 50 })
suspects.started(7)
suspects.started(8)
suspects.stopped(8, true)
setTimeout(() => {
  for (;;);
}, 300)
