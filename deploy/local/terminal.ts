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
