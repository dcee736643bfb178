import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'

/** Objects of the running test file. Several files run one after another in a process. */
const made = new Map<() => Promise<unknown>, Promise<unknown>>()
const ends: (() => unknown)[] = []

/** Creates an object at its first use in a test file, and returns the same one within that file. */
export const oncePerFile =
  <T>(make: () => Promise<T>): (() => Promise<T>) =>
  () => {
    const known = made.get(make) as Promise<T> | undefined
    const thing = known ?? make()
    if (!known) made.set(make, thing)
    return thing
  }

/**
 * Runs work at the end of the test file, the latest first. Unlike `afterAll` it can be called inside tests and hooks.
 */
export const atEndOfFile = (work: () => unknown): void => void ends.push(work)

/** Starts a server on a free port of this machine until the end of the test file. Returns the port. */
export async function testPort(server: Server & { closeAllConnections?(): void }): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEndOfFile(() => {
    server.close()
    server.closeAllConnections?.()
  })
  return (server.address() as AddressInfo).port
}

/** Cleans up after the test file, so the next one starts empty. Throws the first error. */
export async function endFile(): Promise<void> {
  const faults: unknown[] = []
  for (let work = ends.pop(); work; work = ends.pop()) await endOne(work).catch((fault: unknown) => faults.push(fault))
  made.clear()
  if (faults.length > 0) throw faults[0]
}

async function endOne(work: () => unknown): Promise<void> {
  await work()
}
