/**
 * Removes from a page what browsers of 2019 lack: Chromium 63, Firefox 60 or Safari 12. Runs in the page, before its
 * scripts. Functions of a current browser that a test uses itself stay.
 */
export function removeNewer(): void {
  const remove = (on: object, ...names: string[]) => names.forEach((name) => Reflect.deleteProperty(on, name))
  remove(Array.prototype, 'at', 'flat', 'flatMap', 'toSorted', 'toReversed', 'toSpliced', 'with', 'findLast')
  remove(Array.prototype, 'findLastIndex')
  remove(Array, 'fromAsync')
  remove(Object, 'fromEntries', 'hasOwn', 'groupBy')
  remove(Map, 'groupBy')
  remove(String.prototype, 'at', 'replaceAll', 'matchAll', 'trimStart', 'trimEnd', 'isWellFormed', 'toWellFormed')
  remove(Promise, 'any', 'allSettled', 'withResolvers', 'try')
  remove(Symbol.prototype, 'description')
  remove(Element.prototype, 'replaceChildren', 'getAnimations', 'checkVisibility')
  remove(Document.prototype, 'replaceChildren', 'startViewTransition', 'getAnimations')
  remove(URLSearchParams.prototype, 'size')
  remove(URL, 'canParse', 'parse')
  remove(Crypto.prototype, 'randomUUID')
  remove(Navigator.prototype, 'wakeLock', 'locks', 'scheduling')
  remove(Intl, 'Segmenter', 'ListFormat', 'RelativeTimeFormat', 'PluralRules', 'DisplayNames', 'DurationFormat')
  remove(globalThis, 'structuredClone', 'queueMicrotask', 'reportError', 'requestIdleCallback', 'scheduler', 'BigInt')
  remove(globalThis, 'AbortController', 'AbortSignal', 'ResizeObserver', 'WeakRef', 'FinalizationRegistry', 'Iterator')
  remove(globalThis, 'BroadcastChannel', 'ScrollTimeline', 'Temporal', 'navigation', 'trustedTypes')
  ignoreOptions()
  remove(self, 'globalThis')

  /** Options that such browsers ignore, and patterns that they refuse. */
  function ignoreOptions() {
    const { addEventListener } = EventTarget.prototype
    EventTarget.prototype.addEventListener = function (type, listener, options) {
      const { signal: _, ...known } = typeof options === 'object' ? options : { capture: options === true }
      addEventListener.call(this, type, listener, known)
    }
    const formats = Intl.DateTimeFormat
    Intl.DateTimeFormat = new Proxy(formats, {
      construct(format, [locale, { dateStyle: _, timeStyle: __, ...known } = {} as Intl.DateTimeFormatOptions]) {
        return new format(locale, known)
      },
    })
    const { fetch } = window
    window.fetch = (address, init) => fetch(address, { credentials: 'omit', ...init, signal: null })
    const refuse = (pattern: unknown) => {
      if (/\(\?<|\\p\{/.test(String(pattern))) throw new SyntaxError(`Invalid regular expression: ${pattern}`)
    }
    const patterns = RegExp
    window.RegExp = new Proxy(patterns, {
      construct: (made, args: [string]) => (refuse(args[0]), new made(...args)),
      apply: (made, _, args: [string]) => (refuse(args[0]), made(...args)),
    })
  }
}
