/** Tokens are renewed this time before their end, or after half of their time if they are shorter. */
const spareMs = 5 * 60_000

type IssuedToken = { text: string; lifetimeMs: number }

/** The token of a client, which is requested once, however many calls wait for it. */
export function newTokens(request: (signal: AbortSignal) => Promise<IssuedToken>, now: () => number) {
  let current: { text: string; renewAt: number } | undefined
  let pending: Promise<string> | undefined

  async function renew(signal: AbortSignal): Promise<string> {
    const { text, lifetimeMs } = await request(signal)
    current = { text, renewAt: now() + lifetimeMs - Math.min(spareMs, lifetimeMs / 2) }
    return text
  }

  return {
    async get(signal: AbortSignal): Promise<string> {
      if (current && now() < current.renewAt) return current.text
      pending ??= renew(signal).finally(() => (pending = undefined))
      return pending
    },
    /** Drops a token, unless another call has renewed it. */
    drop(text: string): void {
      if (current?.text === text) current = undefined
    },
    last: () => current?.text ?? '',
  }
}
