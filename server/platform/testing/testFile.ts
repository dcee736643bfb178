/** What belongs to the test file that runs. Several files run one after another in a process. */
const made = new Map<() => Promise<unknown>, Promise<unknown>>()
const ends: (() => unknown)[] = []

/** Makes a thing at its first use in a test file, and gives the same to whoever asks in that file. */
export const oncePerFile =
  <T>(make: () => Promise<T>): (() => Promise<T>) =>
  () => {
    const known = made.get(make) as Promise<T> | undefined
    const thing = known ?? make()
    if (!known) made.set(make, thing)
    return thing
  }

/** Has work done when the test file is over, the latest first. Unlike `afterAll` it may be asked for inside of tests and hooks. */
export const atEndOfFile = (work: () => unknown): void => void ends.push(work)

/** Ends what the test file made, so that the next one begins with nothing. Throws the first of what failed. */
export async function endFile(): Promise<void> {
  const faults: unknown[] = []
  for (let work = ends.pop(); work; work = ends.pop()) await endOne(work).catch((fault: unknown) => faults.push(fault))
  made.clear()
  if (faults.length > 0) throw faults[0]
}

async function endOne(work: () => unknown): Promise<void> {
  await work()
}
