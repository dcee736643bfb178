/*
 * Functions that the wall uses and that its oldest browsers lack; imported before anything else. A test compares them
 * with those of a current browser, and fails when the wall uses a newer one that isn't here.
 */

/** Defines what is missing. Not enumerable, like built-in functions, so that loops don't find them. */
function define(on: object, missing: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(missing)) {
    if (!(name in on)) Object.defineProperty(on, name, { value, writable: true, configurable: true })
  }
}

class AbortableSignal {
  aborted = false
}

/** Requests whose answer is not needed any more continue, and `useRemote` ignores the answer. */
class Abortable {
  readonly signal = new AbortableSignal()
  abort() {
    this.signal.aborted = true
  }
}

define(self, {
  globalThis: self,
  AbortController: Abortable,
  AbortSignal: AbortableSignal,
  // A library names limits of 64 bits. Nothing on the wall is compared with them.
  BigInt: Number,
})

define(Array.prototype, {
  at<T>(this: T[], place: number) {
    return this[place < 0 ? this.length + place : place]
  },
  flat(this: unknown[], depth = 1) {
    return flatten(this, depth)
  },
  flatMap<T>(this: T[], map: (item: T, place: number, all: T[]) => unknown) {
    return flatten(this.map(map), 1)
  },
  toSorted<T>(this: T[], compare?: (a: T, b: T) => number) {
    return this.slice().sort(compare)
  },
})

function flatten(items: unknown[], depth: number): unknown[] {
  const flat: unknown[] = []
  for (const item of items) {
    if (Array.isArray(item) && depth > 0) flat.push(...flatten(item, depth - 1))
    else flat.push(item)
  }
  return flat
}

define(Object, {
  fromEntries<T>(entries: Iterable<[string, T]>) {
    const object: Record<string, T> = {}
    for (const [name, value] of entries) object[name] = value
    return object
  },
  hasOwn: (object: object, name: string) => Object.prototype.hasOwnProperty.call(object, name),
})

define(Map, {
  groupBy<T, K>(items: Iterable<T>, keyOf: (item: T, place: number) => K) {
    const groups = new Map<K, T[]>()
    let place = 0
    for (const item of items) {
      const key = keyOf(item, place++)
      const group = groups.get(key)
      if (group) group.push(item)
      else groups.set(key, [item])
    }
    return groups
  },
})

define(String.prototype, {
  trimStart(this: string) {
    return this.replace(/^\s+/, '')
  },
  /** A pattern has to be global, as for the built-in function. */
  replaceAll(this: string, wanted: string | RegExp, by: string) {
    return typeof wanted === 'string' ? this.split(wanted).join(by) : this.replace(wanted, by)
  },
  matchAll(this: string, pattern: RegExp) {
    const matches: RegExpExecArray[] = []
    const own = new RegExp(pattern.source, pattern.flags)
    for (let match = own.exec(this); match; match = own.exec(this)) {
      if (match[0] === '') own.lastIndex += 1
      matches.push(match)
    }
    return matches
  },
})
