import { openLimiter, type Limiter } from './limiter.ts'

export type LimiterByKey = {
  take<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>
  close(): Promise<void>
}

/**
 * Runs tasks with the same key one after another, in order, and tasks with different keys independently. Otherwise like
 * `openLimiter`.
 */
export function openLimiterByKey(refusal: string): LimiterByKey {
  const lines = new Map<string, { limiter: Limiter; taken: number }>()
  let closed = false
  return {
    async take(key, work, signal) {
      if (closed) throw new Error(refusal)
      const line = lines.get(key) ?? { limiter: openLimiter(1, refusal), taken: 0 }
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
