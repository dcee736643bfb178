import { randomInt } from 'node:crypto'
import { isFree, storePorts } from '../stores/ports.ts'

/** A free port of 127.0.0.1 for a product or another server: neither one of stores nor one of outgoing connections. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, storePorts.from)
    if (await isFree(port)) return port
  }
}
