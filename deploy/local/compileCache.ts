import { join } from 'node:path'

/**
 * Environment for starting our programs with Node's compile cache. A second start takes a third less time, and an agent
 * 35 MB less memory, because it doesn't need the type stripper. A folder that is already set is kept; a folder that
 * can't be written has no effect.
 */
export const withCompileCache = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../.tools/compiled'),
  ...env,
})
