import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import type { Endpoint } from '#events/contract/endpoint.ts'
import { readContract } from '#deploy/openapi/contract.ts'
import { exampleOf } from '#deploy/openapi/exampleOf.ts'
import { openApi } from '#deploy/openapi/openApi.ts'
import { namedSchemas } from '#deploy/openapi/schemas.ts'
import { callName } from '#deploy/openapi/summaries.ts'
import { commandsOf } from './calls.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { findConnection, retryUntilAvailable, saveProfile, send } from './connection.ts'
import { requestInput } from './forms/call.ts'
import { reportNamed } from './forms/work.ts'
import { main } from './main.ts'
import { type CallCommand, callOptions, findCommand, globalOptions, type Option, readOptions } from './options.ts'
import { jsonText, shellText, writeRows } from './output.ts'

const contract = await readContract()
const commands = commandsOf(contract)
const { paths } = openApi(contract.calls, namedSchemas(new Map(), {}))

type Parameter = { name: string; in: string; required: boolean; example: unknown }
type Operation = { operationId: string; parameters: Parameter[] }

/** The operation of a call in the API reference. References to shared parameters are resolved by the document of the call alone. */
function operationOf(endpoint: Endpoint): Operation {
  const alone = openApi([endpoint], namedSchemas(new Map(), {})).paths
  return Object.values(Object.values(alone)[0] ?? {})[0] as Operation
}

const commandOf = (endpoint: Endpoint): CallCommand => commands.find(({ call }) => call === callName(endpoint))!
const namesIn = (command: CallCommand, place: Option['place']) =>
  command.options.flatMap((option) => (option.place === place ? [option.field] : [])).toSorted()

test('every declared call has one command with the name of the API reference', () => {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods) as Operation[])
  expect(commands.map(({ name }) => name).toSorted()).toEqual(
    operations.map(({ operationId }) => operationId).toSorted(),
  )
  expect(commands.map(({ call }) => call).toSorted()).toEqual(contract.calls.map(callName).toSorted())
})

test('the options of a command are the parameters of its call, and no two have the same name', () => {
  for (const endpoint of contract.calls) {
    const command = commandOf(endpoint)
    const { parameters } = operationOf(endpoint)
    for (const place of ['path', 'query'] as const) {
      const declared = parameters.filter((one) => one.in === place)
      expect([command.call, namesIn(command, place)]).toEqual([
        command.call,
        declared.map(({ name }) => name).toSorted(),
      ])
      const required = command.options.filter((option) => option.place === place && option.isRequired)
      expect(required.map(({ name }) => name)).toEqual(declared.filter((one) => one.required).map(({ name }) => name))
    }
    const fields = Object.keys(bodyOf(endpoint))
    expect([command.call, namesIn(command, 'body')]).toEqual([command.call, expect.arrayContaining(fields)])
    const names = [...command.options, ...callOptions, ...globalOptions].map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  }
})

/** The example of a body, without fields of the record that the call accepts and ignores. */
function bodyOf(endpoint: Endpoint): Record<string, unknown> {
  const example = exampleOf(endpoint)
  const kept = endpoint.body?.parse(example)
  if (typeof kept !== 'object' || kept === null || Array.isArray(example)) return {}
  return Object.fromEntries(Object.entries(example as object).filter(([field]) => field in kept))
}

test('the examples of the API reference, written as options, are the same request that its call accepts', () => {
  for (const endpoint of contract.calls) {
    const command = commandOf(endpoint)
    const body = bodyOf(endpoint)
    const examples = operationOf(endpoint).parameters.flatMap((one) => (one.in === 'header' ? [] : [one]))
    const written = [
      ...examples
        .filter(({ required }) => required)
        .flatMap(({ name, in: place, example }) => wordsOf(command, place, name, example)),
      ...Object.entries(body).flatMap(([field, value]) => wordsOf(command, 'body', field, value)),
    ]
    const { values } = readOptions([...command.options, ...globalOptions], written)
    const { params, query, fields } = requestInput(command, values)
    expect(endpoint.params?.safeParse(params).error).toBeUndefined()
    expect(endpoint.query?.safeParse(query).error).toBeUndefined()
    const writable = Object.keys(body).filter((field) => wordsOf(command, 'body', field, body[field]).length > 0)
    expect([command.call, Object.keys(fields).toSorted()]).toEqual([command.call, writable.toSorted()])
    const read = endpoint.body?.parse(exampleOf(endpoint))
    expect([command.call, fields && endpoint.body?.parse(withFields(exampleOf(endpoint), fields))]).toEqual([
      command.call,
      read,
    ])
  }
})

