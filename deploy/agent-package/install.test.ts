import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { afterAll, expect, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { packagedFiles } from './files.ts'

const scratch = testFolder('agent-package')
const installer = join(import.meta.dirname, 'install.sh')
const seed = `SU${'A'.repeat(56)}`
const certificate = '-----BEGIN CERTIFICATE-----\n'
const settings = ['AGENT_ID=7', 'NATS_URL=tls://server.example.com:4222', `AGENT_SEED=${seed}`]

/** A package whose agent only writes its environment. */
const packageFile = (() => {
  const root = join(scratch, 'dataintell-agent')
  mkdirSync(root)
  writeFileSync(join(root, 'dataintell-agent'), '#!/bin/sh\nset -a\n. "$1"\nenv\n')
  chmodSync(join(root, 'dataintell-agent'), 0o755)
  execFileSync('tar', ['-czf', 'package.tar.gz', 'dataintell-agent'], { cwd: scratch })
  return readFileSync(join(scratch, 'package.tar.gz'))
})()

const asked: string[] = []
const server = createServer((req, res) => {
  asked.push(req.url ?? '')
  const isKnown = req.url === `/agent/dataintell-agent-${process.platform}-${process.arch}.tar.gz`
  if (isKnown) res.end(packageFile)
  else if (req.url === '/agent/ca.pem') res.end(certificate)
  else res.writeHead(404).end()
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
afterAll(() => void server.close())

async function install(lines: string[], options: string[] = [], folder = join(testFolder(), 'agent')) {
  const args = [installer, '--server', address, '--folder', folder, '--no-service', ...options]
  const child = spawn('sh', args, { stdio: ['pipe', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text.toString()))
  child.stdin.end(`${lines.join('\n')}\n`)
  const [code] = (await once(child, 'close')) as [number]
  return { code, said, folder }
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
  const sum = createHash('sha256').update(certificate).digest('hex')
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
