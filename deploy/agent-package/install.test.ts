import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { afterAll, expect, test } from 'vitest'
import { installCommand } from '#events/agents.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { packagedFiles } from './files.ts'

const scratch = testFolder('agent-package')
const installer = join(import.meta.dirname, 'install.sh')
const seed = `SU${'A'.repeat(56)}`
const certificate = '-----BEGIN CERTIFICATE-----\n'
const platform = `${process.platform}-${process.arch}`
const sumOf = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')

/** A package whose agent only writes its environment. */
const packageFile = (() => {
  const root = join(scratch, 'dataintell-agent')
  mkdirSync(root)
  writeFileSync(join(root, 'dataintell-agent'), '#!/bin/sh\nset -a\n. "$1"\nenv\n')
  chmodSync(join(root, 'dataintell-agent'), 0o755)
  execFileSync('tar', ['-czf', 'package.tar.gz', 'dataintell-agent'], { cwd: scratch })
  return readFileSync(join(scratch, 'package.tar.gz'))
})()

const checksums = [`PACKAGE_SHA256=linux-mips:${'0'.repeat(64)}`, `PACKAGE_SHA256=${platform}:${sumOf(packageFile)}`]
const settings = ['AGENT_ID=7', 'NATS_URL=tls://server.example.com:4222', `AGENT_SEED=${seed}`, ...checksums]

const asked: string[] = []
/** Contents that are sent instead of files. */
const replaced = new Map<string, string>()
const server = createServer((req, res) => {
  const { url = '' } = req
  asked.push(url)
  const other = replaced.get(url)
  if (other !== undefined) res.end(other)
  else if (url === '/agent/install.sh') res.end(readFileSync(installer))
  else if (url === `/agent/dataintell-agent-${platform}.tar.gz`) res.end(packageFile)
  else if (url === '/agent/ca.pem') res.end(certificate)
  else res.writeHead(404).end()
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
afterAll(() => void server.close())

/** Runs a command in a folder of its own, with the programs of this machine or only these. */
async function run(args: string[], input: string, programs?: string[]) {
  const path = programs ? folderOf(programs) : process.env['PATH']
  const child = spawn('sh', args, { stdio: ['pipe', 'pipe', 'pipe'], cwd: testFolder(), env: { PATH: path } })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text.toString()))
  // A script that fails before it reads its settings closes its input.
  child.stdin.on('error', () => undefined).end(input)
  const [code] = (await once(child, 'close')) as [number]
  return { code, said }
}

const basics = 'sh env grep cut uname id mkdir mktemp tar gzip mv rm printf cat chmod sed'.split(' ')
/** A folder with links to these programs and those that every machine has. */
function folderOf(programs: string[]): string {
  const folder = testFolder()
  for (const program of [...basics, ...programs]) {
    const found = execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim()
    if (found.startsWith('/')) symlinkSync(found, join(folder, program))
  }
  return folder
}

async function install(
  lines: string[],
  options: string[] = [],
  folder = join(testFolder(), 'agent'),
  programs?: string[],
) {
  const args = [installer, '--server', address, '--folder', folder, '--no-service', ...options]
  return { ...(await run(args, `${lines.join('\n')}\n`, programs)), folder }
}

test('an agent is installed and started with its key in a file that only its user reads', async () => {
  const { code, said, folder } = await install(settings)
  expect(code).toBe(0)
  expect(said).toContain('AGENT_ID=7')
  expect(said).toContain(`AGENT_SEED_FILE=${folder}/agent-7.seed`)
  expect(said).not.toContain(seed)
  expect(readFileSync(join(folder, 'agent-7.seed'), 'utf8')).toBe(`${seed}\n`)
  expect(statSync(join(folder, 'agent-7.seed')).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder).sort()).toEqual(['agent-7.env', 'agent-7.seed', 'dataintell-agent'])
  expect(asked.join()).not.toContain(seed)
})

test('the certificate of the server is used only if it is the one that the command names', async () => {
  const sum = sumOf(certificate)
  const { said, folder } = await install([...settings, `CA_SHA256=${sum}`])
  expect(said).toContain(`NATS_CA=${folder}/agent-7.ca.pem`)
  const other = await install([...settings, `CA_SHA256=${sum.replace(/^./, 'x')}`])
  expect(other.code).toBe(1)
  expect(other.said).toContain('The certificate is not the one that the server named.')
  expect(existsSync(join(other.folder, 'agent-7.seed'))).toBe(false)
  expect(readdirSync(other.folder)).toEqual([])
})

test('an update keeps the other agents of the machine, and a failed one keeps the installed agent', async () => {
  const { folder } = await install(settings, ['--no-start'])
  const second = await install(['AGENT_ID=8', ...settings.slice(1)], ['--no-start'], folder)
  expect(second.said).toContain(`To start the agent: ${folder}/dataintell-agent/dataintell-agent ${folder}/agent-8.env`)
  const failed = await install(settings, ['--server', `${address}/elsewhere`], folder)
  expect(failed.code).toBe(1)
  expect(failed.said).toContain("or can't be reached")
  expect(readdirSync(folder).sort()).toEqual([
    'agent-7.env',
    'agent-7.seed',
    'agent-8.env',
    'agent-8.seed',
    'dataintell-agent',
  ])
})