const withFields = (body: unknown, fields: object) => (Array.isArray(body) ? body : { ...(body as object), ...fields })

/** Options of a field with its value; null and empty lists can't be written as an option. */
function wordsOf({ options }: CallCommand, place: string, field: string, value: unknown): string[] {
  const option = options.find((one) => one.place === place && one.field === field)!
  if (value === null || (option.isList && (value as unknown[]).length === 0)) return []
  if (option.kind === 'flag') return [`--${String(value) === 'true' ? '' : 'no-'}${option.name}`]
  const items = option.isList ? [value].flat() : [value]
  return items.map((item) => `--${option.name}=${option.kind === 'json' ? JSON.stringify(item) : String(item)}`)
}

test('options may be written in several ways, and mistakes are named', () => {
  const { options } = commands.find(({ call }) => call === 'GET /files/search')!
  const read = (...words: string[]) => readOptions([...options, ...globalOptions], words).values
  expect(
    read('--last-access-after', '2026-01-01', '--onlyDuplicates=false', '--extension', 'mov', '--extension=mp4'),
  ).toEqual({
    lastAccessAfter: '2026-01-01',
    onlyDuplicates: false,
    extension: ['mov', 'mp4'],
  })
  expect(read('--no-only-duplicates')).toEqual({ onlyDuplicates: false })
  expect(() => read('--accessAfter', '1')).toThrow('Unknown option --accessAfter. Did you mean --lastAccessAfter?')
  expect(() => read('-q')).toThrow('Unknown option -q. Add --help')
  expect(() => read('--owner')).toThrow('argument missing')
  expect(findCommand(['--json', '--profile', 'x', 'search', 'a'])).toEqual({
    name: 'search',
    rest: ['--json', '--profile', 'x', 'a'],
  })
})

// As in github.com/restic/restic/issues/2260 and github.com/sleuthkit/sleuthkit/issues/2056.
test('a name on a terminal is quoted as by ls, and has no control characters', async () => {
  const names = [
    'plain.mov',
    'two words',
    "it's",
    'new\nline',
    '\u001b[31mred',
    "both '\n",
    'tab\there',
    '$HOME',
    'Ü 日本.txt',
    'a&b',
    'c\u009bd',
    '"',
    '\'"',
    'a=b',
    '~x',
    'x#',
  ]
  const { stdout } = spawnSync('bash', ['-c', 'eval "printf \'%s\\0\' $(cat)"'], {
    input: names.map(shellText).join(' '),
  })
  expect(String(stdout).split('\0').slice(0, -1)).toEqual(names)
  for (const name of names) expect(shellText(name) + jsonText(name)).not.toMatch(/[\p{Cc}]/u)
  // A name with both kinds of quotes may be written in two ways.
  const known = names.slice(0, 8).filter((name) => !name.startsWith('both'))
  const listed = spawnSync(
    'bash',
    ['-c', 'd=$(mktemp -d); cd "$d"; xargs -0 touch; ls --quoting-style=shell-escape -U1 | sort; rm -r "$d"'],
    {
      input: known.join('\0'),
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    },
  )
  expect(String(listed.stdout).trim().split('\n').sort()).toEqual(known.map(shellText).sort())
  expect(shellText('stray\uefff')).toBe("'stray'$'\\377'")
  const written = new PassThrough()
  await writeRows(written, [{ name: '=1+1', size: -1, tags: ['a', 'b'] }], 'csv', ['name', 'size', 'tags'], false)
  expect(await text(written.end())).toBe('name,size,tags\r\n\'=1+1,-1,"[""a"",""b""]"\r\n')
  expect(JSON.parse(jsonText({ name: 'c\u009bd\u2028' }))).toEqual({ name: 'c\u009bd\u2028' })
})

test('an output file keeps its mode and the links to it, and a device stays one', async () => {
  const folder = testFolder('output')
  const [file, link, sink] = ['file', 'link', 'sink'].map((name) => join(folder, name)) as [string, string, string]
  writeFileSync(file, 'before')
  symlinkSync(file, link)
  symlinkSync('/dev/null', sink)
  chmodSync(file, 0o666)
  const stderr = new PassThrough()
  const terminal = { stdin: process.stdin, stdout: new PassThrough(), stderr, env: {} }
  for (const output of [link, sink, join(folder, 'new')])
    expect(await main(['completion', 'bash', '--output', output], terminal, { calls: commands, version: '' })).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe(readFileSync(join(folder, 'new'), 'utf8'))
  expect(statSync(file).mode & 0o777).toBe(0o666)
  expect([link, sink].map((path) => lstatSync(path).isSymbolicLink())).toEqual([true, true])
  expect(readdirSync(folder).toSorted()).toEqual(['file', 'link', 'new', 'sink'])
})

