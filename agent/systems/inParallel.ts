/**
 * Works on items, `count` at the same time. After an error no further item is started, and the first error is thrown once the others have
 * ended.
 */
export async function inParallel<T>(
  items: Iterable<T> | AsyncIterable<T>,
  count: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const source = (async function* () {
    yield* items
  })()
  let failure: { error: unknown } | undefined
  const workOn = async () => {
    try {
      while (!failure) {
        const { value, done } = await source.next()
        if (done) return
        await work(value)
      }
    } catch (error) {
      failure ??= { error }
    }
  }
  await Promise.all(Array.from({ length: count }, workOn))
  if (failure) throw failure.error
}
