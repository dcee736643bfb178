import type { UserLimit } from '#events/users/userLimits.ts'
import { currentUser, type UserLimits } from './userLimits.ts'

/** Limits of a kind of work; those that are left out are infinite. */
export type WorkLimits = {
  kind: string
  /** Maximum at once: of all users, of one user, and with the same key. */
  total?: number
  perUser?: number | UserLimit
  perKey?: number
  /** Maximum that wait for their turn. */
  waiting?: number
  waitingPerUser?: number
  waitingPerKey?: number
  /** Maximum wait, in milliseconds. Work that has started is not interrupted. */
  timeoutMs?: number
  /** The error for work that finds too many waiting, or waits for too long. */
  refusal?: (limits: UserLimits | undefined) => Error
}

type WorkOptions = { key?: string | undefined; signal?: AbortSignal | undefined }

/** Work that is counted together: what runs, what runs or waits, and the maximum at once. */
type Line = { running: number; taken: number; max: number }
type Turn = { lines: ReadonlySet<Line>; owner: Line; start(): void }

/**
 * A queue for one class of work. Work waits until it has a place in all of its lines at once, so nothing holds a place
 * while it waits for another one. If several could start, the one whose user has the fewest places goes first, then the
 * earliest. Work keeps its places until it has ended, even if its signal aborts.
 */
export class Admission {
  readonly #closing = new AbortController()
  readonly #lines = new Map<string, Line>()
  readonly #refusal: string
  readonly #total: number
  #waiting: Turn[] = []
  #whenIdle = () => {}

  /** At most `total` runs at once. `refusal` is the message for work after the end. */
  constructor(refusal: string, total = Infinity) {
    this.#refusal = refusal
    this.#total = total
  }

  /**
   * Runs work at once or in its turn, within the limits of all of its kinds. Fails with the reason of a signal that
   * aborts during the wait.
   */
  async take<T>(kinds: readonly WorkLimits[], work: () => Promise<T>, { key, signal }: WorkOptions = {}): Promise<T> {
    const signals = [this.#closing.signal, ...(signal ? [signal] : [])]
    for (const each of signals) each.throwIfAborted()
    const owner = this.#line(`user ${currentUser()?.key ?? ''}`)
    const lines = new Set([this.#line('all', this.#total), owner, ...kinds.flatMap((kind) => this.#places(kind, key))])
    for (const line of lines) line.taken++
    try {
      await this.#turn({ lines, owner }, signals, kinds)
      try {
        // It may have aborted since the turn came.
        signal?.throwIfAborted()
        return await work()
      } finally {
        for (const line of lines) line.running--
      }
    } finally {
      for (const line of lines) line.taken--
      this.#startNext()
    }
  }

  /** Refuses new and waiting work, and waits for what runs. */
  async close(): Promise<void> {
    this.#closing.abort(new Error(this.#refusal))
    if (this.#lines.get('all')?.taken) await new Promise<void>((resolve) => (this.#whenIdle = resolve))
  }

  #line(name: string, max = Infinity): Line {
    const line = this.#lines.get(name) ?? { running: 0, taken: 0, max }
    line.max = max
    this.#lines.set(name, line)
    return line
  }

  /** The lines of work of a kind. Throws if one of them is full. */
  #places(limits: WorkLimits, key: string | undefined): Line[] {
    const user = currentUser()
    const { kind, perUser } = limits
    const counted = [{ name: kind, max: limits.total, waiting: limits.waiting }]
    if (user) {
      const max = typeof perUser === 'string' ? user.limits[perUser] : perUser
      counted.push({ name: `${kind} of ${user.key}`, max, waiting: limits.waitingPerUser })
    }
    if (key !== undefined)
      counted.push({ name: `${kind} with ${key}`, max: limits.perKey, waiting: limits.waitingPerKey })
    return counted.map(({ name, max, waiting = Infinity }) => {
      const line = this.#line(name, max)
      if (line.taken >= (max ?? line.running) + waiting) throw limits.refusal?.(user?.limits)
      return line
    })
  }

  #turn(of: Omit<Turn, 'start'>, signals: readonly AbortSignal[], kinds: readonly WorkLimits[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer)
        for (const each of signals) each.removeEventListener('abort', abort)
        this.#waiting = this.#waiting.filter((other) => other !== turn)
      }
      const leave = (error: unknown) => (settle(), reject(error as Error))
      const abort = () => leave(signals.find(({ aborted }) => aborted)?.reason)
      const limited = kinds.find(({ timeoutMs }) => timeoutMs !== undefined)
      const { limits } = currentUser() ?? {}
      const timer = limited && setTimeout(() => leave(limited.refusal?.(limits)), limited.timeoutMs)
      for (const each of signals) each.addEventListener('abort', abort)
      const turn = { ...of, start: () => (settle(), resolve()) }
      this.#waiting.push(turn)
      this.#startNext()
    })
  }

  #startNext(): void {
    for (;;) {
      const ready = this.#waiting.filter(({ lines }) => [...lines].every(({ running, max }) => running < max))
      const [next] = ready.sort((one, other) => one.owner.running - other.owner.running)
      if (!next) break
      for (const line of next.lines) line.running++
      next.start()
    }
    for (const [name, { taken }] of this.#lines) if (taken === 0) this.#lines.delete(name)
    if (!this.#lines.has('all')) this.#whenIdle()
  }
}
