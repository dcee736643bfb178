import { missing } from './missing.ts'
import { create, drop, insertBatch } from './stagingTable.ts'
import { firstPage, pending, startAttempt } from './startAttempt.ts'

export { countRefused } from './countRefused.ts'
export { kindOf, scanTableName, scanOfTable, tablesOf } from './scanTables.ts'
export { startIngest } from './startIngest.ts'
export { isConstraintError, unpackBlock } from './takeBatch.ts'

/** The staging table of a scan, from its first batch to its commit or end. */
export const staging = { create, drop, insertBatch, missing, startAttempt, firstPage, pending }
