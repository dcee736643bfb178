/** Waits for a promise, but no longer than until the signal is aborted; then throws its reason. */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  // Nobody may be there any more to hear that it failed, which would end the process.
  promise.catch(() => {})
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
