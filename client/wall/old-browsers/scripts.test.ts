import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { createContext, runInContext } from 'node:vm'
import { type Node, parse } from 'acorn'
import { expect, test } from 'vitest'
import { builtWall, nodesOf, readAsIn2018 } from '#client/wall/testing/builtWall.ts'

const { scripts, styles } = await builtWall()
const nodes = scripts.flatMap((script) => nodesOf(readAsIn2018(script)))
const builtIns = readFileSync('client/wall/old-browsers/builtIns.ts', 'utf8')

/** Functions and options that are newer than the browsers, or that one of them lacks. */
const newer = new Set(
  (
    'at flat flatMap toSorted toReversed toSpliced findLast findLastIndex fromAsync fromEntries hasOwn groupBy ' +
    'replaceAll matchAll trimStart trimEnd isWellFormed toWellFormed allSettled withResolvers structuredClone ' +
    'queueMicrotask reportError globalThis AbortController AbortSignal ResizeObserver BigInt WeakRef FinalizationRegistry ' +
    'replaceChildren randomUUID throwIfAborted getAnimations checkVisibility startViewTransition requestIdleCallback ' +
    'Segmenter ListFormat RelativeTimeFormat PluralRules DisplayNames BroadcastChannel canParse dateStyle timeStyle ' +
    'notation signDisplay unitDisplay fractionalSecondDigits formatRange formatToParts'
  ).split(' '),
)

/** Used by libraries only where the browser has them, or in parts that the wall doesn't run. */
const optional = ['queueMicrotask', 'canParse', 'reportError', 'allSettled', 'getAnimations', 'startViewTransition']

/** Text of a string, or of a part of a template. */
const textOf = (value: unknown): string => (value as { cooked?: string } | undefined)?.cooked ?? String(value)

/** Names of built-in functions and options in a script: of members, keys of objects, and global names. */
function namesIn(): Set<string> {
  const names = new Set<string>()
  for (const node of nodes) {
    const { type, property, computed, key } = node as typeof node & {
      property: { name: string }
      key: { name: string }
    }
    if (type === 'MemberExpression' && !computed) names.add(property.name)
    if (type === 'Property' && !computed) names.add(key.name)
    if (type === 'Identifier') names.add((node as unknown as { name: string }).name)
  }
  return names
}

test('every script that the wall loads is readable by browsers of 2018', () => {
  expect(scripts.map(({ name }) => name.replace(/-.{8}\./, '-….'))).toEqual([
    '/scheme.js',
    '/browsers.js',
    '/assets/wall-….js',
  ])
  // Patterns are read when a script is loaded: Firefox 60 has no named groups, look-behind or letters by property.
  const patterns = nodes.flatMap(({ regex }) => (regex as { pattern: string; flags: string } | undefined) ?? [])
  expect(patterns.length).toBeGreaterThan(20)
  for (const { pattern, flags } of patterns) parse(`/${pattern}/${flags}`, { ecmaVersion: 2017 })
})

