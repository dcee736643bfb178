import { openTurns, type Turns } from './turns.ts'

export type TurnsByKey = {
  take<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>
  close(): Promise<void>
}

/** Runs work with the same key one after another, in order; what has another key is not waited for. Else as `openTurns`. */
export function openTurnsByKey(refusal: string): TurnsByKey {
  const lines = new Map<string, { turns: Turns; taken: number }>()
  let closed = false
  return {
    async take(key, work, signal) {
      if (closed) throw new Error(refusal)
      const line = lines.get(key) ?? { turns: openTurns(1, refusal), taken: 0 }
      lines.set(key, line)
      line.taken++
      try {
        return await line.turns.take(work, signal)
      } finally {
        if (--line.taken === 0) lines.delete(key)
      }
    },
    async close() {
      closed = true
      await Promise.all([...lines.values()].map(({ turns }) => turns.close()))
    },
  }
}
