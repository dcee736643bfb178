import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

/**
 * Reads the arguments of a command: one folder, relative to where npm was called, and one flag. Ends the process with the
 * usage if they are others.
 */
export function readFolderCommand(command: string, flag: string): { folder: string; isSet: boolean } {
  try {
    const options = { [flag]: { type: 'boolean', default: false } } as const
    const { positionals, values } = parseArgs({ options, allowPositionals: true })
    const [path, ...others] = positionals
    if (path === undefined || others.length > 0) throw new Error('One folder')
    return { folder: resolve(process.env['INIT_CWD'] ?? '.', path), isSet: values[flag] === true }
  } catch {
    console.error(`Usage: npm run ${command} -- FOLDER [--${flag}]`)
    return process.exit(2)
  }
}
