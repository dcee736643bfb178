import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Ports of stores. They are below those of outgoing connections, which begin at 32,768 on Linux and at 49,152 elsewhere: a store that
 * died is started again at its port, and a connection that was given that port meanwhile would keep it away for as long as it lasts.
 * IANA has assigned them to no application, and none is known to use them, so no product on the machine is likely to have one as its
 * PORT.
 */
export const storePorts = { from: 29_170, to: 29_400 } as const

/** Returns a port for a store that is free right now: the last one of the store, unless it is in use. */
export type FindPort = (last?: number) => Promise<number>

/**
 * Finds ports for a store of a data folder. The search begins at a place that the folder and the store determine, so that products
 * on one machine seldom meet, and a store keeps its port. `avoided` ports are those that the product itself is going to use.
 */
export function portsFor(data: string, store: string, avoided: readonly (number | undefined)[] = []): FindPort {
  const size = storePorts.to - storePorts.from
  const first = createHash('sha256').update(`${store} ${data}`).digest().readUInt32BE() % size
  return async (last = 0) => {
    const isOurs = last >= storePorts.from && last < storePorts.to
    const all = Array.from({ length: size }, (_, i) => storePorts.from + ((first + i) % size))
    for (const port of isOurs ? [last, ...all] : all) if (!avoided.includes(port) && (await isFree(port))) return port
    throw new Error(
      `All ports from ${storePorts.from} to ${storePorts.to - 1} are in use, and ${store} needs one. End programs that use them.`,
    )
  }
}

/** True if nothing listens on a port of 127.0.0.1. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer().on('error', () => {})
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
