/** Requests that a P5 server gets at the same time. */
const requestsAtOnce = 4

/** Works on items, several at once. After an error no further item is started. */
export async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.toReversed()
  const workOn = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item).catch(stop)
  }
  const stop = (error: unknown) => {
    left.length = 0
    throw error
  }
  await Promise.all(Array.from({ length: requestsAtOnce }, workOn))
}
