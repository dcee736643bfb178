import type { Failure, Readings } from './unconfirmed.ts'

export type Status = { statusCode: string; statusNumber: number; statusText: string; commandStatus: string }

/** Response of a command, before it gets its format. */
export type Response = { statuses: Status[]; [field: string]: unknown }

/** Files of a command, and the failures of some of them. */
export type Results = { path: string; failure: Failure | undefined }[]

/** Result of a command: partial if some of its files failed. */
export type Outcome = 'success' | 'partial' | 'failed'

export function outcomeOf(results: Results): Outcome {
  const count = results.filter(({ failure }) => !failure).length
  if (count === results.length) return 'success'
  return count > 0 ? 'partial' : 'failed'
}

/** Ends a call with a failed command. */
export class Failed extends Error {
  readonly failure: Failure
  readonly subject: string

  constructor(failure: Failure, subject: string) {
    super(`${failure}: ${subject}`)
    this.failure = failure
    this.subject = subject
  }
}

function newStatus(statusNumber: number, statusText: string, commandStatus: string): Status {
  return { statusCode: `FS${String(statusNumber).padStart(4, '0')}`, statusNumber, statusText, commandStatus }
}

export const successful = (): Status => newStatus(0, 'Command Successful.', 'completed')

export function failureStatus({ failures }: Readings, failure: Failure, name: string): Status {
  const { number, text } = failures[failure]
  return newStatus(
    number,
    text.replace('{name}', () => name),
    'failed',
  )
}

/** Response with one failed status. */
export const failedResponse = (readings: Readings, failure: Failure, name: string): Response => ({
  statuses: [failureStatus(readings, failure, name)],
})

/** Statuses of a command on files: one for each file with a problem, and the result of the whole command. */
export function statusesOf(readings: Readings, command: string, results: Results): Status[] {
  const ofFiles = results.flatMap(({ path, failure }) => {
    if (failure) return [failureStatus(readings, failure, path)]
    return readings.listsSuccesses ? [newStatus(347, `File ${path} was successful.`, 'completed')] : []
  })
  const result = resultOf(readings, command, results)
  return readings.resultAt === 'last' ? [...ofFiles, result] : [result, ...ofFiles]
}

function resultOf(readings: Readings, command: string, results: Results): Status {
  const count = results.filter(({ failure }) => !failure).length
  const text = `${command}: ${count} out of ${results.length} files were successful.`
  if (count === results.length) return successOf(readings, command, results, text)
  if (count === 0 || readings.partialResult === 'failed') return newStatus(1, text, 'failed')
  return newStatus(numberOf(command), text, readings.successStatus)
}

function successOf({ successNumbers, successStatus }: Readings, command: string, results: Results, text: string) {
  const isCounted = command === 'fsstore' || command === 'fsretrieve'
  if (!isCounted || successNumbers === 'zero') return successful()
  const [only] = results
  if (command === 'fsretrieve' && results.length === 1 && only)
    return newStatus(347, `File ${only.path} was retrieved.`, 'completed')
  return newStatus(numberOf(command), text, successStatus)
}

const numberOf = (command: string): number => (command === 'fsstore' ? 355 : 390)
