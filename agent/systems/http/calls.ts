import { newTransport, type TransportOptions } from './transport.ts'

type Options = TransportOptions & {
  /** SHA-256 of the one certificate to accept; unless given, authorities are checked. */
  fingerprint: string | undefined
}

type CallOptions = {
  /** Part of the server that answers; others may be switched off. */
  service?: string
  signal: AbortSignal
  /** Failure for users. After the first answer of a service, its failures may be temporary. */
  failureOf: (error: unknown, hasAnswered: boolean) => Error
}

/** Sends requests to a server, with its certificate checked, and remembers which of its services have answered. */
export function newCalls({ fingerprint, certificate, ...options }: Options) {
  const transport = newTransport({ ...options, certificate: { fingerprint, ...certificate } })
  const answered = new Set<string>()
  return {
    transport,
    /** Sends a request and reads its answer. Throws the reason of an abort, or else what `failureOf` returns. */
    async call<T>(
      send: (hasAnswered: boolean) => Promise<T>,
      { service = '', signal, failureOf }: CallOptions,
    ): Promise<T> {
      try {
        const answer = await send(answered.has(service))
        answered.add(service)
        return answer
      } catch (error) {
        signal.throwIfAborted()
        throw failureOf(error, answered.has(service))
      }
    },
  }
}
