import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { commandLinePath } from '#events/users/apiTokens.ts'
import { copyMigratedEngine, testDatabaseUrl, testFolder } from '#server/platform/testing/stores.ts'
import { exampleOf } from '#deploy/openapi/exampleOf.ts'
import { reports } from '#events/reports/calls.ts'
import { type Product, startProduct } from '#deploy/local/testing.ts'
import { diskUsage, shell } from '#deploy/local/testing/mountedDisks.ts'

/*
 * The command line against a running product, as a newcomer has it: downloaded into an empty folder. Answers are compared with those of
 * the API, sizes with `du`, and paths with `find`.
 */

const scratch = testFolder('commandLine')
const [home, media, copies] = ['home', 'media', 'copies'].map((name) => join(scratch, name)) as [string, string, string]
const program = join(home, 'dataintell')
const examples = join(import.meta.dirname, '../../examples')
const manyFiles = 300
let product: Product
let reader: string
let signedIn: { code: number; stderr: string }

/** Names with a line break, an escape, quotes and a byte that isn't UTF-8; hard links, a sparse file, a deep folder, and many files. */
const tree = String.raw`
  mkdir -p aurora "two words" links many temporary; cd aurora
  head -c 3000000 /dev/urandom > 'old, large.mov'; touch -d 2019-01-01 'old, large.mov'; cp -p 'old, large.mov' ../temporary
  printf x > "$(printf 'new\nline\033[31m.txt')"; printf x > "$(printf 'stray\377.txt')"; printf x > "it's \"quoted\".txt"
  truncate -s 200M sparse.raw; ln sparse.raw ../links/sparse.raw; head -c 9000 /dev/urandom > hard; ln hard ../links/hard; ln hard ../links/again
  mkdir -p "$(printf 'odd\ndir')/in" "$(printf 'd/%.0s' $(seq 40))"; head -c 5000 /dev/urandom > "$(printf 'odd\ndir')/in/file"
  cd ../many; for n in $(seq ${manyFiles}); do : > "file $n"; done`

beforeAll(async () => {
  for (const folder of [home, media, copies]) mkdirSync(folder)
  shell(`cd ${media}; ${tree}; cp -p '${media}/aurora/old, large.mov' ${copies}`)
  const data = join(scratch, 'data')
  await copyMigratedEngine(join(data, 'clickhouse'))
  product = await startProduct(data, { environment: { DATABASE_URL: await testDatabaseUrl() } })
  await product.addStorage({ name: 'Media', path: media })
  await product.addStorage({ name: 'Cold store', path: copies })
  reader = await token('Reader', [])
  writeFileSync(program, await (await fetch(product.address + commandLinePath)).text(), { mode: 0o755 })
  signedIn = await run(['login', product.address], { input: await token('Admin', ['ROLE_ADMIN']) })
}, 300_000)
afterAll(() => product?.stop())

async function token(name: string, roles: string[]): Promise<string> {
  const { answer } = await product.call('POST', '/v1/apiTokens', { name, roles, days: 1 })
  return (answer as { token: string }).token
}

type Running = { input?: string; env?: NodeJS.ProcessEnv }
const environment = (env: NodeJS.ProcessEnv = {}) => ({
  PATH: `${home}:${process.env['PATH']}`,
  HOME: home,
  LC_ALL: 'C.UTF-8',
  ...env,
})

async function start(file: string, args: readonly string[], { input = '', env }: Running = {}) {
  const child = spawn(file, args, { cwd: home, env: environment(env) })
  child.stdin.on('error', () => {}).end(input)
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: code as number, stdout, stderr }
}
const run = (args: readonly string[], running?: Running) => start(program, args, running)
const inShell = (script: string, running?: Running) => start('bash', ['-c', script], running)

/** Rows of a command in a pipe. */
async function rowsOf<Row = Record<string, unknown>>(...args: string[]): Promise<Row[]> {
  const { code, stdout, stderr } = await run(args)
  expect([code, stderr]).toEqual([0, ''])
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Row)
}

const api = async <Answer>(path: string): Promise<Answer> => (await product.call('GET', path)).answer as Answer
type List<Row = Record<string, unknown>> = { elements: Row[] }

