import { TooLong } from '#events/node/jsonMeter.ts'
import { UntrustedCertificate, untrustedReason } from '../http/checkedAgent.ts'
import { codeOf, connectionFailure, withoutSecrets } from '../http/connectionFailure.ts'
import { failureFrom, type FailureTable, isOne } from '../http/failureTable.ts'
import type { Refusal } from '../http/refusal.ts'
import { messageOf, StoreBusy } from '../system.ts'
import type { ServerFacts } from './server.ts'

/** Class of the failures of a system. `debugMessage` is the system's own text. */
type FailureClass = new (sentence: string, debugMessage: string, retryAfterMs?: number) => Error

type Row<R extends Refusal, Q> = Omit<FailureTable<R, Q>['refusals'][number], 'failure'> & {
  /** Class of the failure; that of the table by default. */
  Failure?: FailureClass
}

/** Failures of a system with classes of its own. */
type Failures<R extends Refusal, Q> = Pick<FailureTable<R, Q>, 'refusal' | 'other'> & {
  /** Known refusals. The first row that matches counts. */
  refusals: readonly Row<R, Q>[]
  /** The system's own text, or else the status. */
  detailOf: (refusal: R, request: Q) => string
  /** A request that won't succeed until someone changes something. */
  Failed: FailureClass
  /** A request that may succeed later. */
  Away: FailureClass
  /** An answer that exceeds its limit; `Failed` by default. */
  TooLarge?: FailureClass
  /** True if a first connection that failed with a code may succeed later. */
  mayPass: (code: string, request: Q) => boolean
  /** Class for failed connections with some codes. */
  ofCode?: (code: string, request: Q) => FailureClass | undefined
}

/** Returns the function that translates errors of requests into failures for users. */
export function failuresOf<R extends Refusal, Q extends ServerFacts>(failures: Failures<R, Q>) {
  const { refusal, refusals, other, detailOf, Failed, Away, TooLarge = Failed } = failures
  const as = (Failure: FailureClass) => (sentence: string, refusal: R, request: Q) =>
    new Failure(sentence, detailOf(refusal, request), refusal.retryAfterMs)
  const table: FailureTable<R, Q> = {
    refusal,
    refusals: refusals.map(({ Failure, ...row }) => ({ ...row, ...(Failure && { failure: as(Failure) }) })),
    other,
    failed: as(Failed),
    busy: as(Away),
    errors: [
      {
        when: isOne(TooLong),
        sentence: ({ host }) => `${host} sends more than fits into one answer`,
        failure: (sentence, error) => new TooLarge(sentence, messageOf(error)),
      },
      {
        when: isOne(UntrustedCertificate),
        sentence: ({ host }, error) => untrustedReason(error as UntrustedCertificate, host),
        failure(sentence, error) {
          const { code, fingerprint } = error as UntrustedCertificate
          return new Failed(sentence, `${code || 'Another certificate'}: ${fingerprint}`)
        },
      },
    ],
    connection: (error, request) => connectionError(error, request, failures),
  }
  return (error: unknown, request: Q): Error => failureFrom(table, error, request)
}

function connectionError<R extends Refusal, Q extends ServerFacts>(
  error: unknown,
  request: Q,
  { mayPass, ofCode, Failed, Away }: Failures<R, Q>,
): Error {
  const code = codeOf(error)
  const { host, secrets, isPlain, hasAnswered } = request
  const context = { host, secrets, isTypedPlain: isPlain, hasAnswered: hasAnswered || mayPass(code, request) }
  const failure = connectionFailure(error, context)
  const debugMessage = withoutSecrets(messageOf(error), secrets) || failure.message
  const Failure = ofCode?.(code, request) ?? (failure instanceof StoreBusy ? Away : Failed)
  return new Failure(failure.message, debugMessage)
}

/** Row for redirects, which are never followed. */
export const redirects = {
  status: /^3/,
  sentence: ({ host }: ServerFacts): string =>
    `${host} redirects requests, which is not followed. Enter the URL that it redirects to`,
}
