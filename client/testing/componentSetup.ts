import { format } from 'node:util'
import { configure } from '@testing-library/dom'
import { afterAll, afterEach, beforeEach, vi } from 'vitest'
import { closePage } from './render.tsx'

/** Size of every element in pixels. There is no layout here, and tables and charts render only what fits. */
const room = { width: 1_000, height: 600 }

for (const side of ['Width', 'Height'] as const)
  for (const kind of ['offset', 'client'] as const)
    Object.defineProperty(HTMLElement.prototype, `${kind}${side}`, {
      configurable: true,
      get: () => (side === 'Width' ? room.width : room.height),
    })

const measure = HTMLElement.prototype.getBoundingClientRect
HTMLElement.prototype.getBoundingClientRect = function () {
  return this.classList.contains('recharts-responsive-container')
    ? new DOMRect(0, 0, room.width, room.height)
    : measure.call(this)
}

// Auto-sizing text areas listen to font loading.
Object.defineProperty(document, 'fonts', { configurable: true, value: new EventTarget() })

// Style sheets are not loaded, so only inline styles count. A real cascade would take most of a test's time.
globalThis.getComputedStyle = (element, pseudo) =>
  pseudo ? document.createElement('i').style : (element as HTMLElement).style

configure({ asyncUtilTimeout: 20_000, getElementError: (message) => new Error(message?.split('\n\n')[0]) })

const complaints: unknown[][] = []
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation((...args) => void complaints.push(args))
})
afterEach(() => {
  closePage()
  const [first] = complaints.splice(0)
  if (first) throw new Error(`console.error: ${format(...first)}`)
})

// A part that is still loading when its file ends would stay broken for the files after it.
afterAll(() => vi.dynamicImportSettled())