test('a scan is started by name and waited for, and everything on the screens is a command', async () => {
  expect(signedIn).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Signed in to http.* as admin/) })
  const [job] = await rowsOf('scan', 'Media', 'Cold store', '--wait')
  expect(job).toMatchObject({ status: 'SUCCESS', storages: [{ name: 'Media' }, { name: 'Cold store' }] })
  expect(await api(`/v1/jobs/${job?.['id']}`)).toMatchObject(job ?? {})
  expect(await rowsOf('storages')).toMatchObject(await api<object[]>('/v1/storages/overview'))
  expect(await rowsOf('jobs')).toEqual((await api<List>('/v1/jobs')).elements)
  expect(await rowsOf('ls', 'Media:/aurora', '--sort', 'size')).toEqual(await contents('sort=size&direction=asc'))
  expect(await rowsOf('top', 'Media', '--by', 'extension')).toEqual(
    await api('/files/search/fields?fieldName=extension&size=20&storageAndPath=1:/'),
  )
  expect(await rowsOf('duplicates')).toEqual(
    (await api<List>('/files/search?onlyDuplicates=true&sort=duplicateSet')).elements,
  )
  expect(await rowsOf('compare', 'Media', '2026-01-01')).toEqual(
    (await api<List>('/v1/comparisons/2026-01-01/groups?storageId=1&size=1000')).elements,
  )
  const found = await rowsOf('search', 'size>1mb', 'modified<now-2y', 'storage:"Cold store"')
  expect(found).toEqual(
    (await api<List>(`/files/search?minimumSize=1&minimumSizeUnit=MB&lastModifiedBefore=now-2y&storageId=2`)).elements,
  )
  expect(found).toHaveLength(1)
  expect(
    await rowsOf('search', '--where', 'Extension is mov AND NOT Storage = "Cold store"', '--totals'),
  ).toMatchObject([{ count: 2 }])
  const hash = String(found[0]?.['identificationHash'])
  const has = await rowsOf('whohas', join(media, 'aurora/old, large.mov'))
  expect(has.map(({ path }) => path).toSorted()).toEqual(
    (await api<List>(`/files/hash/${hash}`)).elements.map(({ fullPath }) => fullPath).toSorted(),
  )
})

async function contents(order: string): Promise<object[]> {
  const parts = ['folders', 'files'].map((part) =>
    api<List>(`/v1/directories/contents/${part}?path=/aurora&storageId=1&showHiddenDirectories=true&${order}`),
  )
  return (await Promise.all(parts)).flatMap(({ elements }) => elements)
}

test('du is as GNU du for every folder of an odd tree, on disk and apparent, to any depth', async () => {
  const folders = shell(`find ${media} -type d -print0`).split('\0').slice(0, -1)
  const sizesOf = async (...args: string[]) =>
    new Map(
      (await rowsOf<{ bytes: number; path: string }>('du', '--json', ...args)).map(({ bytes, path }) => [path, bytes]),
    )
  const [onDisk, apparent] = [await sizesOf(media), await sizesOf('-b', media)]
  expect([...onDisk.keys()].toSorted()).toEqual(folders.toSorted())
  for (const folder of folders.filter((path) => !path.includes('/d/d/d'))) {
    const expected = [diskUsage([folder]), diskUsage([folder], '--apparent-size')]
    expect([folder, onDisk.get(folder), apparent.get(folder)]).toEqual([folder, ...expected])
  }
  expect((await run(['du', '-d1', media])).stdout.split('\n')).toHaveLength(shell(`du -d1 ${media}`).split('\n').length)
  expect((await run(['du', '-0s', media])).stdout).toBe(`${diskUsage([media])}\t${media}\0`)
})

// As in github.com/BurntSushi/ripgrep/issues/2583.
test('paths that end with NUL are the bytes of the disk, also for xargs', async () => {
  const listed = await inShell(
    `dataintell search storage:Media -0 | LC_ALL=C sort -z | sha256sum; find ${media} -type f -print0 | LC_ALL=C sort -z | sha256sum`,
  )
  const [own, found] = listed.stdout.split('\n')
  expect(own).toBe(found)
  const counted = await inShell(`dataintell search 'storage:Media in:/aurora' -0 | xargs -0 stat --format=%s | wc -l`)
  expect(counted.stdout.trim()).toBe(shell(`find ${media}/aurora -type f -printf x | wc -c`).trim())
})

// As in github.com/heroku/toolbelt/issues/164 and github.com/Backblaze/B2_Command_Line_Tool/issues/1071.
test('a reader that has enough ends the command quietly', async () => {
  // If the pipe holds all events before `head` ends, it is the next event that can't be written.
  let later = 0
  const events = setInterval(() => void token(`Later ${later++}`, []), 2_000)
  const ended = await inShell(
    'set -o pipefail; dataintell search storage:Media | head -1 | wc -l; dataintell watch --after 0 | head -1 | wc -l',
  ).finally(() => clearInterval(events))
  expect(ended).toEqual({ code: 0, stdout: '1\n1\n', stderr: '' })
})

