import { createRequire } from 'node:module'
import type * as Koffi from 'koffi'

/** Option of `npm start` that accepts a data folder that was moved or copied on purpose. */
export const adoptFlag = '--adopt'

/** Option that the supervisor adds to a restart: the running stores are its own. */
export const restartFlag = '--restart'

/** Option that starts a made-up studio instead of the product's own data. A restart keeps it. */
export const demoFlag = '--demo'

const options = [adoptFlag, restartFlag]

/** Arguments of a program without these options. */
export const withoutOptions = (args: readonly string[]): string[] => args.filter((word) => !options.includes(word))

/** Signals that stop the product in order. SIGHUP is sent when its terminal is closed. */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Keeps the program running if its output is closed, such as after `npm start
 * head`.
 */
export function ignoreClosedTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}

/**
 * Ends this process with a code, after its `exit` listeners. `process.exit` waits for statements that the embedded engine still
 * runs, for minutes, and then crashes.
 */
export function exitNow(code: number): never {
  const koffi: typeof Koffi = createRequire(import.meta.url)('koffi')
  const library = koffi.load(process.platform === 'darwin' ? 'libSystem.dylib' : 'libc.so.6')
  const end: (code: number) => void = library.func('_exit', 'void', ['int'])
  process.on('exit', () => end(code))
  return process.exit(code)
}
