import { runTool } from '../kit/tool.ts'
import { hostileRuns } from './runs.ts'

/**
 * `npm run test:long -- fuzz|chaos|soak|upgrade`: hostile input, faults, load and upgrades for a whole product in a temporary
 * folder. Exits with 1 if there is a finding.
 */
await runTool(hostileRuns, process.argv.slice(2))
