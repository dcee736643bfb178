import type { WayToWalk } from '../scan/folders/messages.ts'
import { orderOf, walked } from './walked.ts'

/**
 * Walks a folder and prints the result as JSON. A separate program, so that it can run with fewer permissions than the
 * tests.
 */
const [root = '', changes = '{}', way] = process.argv.slice(2)
const ways = { way: way as WayToWalk | undefined }
const heard = await walked(orderOf(root, JSON.parse(changes)), [], ways).catch((error: Error) => ({
  failed: error.message,
}))
process.stdout.write(JSON.stringify(heard))