test('an installed agent is updated with its id alone, and keeps its key', async () => {
  const { folder } = await install(settings, ['--no-start'])
  const update = ['AGENT_ID=7', ...checksums]
  const updated = await install(update, [], folder)
  expect(updated.said).toContain(`AGENT_SEED_FILE=${folder}/agent-7.seed`)
  expect(readFileSync(join(folder, 'agent-7.seed'), 'utf8')).toBe(`${seed}\n`)
  expect((await install(update)).said).toContain('Agent 7 is not installed in')
})

test('a package with another checksum is not unpacked, and the installed agent stays', async () => {
  const { folder } = await install(settings, ['--no-start'])
  const installed = statSync(join(folder, 'dataintell-agent')).ino
  const tampered = settings.map((line) => line.replace(sumOf(packageFile), sumOf('other')))
  const { code, said } = await install(tampered, [], folder)
  expect([code, said.includes('AGENT_ID=7')]).toEqual([1, false])
  expect(said).toContain('The package is not the one of this command')
  expect(statSync(join(folder, 'dataintell-agent')).ino).toBe(installed)
  asked.length = 0
  const unknown = await install(settings.filter((line) => !line.includes(platform)))
  expect(unknown.said).toContain(`The command has no checksum of dataintell-agent-${platform}.tar.gz`)
  expect(asked).toEqual([])
})

const isThere = (program: string) => execFileSync('sh', ['-c', `command -v ${program} || true`]).length > 0
const tools = [
  ['curl', 'sha256sum'],
  ['wget', 'sha256sum'],
  ['curl', 'shasum'],
  ['wget', 'shasum'],
].filter((programs) => programs.every(isThere))
test.each(tools)(
  'the copied command works with %s and %s, and runs no script with another checksum',
  async (...both) => {
    const checksummed = { script: sumOf(readFileSync(installer)), packages: [{ platform, sha256: sumOf(packageFile) }] }
    const agent = { id: 7, natsUrl: 'tls://server.example.com:4222', seed }
    const folder = join(testFolder(), 'agent')
    // An ordinary user has no sudo here.
    const asUser = (text: string) =>
      text.replace('sudo sh', 'sh').replace(" <<'END'", ` --folder ${folder} --no-service <<'END'`)
    const command = asUser(installCommand(agent, checksummed, address))
    replaced.set('/agent/install.sh', '#!/bin/sh\necho the script of a stranger\n')
    const refused = await run(['-c', command], '', both)
    replaced.clear()
    expect(refused).toEqual({
      code: 1,
      said: 'The installer is not the one of this command. Copy the command again.\n',
    })
    const { code, said } = await run(['-c', command], '', both)
    expect([code, said]).toEqual([0, expect.stringContaining('AGENT_ID=7')])
    const update = await run(['-c', asUser(installCommand({ id: 7 }, checksummed, address))], '', both)
    expect([update.code, update.said]).toEqual([0, expect.stringContaining('AGENT_ID=7')])
  },
)

test('a machine without programs for checksums installs nothing', async () => {
  const { code, said, folder } = await install(settings, [], join(testFolder(), 'agent'), [
    isThere('curl') ? 'curl' : 'wget',
  ])
  expect([code, readdirSync(folder)]).toEqual([1, []])
  expect(said).toContain('This machine has neither sha256sum nor shasum')
})

test.each([
  [['NATS_URL=nats://x'], 'AGENT_ID is missing. Copy the whole command.'],
  [['AGENT_ID=7', 'NATS_URL=nats://x; rm -rf /', `AGENT_SEED=${seed}`], 'NATS_URL is missing.'],
  [['AGENT_ID=7', 'NATS_URL=nats://x', 'AGENT_SEED=SU1'], 'AGENT_SEED is missing or incomplete.'],
])('settings such as %j are refused before anything is downloaded', async (lines, message) => {
  asked.length = 0
  const { code, said } = await install(lines)
  expect(code).toBe(1)
  expect(said).toContain(message)
  expect(asked).toEqual([])
})

test('the package has the agent, what it declares and its libraries, and nothing of the server', () => {
  const files = packagedFiles()
  expect(files).toEqual(expect.arrayContaining(['agent/main.ts', 'agent/scan/folders/walker.ts', 'events/agents.ts']))
  expect(files).toContain('node_modules/nats/package.json')
  expect(files.filter((file) => /^(server|client|deploy)\/|\.test\.ts$|\/(testing|simulator)\//.test(file))).toEqual([])
  expect(files.filter((file) => /node_modules\/(react|chdb|express|kysely)\//.test(file))).toEqual([])
})