test('no pattern that is built when the script is loaded is refused by such browsers', () => {
  // The build turns literals that are too new for its target into `RegExp('…')`.
  const atLoad = scripts.flatMap((script) => nodesOf(readAsIn2018(script), /Function/))
  const texts = atLoad.flatMap((node) => {
    const call = node as unknown as { callee?: { name?: string }; arguments: [Node] }
    return call.callee?.name === 'RegExp' ? nodesOf(call.arguments[0]).map(({ value }) => textOf(value)) : []
  })
  expect(texts.filter((text) => /\(\?<|\\p\{/i.test(text))).toEqual([])
})

test('it is one file, because Firefox 60 has no dynamic imports', () => {
  const imports = nodes.filter(({ type }) => /^Import|^Export.*From|^MetaProperty/.test(type))
  expect(imports).toEqual([])
})

test('every newer function that it uses is defined for browsers that lack it', () => {
  const used = [...namesIn()].filter((name) => newer.has(name) && !optional.includes(name))
  const own = new Set(builtIns.match(/\b[a-zA-Z]+\b/g))
  expect(used.filter((name) => !own.has(name))).toEqual([])
})

/** A context without the functions, to which those of the wall are added. */
function oldContext() {
  const context = createContext({ AbortController: undefined, AbortSignal: undefined })
  runInContext(
    `var self = this
    for (const name of ['at', 'flat', 'flatMap', 'toSorted']) delete Array.prototype[name]
    for (const name of ['fromEntries', 'hasOwn']) delete Object[name]
    for (const name of ['replaceAll', 'matchAll', 'trimStart']) delete String.prototype[name]
    delete Map.groupBy`,
    context,
  )
  runInContext(stripTypeScriptTypes(builtIns), context)
  return context
}

test.each([
  '[1, 2, 3].at(-1)',
  '[1, 2, 3].at(0)',
  '[].at(-1)',
  '[1, [2, [3, [4]]]].flat()',
  '[1, [2, [3, [4]]]].flat(2)',
  '[1, 2].flatMap((n) => [n, [n]])',
  '[3, 1, 2].toSorted()',
  '(() => { const a = [3, 1]; a.toSorted((x, y) => x - y); return a })()',
  "Object.fromEntries([['a', 1], ['b', 2]])",
  "Object.fromEntries(new Map([['a', 1]]))",
  "[Object.hasOwn({ a: 1 }, 'a'), Object.hasOwn({ a: 1 }, 'toString')]",
  "[...Map.groupBy(['a', 'bb', 'c'], (word) => word.length)]",
  "'a.b.c'.replaceAll('.', '-')",
  "'*a*'.replaceAll(/^\\*|\\*$/g, '')",
  "[...'{{a}} {{b}}'.matchAll(/\\{\\{(\\w)\\}\\}/g)].map(([, name]) => name)",
  "[...'ab'.matchAll(/x*/g)].map(({ index }) => index)",
  "' \\n a '.trimStart()",
])('the same as in a current browser: %s', (code) => {
  const plain = (context: ReturnType<typeof createContext>) => runInContext(`JSON.stringify(${code}) ?? ''`, context)
  expect(plain(oldContext())).toBe(plain(createContext()))
})

const css = () => styles.map(({ text }) => text).join('\n')

test('its styles have only at-rules, functions and selectors of 2018', () => {
  const withoutMedia = css().replaceAll(/@media[^{]*/g, '@media')
  const words = (pattern: RegExp) => [...new Set([...withoutMedia.matchAll(pattern)].map(([, word]) => word))].sort()
  expect(words(/@([a-z-]+)/g)).toEqual(['font-face', 'keyframes', 'media'])
  // `tech` is meant to keep older browsers from the font.
  const functions = ['calc', 'format', 'minmax', 'scaleX', 'tech', 'translate', 'translateX', 'url', 'var']
  expect(words(/[\s:,(/)]([a-zA-Z-]+)\(/g)).toEqual(functions)
  expect(words(/:([a-z-]+)[^{};]*\{/g)).toEqual(['after', 'before', 'empty', 'root'])
  expect(css()).not.toContain('&')
})

test('its styles have no properties and units that are newer, such as gaps of flexible boxes', () => {
  const properties = new Set([...css().matchAll(/[{;]([a-z-]+):/g)].map(([, name = '']) => name))
  const tooNew =
    /^(inset.*|gap|row-gap|column-gap|aspect-ratio|translate|scale|rotate|container.*|text-wrap.*|(margin|padding|border)-(inline|block).*|content-visibility)$/
  expect([...properties].filter((name) => tooNew.test(name))).toEqual([])
  expect(properties).toContain('grid-gap')
  expect(css()).not.toMatch(/\d(dvh|svh|lvh|dvw|cqw|cqi|lh|rlh)\b/)
})