// As in github.com/minio/mc/issues/2715 and github.com/pgsty/mc/issues/29.
test('in a pipe each line is one JSON object, wherever --json is, and nothing else is in the output', async () => {
  const [before, after, none] = [await run(['--json', 'jobs']), await run(['jobs', '--json']), await run(['jobs'])]
  expect([before, after]).toEqual([none, none])
  expect(
    none.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).status),
  ).toEqual(['SUCCESS'])
  const csv = await run(['search', 'in:/aurora ext:mov', '--csv'])
  expect(csv.stdout).toMatch(
    /^size,lastModified,lastAccess,owner,fullPath\r\n3000000,2019-01-01T[^,]*,[^,]*,\w+,"[^"]*old, large.mov"\r\n$/,
  )
})

// As in github.com/rclone/rclone/issues/7817 and github.com/minio/mc/issues/3951.
test('exit codes and messages say what failed and what to do', async () => {
  const asReader = { env: { DATAINTELL_SERVER: product.address, DATAINTELL_TOKEN: reader } }
  const missing = join(scratch, 'missing')
  mkdirSync(missing)
  await product.addStorage({ name: 'Missing', path: missing })
  rmSync(missing, { recursive: true })
  const cases: [number, string, string[], Running?][] = [
    [2, 'There is no command serch. Did you mean', ['serch']],
    [2, "accessed>1x isn't a filter", ['search', 'accessed>1x']],
    [2, 'Unknown option --ownr', ['search', '--ownr', 'ana']],
    [2, 'Write: dataintell ls PATH.', ['ls']],
    [
      2,
      'allocatedSize must be greater than 0',
      ['call', 'postProjects', '--name', 'x', '--description', '', '--allocatedSize', '0', '--paths', '[]'],
    ],
    [2, 'Expected AND or OR', ['search', '--where', 'Size > 1 GB Owner']],
    [3, "You don't have permission to do this", ['scan', 'Media'], asReader],
    [3, 'This API token is unknown', ['storages'], { env: { ...asReader.env, DATAINTELL_TOKEN: 'wrong' } }],
    [3, 'No API token is set', ['storages', '--server', product.address]],
    [4, 'There is no storage Nothing. "dataintell storages" lists them.', ['scan', 'Nothing']],
    [4, 'There is no folder Media:/nothing in the snapshot', ['ls', 'Media:/nothing']],
    [4, 'There is no file or folder', ['whohas', 'Media:/aurora/nothing']],
    [4, 'There is no project Nothing', ['project', 'Nothing']],
    [4, 'There is no job 999', ['call', 'getV1JobsId', '999']],
    [5, 'ended with FAILURE', ['scan', 'Missing', '--wait']],
    [5, 'ended with WARNING', ['scan', 'Cold store', 'Missing', '--wait']],
    [1, "can't be reached", ['storages'], { env: { ...asReader.env, DATAINTELL_SERVER: 'http://127.0.0.1:9' } }],
  ]
  for (const [code, message, args, running] of cases) {
    const ended = await run(args, running)
    expect([args.join(' '), ended.code, ended.stderr]).toEqual([args.join(' '), code, expect.stringContaining(message)])
    expect(ended.stderr).toMatch(/^dataintell: /)
  }
  expect((await inShell('dataintell scan Missing --wait 2>&1 | true; echo "${PIPESTATUS[0]}"')).stdout).toBe('5\n')
})

test('a token is read from a file that only its user can read, and never sent to another server', async () => {
  const file = join(home, 'token')
  writeFileSync(file, `${reader}\n`, { mode: 0o644 })
  const env = { DATAINTELL_SERVER: product.address, DATAINTELL_TOKEN_FILE: file }
  expect(await run(['storages'], { env })).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(`chmod 600 '${file}'`),
  })
  chmodSync(file, 0o600)
  expect((await run(['storages'], { env })).stdout).toBe((await run(['storages'])).stdout)
  expect((await run(['storages'], { env: { ...env, DATAINTELL_TOKEN: reader } })).stderr).toMatch('are both set')
  expect(shell(`stat --format=%a ${home}/.config/dataintell/default.token`).trim()).toBe('600')
})

