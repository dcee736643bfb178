import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const pages = {
  'client/index.html': /too old.*Chrome or Edge 117, Firefox 119, Safari 17.4, or a newer/,
  'client/wall.html': /too old.*Chrome or Edge 63, Firefox 60, Safari 12, or a newer/,
}
const script = readFileSync('client/public/browsers.js', 'utf8')

test.each(Object.entries(pages))('a browser without modules says which browsers %s supports', (file, message) => {
  const old = new DOMParser().parseFromString(readFileSync(file, 'utf8'), 'text/html')
  const files = [...old.querySelectorAll('script[nomodule]')].map((script) => script.getAttribute('src'))
  expect(files).toEqual(['/browsers.js'])
  // Runs the file as such a browser does, in a page of its own.
  const ready: (() => void)[] = []
  new Function('document', script)({
    addEventListener: (_: string, run: () => void) => ready.push(run),
    createElement: (name: string) => old.createElement(name),
    createTextNode: (text: string) => old.createTextNode(text),
    getElementById: (id: string) => old.getElementById(id),
  })
  for (const run of ready) run()
  expect(old.getElementById('app')?.textContent).toMatch(message)
  expect(old.querySelector('.stuck')).toBeNull()
})

test('the message is readable by browsers of 2011', () => {
  expect(script).not.toMatch(/=>|\b(const|let|class|async)\b|`|\?\?|\?\./)
})
