import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const files = (pattern: string) =>
  globSync(pattern, { exclude: ['client/dist/**'] }).map((file) => readFileSync(file, 'utf8'))
const names = (texts: string[], pattern: RegExp) =>
  new Set(texts.flatMap((text) => [...text.matchAll(pattern)].flatMap(([, found = '']) => found.trim().split(/\s+/))))

const sheet = readFileSync('client/ui/layout/layout.css', 'utf8')
const declared = names([sheet], /^\.([a-z][\w-]*)/gm)
const composed = names(files('client/**/*.module.css'), /composes: (.*) from global/g)
const markup = files('client/**/*.tsx')
const written = names(markup, /className="([^"]+)"/g)

test('markup and modules name only classes that exist', () => {
  expect([...composed, ...written].filter((name) => !declared.has(name))).toEqual([])
})

test('every class is used', () => {
  const isListed = (text: string) =>
    text
      .trim()
      .split(/\s+/)
      .every((name) => declared.has(name))
  const strings = markup.flatMap((text) =>
    [...text.matchAll(/['`}]([a-z0-9 -]+)['`$]/g)].map(([, found = '']) => found),
  )
  const used = new Set([
    ...composed,
    ...written,
    ...strings.filter(isListed).flatMap((text) => text.trim().split(/\s+/)),
  ])
  expect([...declared].filter((name) => !used.has(name))).toEqual([])
})
