import { poolThreads } from './systems/local/lookups/lookups.ts'

// Read by Node when the first thread of its pool is needed: so this is the first file that a program imports.
process.env['UV_THREADPOOL_SIZE'] = String(poolThreads)
