/**
 * Clock of a simulated server, in milliseconds since 1970, or in seconds if its start and its speed are those of seconds. Actions run in the order of their times, and each one sees its own time
 * as now.
 */
export type Clock = {
  now(): number
  /** Moves the clock ahead and runs the actions that become due. */
  advance(ms: number): void
  /** Moves the clock to a time. A time in the past runs no action again. */
  set(time: number | Date): void
  /** Runs an action after a delay of simulated time. An infinite delay never ends. */
  after(ms: number, action: () => void): void
  /** Simulated milliseconds per millisecond. 0 stops the clock, so that only `advance` and `set` move it. */
  speed: number
  close(): void
}

type Action = { due: number; run: () => void }

export function newClock({ start = Date.now(), speed = 1 }: { start?: number; speed?: number } = {}): Clock {
  const actions: Action[] = []
  let timer: NodeJS.Timeout | undefined
  let rate = speed
  let base = start
  let since = performance.now()
  const now = () => base + (performance.now() - since) * rate
  const jump = (time: number) => {
    base = time
    since = performance.now()
  }
  const moveTo = (time: number) => {
    for (let action = takeDue(actions, time); action; action = takeDue(actions, time)) {
      jump(action.due)
      action.run()
    }
    jump(time)
    arm()
  }
  const arm = () => {
    clearTimeout(timer)
    const [next] = actions
    if (next === undefined || rate === 0) return
    timer = setTimeout(() => moveTo(now()), Math.min(Math.max(1, (next.due - now()) / rate), 1_000_000)).unref()
  }
  return {
    now: () => Math.floor(now()),
    advance: (ms) => moveTo(now() + ms),
    set: (time) => moveTo(Number(time)),
    after(ms, run) {
      if (ms === Infinity) return
      const due = now() + ms
      const later = actions.findIndex((action) => action.due > due)
      actions.splice(later < 0 ? actions.length : later, 0, { due, run })
      arm()
    },
    get speed() {
      return rate
    },
    set speed(value) {
      jump(now())
      rate = value
      arm()
    },
    close: () => clearTimeout(timer),
  }
}

const takeDue = (actions: Action[], time: number): Action | undefined =>
  actions[0] && actions[0].due <= time ? actions.shift() : undefined
