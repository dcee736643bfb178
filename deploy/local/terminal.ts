/** Option of `npm start` that accepts a data folder which was moved or copied on purpose. */
export const adoptFlag = '--adopt'

/** Option that the supervisor adds when it starts a server again: the stores that run are its own. */
export const restartFlag = '--restart'

const options = [adoptFlag, restartFlag]

/** Arguments of a program without these options. */
export const withoutOptions = (words: readonly string[]): string[] => words.filter((word) => !options.includes(word))

/** Signals that stop the product in order. SIGHUP is sent when its terminal is closed. */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Lets the program go on when nobody reads its output any more, such as after `npm start | head`. */
export function ignoreClosedTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}
