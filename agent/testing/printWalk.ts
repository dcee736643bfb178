import '../threadPool.ts'
import { orderOf, walked } from './walked.ts'

/**
 * Walks a folder and prints the result as JSON. A separate program, so that it can run with fewer permissions than the
 * tests, and that calls which are never answered hold none of their threads. SIGUSR2 stops the walk.
 */
const [root = '', changes = '{}', options = '{}'] = process.argv.slice(2)
const stop = new AbortController()
process.once('SIGUSR2', () => stop.abort(new Error('stopped')))
const heard = await walked(orderOf(root, JSON.parse(changes)), [], {
  ...JSON.parse(options),
  signal: stop.signal,
}).catch((error: Error) => ({ failed: error.message }))
process.stdout.write(`${JSON.stringify(heard)}\n`, () => process.exit())
