import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const page = readFileSync('client/index.html', 'utf8')
const script = readFileSync('client/public/browsers.js', 'utf8')

test('a browser without modules says which browsers are supported', () => {
  const old = new DOMParser().parseFromString(page, 'text/html')
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
  expect(old.getElementById('app')?.textContent).toMatch(/too old.*Chrome or Edge 117, Firefox 119, Safari 17.4/)
  expect(old.querySelector('.stuck')).toBeNull()
})

test('the message is readable by browsers of 2011', () => {
  expect(script).not.toMatch(/=>|\b(const|let|class|async)\b|`|\?\?|\?\./)
})
