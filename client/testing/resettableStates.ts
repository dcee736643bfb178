import { proxy as createProxy } from 'valtio/vanilla'

export * from 'valtio/vanilla'
export { useSnapshot } from 'valtio/react'

type State = { proxy: WeakRef<object>; initial: object }
let states: State[] = []

/** Replaces valtio's `proxy` in component tests, where one process runs many tests: stores the initial state. */
export function proxy<T extends object>(initial: T): T {
  const state = createProxy(initial)
  states.push({ proxy: new WeakRef(state), initial: copy(initial) })
  return state
}

/** Resets all states to their initial values, like reloading the page. */
export function resetStates(): void {
  states = states.filter(({ proxy }) => proxy.deref() !== undefined)
  for (const { proxy, initial } of states) {
    const state = (proxy.deref() ?? {}) as Record<string, unknown>
    for (const key of Object.keys(state)) if (!(key in initial)) delete state[key]
    Object.assign(state, copy(initial))
  }
}

/** Copies plain objects and arrays, since valtio returns the existing proxy for a known object. */
function copy<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copy) as T
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copy(part)])) as T
}
