import { networkOf } from '#server/platform/callers/guessing.ts'
import { Problem } from '#server/platform/problem.ts'

type Limits = {
  /** At the same time; each check of a password holds a thread and 32 MB. */
  running: number
  /** Waiting, in total and of one network. */
  waiting: number
  waitingOfNetwork: number
}

const usual: Limits = { running: 2, waiting: 40, waitingOfNetwork: 10 }

/**
 * Runs work of anonymous requests a few at a time, so that strangers leave the threads to signed-in users. Throws 429
 * without starting the work while too many others wait. A network is an IPv4 address or the first 64 bits of an IPv6
 * address.
 */
export function strangersLane({ running, waiting, waitingOfNetwork }: Limits = usual) {
  let free = running
  const queue: { network: string; start: () => void }[] = []
  const turn = (address: string): Promise<void> | undefined => {
    if (free > 0) {
      free -= 1
      return undefined
    }
    const network = networkOf(address)
    const ofNetwork = queue.filter((each) => each.network === network).length
    if (queue.length >= waiting || ofNetwork >= waitingOfNetwork) throw busy()
    return new Promise((resolve) => queue.push({ network, start: resolve }))
  }
  const leave = () => {
    const next = queue.shift()
    if (next) next.start()
    else free += 1
  }
  return async <Result>(address: string, work: () => Promise<Result>): Promise<Result> => {
    await turn(address)
    try {
      return await work()
    } finally {
      leave()
    }
  }
}

/** Seconds. */
const retryAfterSeconds = 5
const busy = () =>
  new Problem(429, `Too many people are signing in. Try again in ${retryAfterSeconds} seconds.`, {
    code: 'busy-signing-in',
    retryAfterSeconds,
  })
