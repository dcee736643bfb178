import { spawnSync } from 'node:child_process'

/**
 * How far what may take long yields the processor to what someone waits for: Linux' nice value of its threads, -20 to 19. With 5
 * they get a quarter of what they contend for; with 10 heavy questions took up to twice as long again beside eight clients.
 */
const yielding = 5

/**
 * The nice value for threads of an engine in this process: 0 where none of them may come back from it. The engine tries if it has
 * the capability SYS_NICE, which is not enough in a container with users of its own: there it ends the process.
 */
export function niceness(): number {
  const tried = `const { setPriority } = require('node:os'); setPriority(${yielding}); setPriority(0)`
  return spawnSync(process.execPath, ['--eval', tried]).status === 0 ? yielding : 0
}
