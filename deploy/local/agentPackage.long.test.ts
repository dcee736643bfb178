import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { AgentInfo, installCommand, Installer, NewAgent } from '#events/agents.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { makeTree } from './testing/tree.ts'
import { patient, startWithTls } from './testing/agentsByTls.ts'

const { scratch, product, call, newestScan } = await startWithTls()
const { files } = makeTree(join(scratch, 'tree'), 2_000)
const home = testFolder('other-machine')
let agent: ReturnType<typeof spawn> | undefined
/** The shell starts the agent, so all processes of the group end. */
afterAll(() => {
  if (agent?.pid) process.kill(-agent.pid, 'SIGTERM')
})

test('the copied command alone installs an agent in an empty folder, which connects by TLS and scans', async () => {
  const added = NewAgent.parse(await call('POST', '/servers', { name: 'far' }))
  expect(added.caSha256).toMatch(/^[0-9a-f]{64}$/)
  // Both start the same build.
  const [checksums, same] = await Promise.all(
    [1, 2].map(async () => Installer.parse(await call('GET', `/servers/${added.id}/installer`))),
  )
  expect([checksums, checksums?.packages.map(({ platform }) => platform)]).toEqual([
    same,
    [`${process.platform}-${process.arch}`],
  ])
  const command = installCommand(added, checksums!, product.address)
  const [shown = ''] = command.split("<<'END'")
  expect(shown).not.toContain(added.seed)
  // An ordinary user has no sudo here, and the installed agent stays in this terminal.
  const asUser = command.replace('sudo sh', 'sh').replace(" <<'END'", ` --folder ${home}/agent --no-service <<'END'`)
  agent = spawn('sh', ['-c', asUser], {
    cwd: home,
    env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: home },
    stdio: 'ignore',
    detached: true,
  })
  const state = async () =>
    AgentInfo.array()
      .parse(await call('GET', '/v1/servers/infos'))
      .find(({ id }) => id === added.id)?.state
  await expect.poll(state, { timeout: 300_000, interval: 1_000 }).toBe('active')
  const volumeId = await product.addStorage({ name: 'films', path: join(scratch, 'tree'), server: { id: added.id } })
  await call('POST', '/v1/scans/volumes/ids', [volumeId])
  await expect.poll(() => newestScan(volumeId), patient).toMatchObject({ state: 'done', files })
}, 500_000)

test('files of the package need no sign-in, and others are not there', async () => {
  const get = (path: string) => fetch(`${product.address}/agent/${path}`)
  expect(await (await get('install.sh')).text()).toContain('#!/bin/sh')
  expect(await (await get('ca.pem')).text()).toContain('BEGIN CERTIFICATE')
  for (const path of ['dataintell-agent-linux-mips.tar.gz', '..%2Fkeys%2Fsecret.key', 'package.ts'])
    expect((await get(path)).status).toBe(404)
})
