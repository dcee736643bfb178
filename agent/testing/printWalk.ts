import { orderOf, walked } from './walked.ts'

/**
 * Walks a folder and prints the result as JSON. A separate program, so that it can run with fewer permissions than the
 * tests.
 */
const [root = '', changes = '{}'] = process.argv.slice(2)
const heard = await walked(orderOf(root, JSON.parse(changes))).catch((error: Error) => ({ failed: error.message }))
process.stdout.write(JSON.stringify(heard))
