import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && !file.startsWith('client/help/pages/'))

/** Addresses of simulated providers. */
const onlyOfTests = ['DROPBOX_API', 'MAIL_TOKEN_URL']

/** Anchors of the headings of a document, as GitHub makes them. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replace(/\s/g, '-'),
  )

test('links in documents lead to files and headings of the repository', () => {
  const broken = files.flatMap((file) =>
    [...read(file).matchAll(/\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]+))?\)/g)].flatMap(
      ([link, path = '', anchor]) => {
        const target = path === '' ? file : join(dirname(file), path)
        const isFound = existsSync(join(root, target)) && (!anchor || anchorsOf(read(target)).includes(anchor))
        return isFound ? [] : [`${file}: ${link}`]
      },
    ),
  )
  expect(broken).toEqual([])
})

test('npm commands in documents exist', () => {
  const commands = files.flatMap((file) => [...read(file).matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name!))
  expect(commands.length).toBeGreaterThan(5)
  expect(commands.filter((name) => !Object.hasOwn(packageJson.scripts, name))).toEqual([])
})

test('every variable of the server is in the table of deploy/OPERATIONS.md', () => {
  const variables = [...read('server/platform/config.ts').matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name]) => name!)
  expect(variables.length).toBeGreaterThan(10)
  const table = read('deploy/OPERATIONS.md')
  expect(variables.filter((name) => !table.includes(`\`${name}\``) && !onlyOfTests.includes(name))).toEqual([])
})

test('READMEs have at most 60 lines', () => {
  const readmes = files.filter((file) => /(^|\/)README\.md$/.test(file))
  expect(readmes.length).toBeGreaterThan(20)
  const counts = readmes.map((file) => ({ file, lines: read(file).trimEnd().split('\n').length }))
  expect(counts.filter(({ lines }) => lines > 60)).toEqual([])
})
