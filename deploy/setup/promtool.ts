import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram, type Tool, toolsFolder } from './tool.ts'

const folder = join(toolsFolder, 'prometheus')
const unpacked = join(folder, 'usr/bin/promtool')

/** The checks of Prometheus, from its Debian package. Only that is unpacked: installing it would start a server. */
export const promtool: Tool = {
  name: 'promtool',
  find: () => findProgram(unpacked) ?? findProgram('promtool'),
  install: unpackPrometheus,
  help: 'promtool was not found: install the package prometheus, or put promtool on the PATH',
}

function unpackPrometheus(): void {
  if (spawnSync('apt-get', ['--version']).status !== 0) return
  console.log('Unpacking promtool of the package prometheus for the tests of metrics (19 MB to download)')
  const download = mkdtempSync(join(tmpdir(), 'dataintell-prometheus-'))
  const run = (program: string, args: string[]) => spawnSync(program, args, { cwd: download, stdio: 'ignore' })
  try {
    // The lists of packages may be missing, and only root can read them again.
    if (run('apt-get', ['-qq', 'download', 'prometheus']).status !== 0) {
      run('apt-get', ['-qq', 'update'])
      run('apt-get', ['-qq', 'download', 'prometheus'])
    }
    for (const file of readdirSync(download)) run('dpkg-deb', ['--extract', file, folder])
  } finally {
    rmSync(download, { recursive: true, force: true })
  }
}
