import { join } from 'node:path'

/**
 * The environment of a program of ours that is started: Node keeps there what it compiled and stripped of its types. A second start
 * takes a third less time, and an agent 35 MB less memory, for it does without the compiler. A folder that is named already stays,
 * and one that cannot be written is as none.
 */
export const withCompileCache = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../.tools/compiled'),
  ...env,
})
