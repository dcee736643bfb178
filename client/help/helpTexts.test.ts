import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { settingsPageNames, settingsPages } from '#client/app/place/settingsPages.ts'
import { helpContents, helpOfScreen } from './helpContents.ts'
import { readHelpText } from './markdownPages.ts'

const root = join(import.meta.dirname, '../..')
const read = (pattern: string) =>
  globSync(pattern, { cwd: root })
    .filter((file) => !/test|^client\/help\//.test(file))
    .map((file) => readFileSync(join(root, file), 'utf8'))

const pages = globSync('*.md', { cwd: join(import.meta.dirname, 'pages') }).map((file) => ({
  name: basename(file, '.md'),
  ...readHelpText(readFileSync(join(import.meta.dirname, 'pages', file), 'utf8')),
}))
const namesOfPages = pages.map(({ name }) => name).sort()

/** Decoded contents of all elements with this tag in all pages, with the page. */
const elements = (tag: string) =>
  pages.flatMap(({ name, html }) =>
    [...html.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))].map(([, text = '']) => [name, text] as const),
  )
const linked = pages.flatMap(({ name, html }) =>
  [...html.matchAll(/href="([^"]+)"/g)].map(([, address = '']) => [name, address] as const),
)
const routes = [
  ...read('client/screens.tsx')
    .join('')
    .matchAll(/^ {2}\['([^']+)',/gm),
].map(([, path = '']) => path)

test('the table of contents has every page once', () => {
  expect(helpContents.flatMap(({ pages }): string[] => [...pages]).sort()).toEqual(namesOfPages)
})

test('every name in bold is a text of the screens', () => {
  const texts = [...read('client/**/*.{ts,tsx}'), ...read('events/**/*.ts')].join('\n')
  const isShown = (name: string) => {
    const pattern = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+')
    return new RegExp(`['"\`>]\\s*${pattern}\\s*['"\`<{$]|^\\s*${pattern}\\s*$`, 'm').test(texts)
  }
  expect(elements('strong').filter(([, name]) => !isShown(name))).toEqual([])
})

test('every link leads to a screen, a page of the help or the API reference', () => {
  const isKnown = (address: string) =>
    routes.includes(address) ||
    settingsPageNames.some((page) => settingsPages[page].path === address) ||
    address === '/api/docs' ||
    (address.startsWith('/help/') && namesOfPages.includes(address.slice('/help/'.length)))
  expect(linked.length).toBeGreaterThan(20)
  expect(linked.filter(([, address]) => !isKnown(address))).toEqual([])
})

test('every screen has a page of the help', () => {
  const screens = routes.filter((path) => !path.startsWith('/help')).map((path) => path.replace(/:\w+/, '7'))
  expect(screens.length).toBeGreaterThan(15)
  expect(screens.filter((path) => helpOfScreen(path) === undefined)).toEqual([])
  expect(helpOfScreen('/settings/schedules')).toBe('schedule-scans')
  expect(helpOfScreen('/settings/mail')).toBe('alerts-and-mail')
  expect(helpOfScreen('/settings/walls')).toBe('wall-display')
  expect(helpOfScreen('/nowhere')).toBeUndefined()
})

test('a page without a title is refused', () => {
  expect(() => readHelpText('No title')).toThrow('starts with a title')
  expect(readHelpText('# Disks & tapes\n\n**A** &lt; `b`\n')).toMatchObject({ title: 'Disks & tapes', text: 'A < b' })
})
