import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { buildClient } from '#deploy/local/buildClient.ts'

const sheet = (name: string) => readFileSync(createRequire(import.meta.url).resolve(`@mantine/core/${name}`), 'utf8')
const classesIn = (text: string) => new Set(text.match(/\bm_[\da-f]+\b/g))
const built = (ending: string) =>
  globSync(`client/dist/assets/*.${ending}`)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')

test('each component of Mantine that is used has its styles, and none that is not', async () => {
  await buildClient(() => {})
  const ofMantine = classesIn(sheet('styles.layer.css'))
  const used = [...classesIn(built('js'))].filter((name) => ofMantine.has(name))
  const styled = classesIn(built('css'))
  expect(used.length).toBeGreaterThan(50)
  expect(used.filter((name) => !styled.has(name))).toEqual([])
  const named = [...readFileSync('client/ui/theme/mantine.css', 'utf8').matchAll(/core\/(.+?)'/g)]
  const unused = named.filter(([, name = '']) => {
    const classes = [...classesIn(sheet(name))]
    return classes.length > 0 && !classes.some((name) => used.includes(name))
  })
  expect(unused.map(([, name]) => name)).toEqual([])
})