test('a report runs by its name, and a call has its body from a file, from options or from the standard input', async () => {
  const draft = {
    ...(exampleOf(reports.create) as object),
    name: 'Copies',
    parameters: { references: [{ id: 1, type: 'VOLUME' }], comparison: [{ id: 2, type: 'VOLUME' }] },
  }
  const made = await run(['call', 'postV1ReportsTemplates', '--body', '-', '--name', 'Both'], {
    input: JSON.stringify(draft),
  })
  expect(JSON.parse(made.stdout)).toMatchObject({ name: 'Both' })
  const [job] = await rowsOf('report', 'run', String(JSON.parse(made.stdout).id), '--wait')
  expect(job).toMatchObject({ status: 'SUCCESS' })
  expect(await rowsOf('report')).toEqual((await api<List>('/v1/reports/templates')).elements)
  await run(['call', 'GET /files/search/csv', '--search', 'large', '-o', 'found.csv'])
  expect(readFileSync(join(home, 'found.csv'), 'utf8')).toMatch('old, large.mov')
  const failed = await run(['call', 'getV1ProjectsIdStatementsMonthCsv', '99', '2026-01', '-o', 'none.csv'])
  expect([failed.code, readdirSync(home).filter((name) => name.startsWith('none.csv'))]).toEqual([4, []])
  expect((await rowsOf('call', 'getV1Jobs', '--size', '1', '--all')).length).toBeGreaterThan(1)
})

test('a terminal gets tables in which no name acts on it', async () => {
  const lines = ['ls Media:/aurora', 'search storage:Media', 'search in:/aurora --csv', 'call getFilesSearchCsv']
  const typed = `dataintell ${lines.join('; dataintell ')}`
  const { stdout } = await start('script', ['-qec', typed, '/dev/null'])
  expect(stdout).toMatch(/^ +SIZE +FILES +LAST MODIFIED +OWNER +NAME\r\n/)
  expect(stdout).toMatch(String.raw`'new'$'\n''line'$'\033''[31m.txt'`)
  expect(stdout).toMatch(String.raw`'stray'$'\377''.txt'`)
  expect(stdout).toMatch('The first 100. Add --limit N for more')
  expect(stdout).not.toContain('\u001b')
})

test('shells complete commands, options, choices and calls', async () => {
  const words = async (...typed: string[]) => (await run(['complete', '--', ...typed])).stdout.split('\n')
  expect(await words('')).toEqual(expect.arrayContaining(['search', 'call']))
  expect(await words('search', '--')).toEqual(expect.arrayContaining(['--owner', '--limit', '--json']))
  expect(await words('call', 'get')).toEqual(expect.arrayContaining(['getV1Storages']))
  expect(await words('call', 'getV1Jobs', '--statuses', '')).toContain('RUNNING')
  const completed = await inShell(
    `source <(dataintell completion bash); COMP_WORDS=(dataintell search --onlyD); COMP_CWORD=2; _dataintell; echo "\${COMPREPLY[@]}"`,
  )
  expect(completed.stdout).toBe('--onlyDuplicates\n')
  for (const shell of ['zsh', 'fish'])
    expect((await run(['completion', shell])).stdout).toMatch('dataintell complete --')
})

test('the examples work', async () => {
  const paths = [{ volumeId: 1, path: '/aurora' }]
  await product.call('POST', '/projects', { name: 'Aurora', description: '', allocatedSize: 1e9, paths })
  expect(await rowsOf('project')).toMatchObject([{ name: 'Aurora' }])
  const month = new Date().toISOString().slice(0, 7)
  const readme = readFileSync(join(examples, 'README.md'), 'utf8').replaceAll('2026-10', month)
  const lines = [...readme.matchAll(/^dataintell .*/gm)].map(([line]) => line)
  expect(lines).toHaveLength(4)
  await vi.waitFor(async () => expect((await inShell(lines[2]!)).stderr).toBe(''), 60_000)
  const ended = await inShell(`set -euo pipefail; ${lines.join('\n')}`)
  expect([ended.code, ended.stderr]).toEqual([0, ''])
  expect(ended.stdout).toMatch(/^size,.*\r\n3000000,[^]*"status":"SUCCESS"[^]*\ttotal\n$/)
  expect(readFileSync(join(home, `Aurora-${month}.csv`), 'utf8')).toMatch('Media')
  expect((await rowsOf('project', 'Aurora'))[0]).toMatchObject({ fullPath: join(media, 'aurora') })
  const nightly = (storage: string) => start('bash', [join(examples, 'nightly.sh'), storage, home])
  expect(await nightly('Media')).toMatchObject({ code: 0, stderr: '' })
  expect(readFileSync(join(home, `old-${shell('date +%F').trim()}.csv`), 'utf8')).toMatch('3000000,2019')
  expect(await nightly('Nothing')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no storage Nothing.'),
  })
})
