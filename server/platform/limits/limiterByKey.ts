import { openLimiter, type Limiter } from './limiter.ts'

/** Tasks of one key: at once, and waiting for their turn. `refuse` throws for one more. */
type Share = { running: number; waiting: number; refuse: () => never }

export type LimiterByKey = {
  take<T>(key: string, work: () => Promise<T>, signal?: AbortSignal, share?: Share): Promise<T>
  close(): Promise<void>
}

/**
 * Runs tasks with the same key one after another or, with a share, a few at a time, in order. Tasks with different keys
 * are independent. Otherwise like `openLimiter`.
 */
export function openLimiterByKey(refusal: string): LimiterByKey {
  const lines = new Map<string, { limiter: Limiter; taken: number }>()
  let closed = false
  return {
    async take(key, work, signal, share) {
      if (closed) throw new Error(refusal)
      const line = lines.get(key) ?? { limiter: openLimiter(1, refusal), taken: 0 }
      if (share) {
        line.limiter.allow(share.running)
        if (line.taken >= share.running + share.waiting) share.refuse()
      }
      lines.set(key, line)
      line.taken++
      try {
        return await line.limiter.take(work, signal)
      } finally {
        if (--line.taken === 0) lines.delete(key)
      }
    },
    async close() {
      closed = true
      await Promise.all([...lines.values()].map(({ limiter }) => limiter.close()))
    },
  }
}
