import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { newNode, nodePackage, writeNodeManifest } from './nodeRelease.js'

const { name, integrity } = nodePackage ?? expect.unreachable('tests run where there is a package')

/** A registry with a package of this name and version that has another content, and says that its checksum is right. */
async function registryOf(content: string) {
  const folder = mkdtempSync(join(tmpdir(), 'dataintell-registry-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'package/bin'), { recursive: true })
  writeFileSync(join(folder, 'package/package.json'), JSON.stringify({ name, version: newNode }))
  writeFileSync(join(folder, 'package/bin/node'), content)
  execFileSync('tar', ['-czf', 'package.tgz', 'package'], { cwd: folder })
  const archive = readFileSync(join(folder, 'package.tgz'))
  const own = `sha512-${createHash('sha512').update(archive).digest('base64')}`
  const server = createServer(({ url, headers }, response) => {
    if (url?.endsWith('.tgz')) return response.end(archive)
    const dist = { tarball: `http://${headers.host}/${name}.tgz`, integrity: own }
    response.end(JSON.stringify({ name, versions: { [newNode]: { name, version: newNode, dist } } }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void (server.close(), server.closeAllConnections()))
  const install = async (given: { name: string; integrity: string }) => {
    const making = join(folder, 'making')
    writeNodeManifest(making, given)
    const registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const env = { ...process.env, npm_config_registry: registry, npm_config_cache: join(folder, 'cache') }
    const npm = spawn('npm', ['ci', '--prefix', making, '--no-audit', '--no-fund', '--loglevel=error'], { env })
    const [errors] = await Promise.all([text(npm.stderr), text(npm.stdout), once(npm, 'close')])
    return { status: npm.exitCode, errors, program: join(making, 'node_modules', name, 'bin/node') }
  }
  return { own, install }
}

test('a Node that differs from the published one is refused, from any registry', async () => {
  const { own, install } = await registryOf('something else')
  const refused = await install({ name, integrity })
  expect(refused.status).not.toBe(0)
  expect(refused.errors).toContain('EINTEGRITY')
  const { status, program } = await install({ name, integrity: own })
  expect([status, readFileSync(program, 'utf8')]).toEqual([0, 'something else'])
})
