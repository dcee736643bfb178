import { expect, test } from 'vitest'
import { findingsIn } from './words.ts'

const messages = (text: string) => findingsIn(text).map(({ line, message }) => `${line}: ${message}`)

test('a comment may not start with a question word', () => {
  expect(messages('/** What a scan reads. */\nconst a = 1\n')).toEqual(['1: starts with "What": name the thing'])
  expect(messages('const a = 1\n/**\n * Whether it is open.\n */\n')).toEqual([
    '3: starts with "Whether": name the thing',
  ])
  expect(messages('// Scans of storages\n// which have no agent\n')).toEqual([])
  expect(messages('/** Whatsoever. */ /** Scope of a scan. */')).toEqual([])
})

test('phrases to avoid are found in comments, over line breaks too', () => {
  expect(messages('const a = 1 // reads it anew\n')).toEqual(['1: "anew" → again, from scratch'])
  expect(messages('/**\n * Files that are kept as\n * it is. Nobody reads.\n */\n')).toEqual([
    '2: "as it is" → unchanged, current',
    '3: "Nobody" → no one, anyone who, any',
  ])
})

test('legitimate uses of a phrase are allowed', () => {
  const fine = [
    'Reports progress as it is written.',
    'Two files, of which one is open.',
    'A field meant for tests.',
    'UTC stands for nothing.',
    'Sorts as usual.',
    'There are none of them.',
    'Relies on standard order.',
    'Calls `told` and `asked`.',
  ]
  expect(messages(fine.map((line) => `/** ${line} */\n`).join(''))).toEqual([])
})

test('strings, templates, regular expressions and addresses are not comments', () => {
  const code = [
    "const a = 'nobody // anew'",
    'const b = `anew /* told */ ${a}`',
    "const c = /['`/*] told/",
    'const d = <p>https://told.example</p>',
    "const e = 'x' // Sorted by size.",
  ]
  expect(messages(code.join('\n'))).toEqual([])
})

test('types are nouns', () => {
  expect(messages('type Asked = string\nexport interface HowAsked {}\nclass Words extends Error {}\n')).toEqual([
    '1: type Asked: name it with a noun',
    '2: type HowAsked: name it with a noun',
    '3: type Words: name it with a noun',
  ])
  expect(messages('type WordList = 1\ntype WhereClause = 2\ntype Whole = 3\ntype ReadPage = 4\n')).toEqual([])
  expect(messages("const type = 1\nconst a = { type: Found }\nimport { type Given } from 'x'\n")).toEqual([])
})

test('limits begin with max or min', () => {
  expect(messages('const mostRows = 5\nconst longest = 10\n')).toEqual([
    '1: mostRows: begin the name with max or min',
    '2: longest: begin the name with max or min',
  ])
  expect(messages('const maxRows = 5\nconst mostly = 1\nconst almost = 1\n')).toEqual([])
})

test('durations name their unit', () => {
  expect(messages('const lookEvery = 60 * 1_000\nconst patience = 5_000\nconst a = { again: 100 }\n')).toEqual([
    '1: lookEvery: end the name with its unit, as in lookEveryMs',
    '2: patience: end the name with its unit, as in patienceMs',
    '3: again: end the name with its unit, as in againMs',
  ])
  const fine = ['const everyMs = 5', 'const textFor = format(5)', 'call({ timeout: 5_000 })', 'const isAfter = a > 5']
  expect(messages(fine.join('\n'))).toEqual([])
})

test('titles of tests are checked, and may not start with What or Who', () => {
  expect(messages("test('what is told', () => {})\n")).toEqual(['1: starts with "what": say what the code does'])
  expect(messages("describe.skip('a page is no answer', () => {})\ntest.each([1])('%i comes twice', check)\n")).toEqual(
    ['1: "is no" → isn\'t a X, has no X', '2: "comes" → arrives, follows, is sent'],
  )
  expect(messages("test('a link comes from a page that is no longer there, if there is no other', check)\n")).toEqual(
    [],
  )
})

test('texts of the product are checked, and those of tests are not', () => {
  const text = "const text = 'A scan goes on anew'\nconst sql = sql`SELECT a FROM b WHERE nobody goes on`\n"
  expect(messages(text)).toEqual(['1: "goes on" → continues, resumes', '1: "anew" → again, from scratch'])
  expect(findingsIn(text, 'server/scanning/scans.test.ts')).toEqual([])
})

test('documents are checked, except for blocks of code', () => {
  const text = '# Scans\n\nNobody reads them any more.\n\n```\nnobody goes on\n```\n\nUse `nobody`.\n'
  expect(findingsIn(text, 'README.md').map(({ line }) => line)).toEqual([3, 3])
})

test('texts of screens and of the help have one name for each thing', () => {
  const found = (text: string, path: string) => findingsIn(text, path).map(({ message }) => message)
  const message = '"Indexing date" is a second name: snapshot'
  expect(found("export const title = 'Indexing date'\n", 'client/folders/title.ts')).toEqual([message])
  expect(found('# Dates\n\nIndexing date\n', 'client/help/pages/dates.md')).toEqual([message])
  expect(found('// Indexing date\n', 'client/folders/title.ts')).toEqual([])
  expect(found("const empty = 'There is no data for this indexing date.'\n", 'client/folders/title.ts')).toEqual([])
})