test('a busy server is tried again, and an address that redirects or serves pages is named', async () => {
  const answers: [number, Record<string, string>, string][] = [
    [503, { 'retry-after': '0' }, '{}'],
    [200, {}, '[1]'],
    [302, { location: 'https://sso.example.com/' }, ''],
    [200, { 'content-type': 'text/html' }, '<html>'],
  ]
  const server = createServer((_, response) => {
    const [status, headers, body] = answers.shift()!
    response.writeHead(status, { ...headers, connection: 'close' }).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const connection = { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 'secret' }
  const ask = () => send(connection, { method: 'GET', path: '/v1/storages' })
  expect(await (await ask()).json()).toEqual([1])
  await expect(ask()).rejects.toThrow('redirects to https://sso.example.com/')
  await expect(ask()).rejects.toThrow('answered with a web page')
  answers.push([429, { 'retry-after': '0' }, '{}'], [200, {}, '[2]'], [503, { 'retry-after': '0' }, '{}'])
  const post = (path: string) => send(connection, { method: 'POST', path, body: [] })
  expect(await (await post('/v1/search?size=1')).json()).toEqual([2])
  await expect(post('/v1/scans/storages')).rejects.toThrow('answered with 503')
  const notes: string[] = []
  const patiently = () => retryUntilAvailable(ask, (text) => notes.push(text), 1)
  answers.push([502, { 'content-type': 'text/html' }, '<html>'], [503, {}, '{}'], [200, {}, '[3]'], [403, {}, '{}'])
  expect(await (await patiently()).json()).toEqual([3])
  await expect(patiently()).rejects.toThrow('answered with 403')
  expect(notes).toEqual([`${connection.server} answered with 502. Trying again for 5 minutes.`])
  server.close()
  await once(server, 'close')
  const unreachable = retryUntilAvailable(ask, (text) => notes.push(text), 100)
  await vi.waitFor(() => expect(notes[1]).toMatch("can't be reached"))
  answers.push([200, {}, '[4]'])
  server.listen(Number(new URL(connection.server).port), '127.0.0.1')
  expect(await (await unreachable).json()).toEqual([4])
  server.close()
})

test('a token belongs to the place that names the server', () => {
  const env = { DATAINTELL_SERVER: 'https://one.example.com/files/', DATAINTELL_TOKEN: 'secret' }
  expect(findConnection({}, env)).toEqual({ server: 'https://one.example.com/files', token: 'secret' })
  expect(() => findConnection({}, { HOME: '/nowhere', DATAINTELL_TOKEN: 'secret' })).toThrow('No server is known')
  expect(() => findConnection({ profile: 'two' }, { ...env, HOME: '/nowhere' })).toThrow('There is no profile two')
  expect(() => findConnection({ server: 'https://two.example.com' }, env)).toThrow(
    'is for https://one.example.com/files. For https://two.example.com, add --token-file',
  )
  expect(findConnection({ server: 'one.example.com/files' }, env).token).toBe('secret')
  expect(findConnection({ server: 'two.example.com' }, { DATAINTELL_TOKEN: 'secret\n' }).token).toBe('secret')
  const twoLines = { ...env, DATAINTELL_TOKEN: 'secret\nother' }
  expect(() => findConnection({}, twoLines)).toThrow(/^DATAINTELL_TOKEN must have one API token, without .* again\.$/)
  expect(() => saveProfile('7', findConnection({}, env), env)).toThrow("7 can't be the name of a profile")
})

test('a report is found by its exact name, then by its number, and several of a name are refused', () => {
  const all = [
    { id: 1, name: 'Old' },
    { id: 2, name: '1' },
    { id: 3, name: 'Old' },
  ]
  expect([reportNamed(all, '1').id, reportNamed(all, '3').id]).toEqual([2, 3])
  expect(() => reportNamed(all, 'Old')).toThrow('Several reports are named Old. Run one by its number: 1, 3.')
  expect(() => reportNamed(all, 'old')).toThrow('There is no report old.')
})
