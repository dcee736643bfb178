import { spawn } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'

const version = '26.10.0'
const platform = `node-${process.platform === 'darwin' && process.arch === 'arm64' ? 'bin-' : ''}${process.platform}-${process.arch}`

/** Like npm, but installs nothing: \`ci\` begins by removing all. Notes its arguments, and what was running at the same time. */
const npm = `#!/bin/sh
echo "$@" >> "$CALLS"
mkdir "$CALLS.running" || echo overlapping >> "$CALLS"
[ "$1" = ci ] && rm -rf node_modules
mkdir -p node_modules/.bin
status=0; [ -e "$CALLS.fail" ] && status=1
rmdir "$CALLS.running"
exit $status
`

/** A checkout that has the Node of an earlier start, and an npm that only notes how it is called. */
function checkout() {
  const folder = mkdtempSync(join(tmpdir(), 'dataintell-bootstrap-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = (place: string) => {
    mkdirSync(dirname(join(folder, place)), { recursive: true })
    return join(folder, place)
  }
  const node = file(`.tools/node-${version}/node_modules/${platform}/bin/node`)
  try {
    linkSync(process.execPath, node)
  } catch {
    copyFileSync(process.execPath, node)
  }
  for (const name of ['bootstrap.js', 'installPackage.js', 'libraries.js', 'lock.js', 'nodeRelease.js'])
    copyFileSync(join(import.meta.dirname, name), file(`deploy/setup/${name}`))
  const changeLockFile = (content: unknown) => writeFileSync(file('package-lock.json'), JSON.stringify(content))
  changeLockFile({})
  writeFileSync(file('bin/npm'), npm)
  chmodSync(file('bin/npm'), 0o755)
  const calls = join(folder, 'calls')
  return {
    changeLockFile,
    hasNodeLink: () => existsSync(join(folder, 'node_modules/.bin/node')),
    failInstalls: () => writeFileSync(`${calls}.fail`, ''),
    repairInstalls: () => rmSync(`${calls}.fail`),
    /** Runs the bootstrap with these arguments. Returns its status and output. */
    async run(...args: string[]) {
      const env = { PATH: `${join(folder, 'bin')}:${process.env['PATH']}`, CALLS: calls }
      const child = spawn(node, ['deploy/setup/bootstrap.js', ...args], { cwd: folder, env })
      const [printed, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
      return { status: child.exitCode, printed, errors }
    },
    /** Calls of npm since the last time. */
    installs() {
      const lines = existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : []
      rmSync(calls, { force: true })
      return lines.map((line) => line.replace(/ --no-audit.*/, ''))
    },
  }
}

test('a start installs the dependencies of the product, tests add the others, and a later start keeps them', async () => {
  const { run, installs } = checkout()
  await run()
  expect(installs()).toEqual(['ci --omit=dev'])
  await run()
  expect(installs()).toEqual([])
  await run('--dev')
  expect(installs()).toEqual(['install --include=dev --no-save'])
  await run()
  await run('--dev')
  expect(installs()).toEqual([])
})

test('an update after the lock file changed keeps dependencies of development and the link to Node', async () => {
  const { run, installs, changeLockFile, hasNodeLink } = checkout()
  await run('--dev')
  expect([installs(), hasNodeLink()]).toEqual([['ci --include=dev'], true])
  changeLockFile({ changed: true })
  await run()
  expect([installs(), hasNodeLink()]).toEqual([['install --include=dev --no-save'], true])
})

test('a failed install is reported in a sentence, and the next start installs from scratch', async () => {
  const { run, installs, failInstalls, repairInstalls } = checkout()
  await run()
  failInstalls()
  const failed = await run('--dev')
  expect(failed).toMatchObject({ status: 1, errors: 'npm install failed. Is the package registry reachable?\n' })
  repairInstalls()
  expect((await run()).status).toBe(0)
  expect(installs()).toEqual(['ci --omit=dev', 'install --include=dev --no-save', 'ci --omit=dev'])
})

test('of three commands at once on an empty checkout one installs, and the others wait', async () => {
  const { run, installs } = checkout()
  const ended = await Promise.all([run('--dev'), run('--dev'), run('--dev')])
  expect(ended.map(({ status }) => status)).toEqual([0, 0, 0])
  expect(installs()).toEqual(['ci --include=dev'])
})

test('prints the size of the download before it starts', async () => {
  const { run } = checkout()
  expect((await run()).printed).toMatch(/^Installing the dependencies, .*\(\d+ MB to download, [\d,]+ MB on disk\)\n/)
})
