import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const version = '26.10.0'
const platform = `node-${process.platform === 'darwin' && process.arch === 'arm64' ? 'bin-' : ''}${process.platform}-${process.arch}`

/** A checkout in which an earlier start brought a Node, and an npm that installs nothing, as it does into an empty folder. */
function checkout() {
  const folder = mkdtempSync(join(tmpdir(), 'dataintell-bootstrap-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = (place: string) => {
    mkdirSync(dirname(join(folder, place)), { recursive: true })
    return join(folder, place)
  }
  const brought = file(`.tools/node-${version}/node_modules/${platform}/bin/node`)
  try {
    linkSync(process.execPath, brought)
  } catch {
    copyFileSync(process.execPath, brought)
  }
  copyFileSync(join(import.meta.dirname, 'bootstrap.js'), file('deploy/local/bootstrap.js'))
  writeFileSync(file('package-lock.json'), '{}')
  writeFileSync(file('bin/npm'), '#!/bin/sh\nrm -rf node_modules && mkdir -p node_modules/.bin\n')
  chmodSync(file('bin/npm'), 0o755)
  return { folder, brought, link: join(folder, 'node_modules/.bin/node') }
}

test('the Node that was brought is still found after other dependencies were installed with it', () => {
  const { folder, brought, link } = checkout()
  const begin = () =>
    spawnSync(brought, ['deploy/local/bootstrap.js'], {
      cwd: folder,
      env: { PATH: `${join(folder, 'bin')}:${process.env['PATH']}` },
    }).status
  expect([begin(), existsSync(link)]).toEqual([0, true])
  writeFileSync(join(folder, 'package-lock.json'), '{ "changed": true }')
  expect([begin(), existsSync(link)]).toEqual([0, true])
})
