import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { withLock } from './lock.js'
import { findOrInstall, type Tool } from './tool.ts'

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dataintell-tool-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** A tool that is a file in the folder; each install adds a line to it. */
const fileTool = (folder: string): Tool & { program: string } => {
  const program = join(folder, 'program')
  return {
    program,
    name: 'the tool',
    find: () => (existsSync(program) ? program : undefined),
    install: () => appendFileSync(program, 'installed\n'),
    help: 'The tool was not found: install the package tool',
  }
}

/** A Node process that runs this with `folder` declared; `output` is what it printed by its end. */
function start(folder: string, script: string) {
  const imports = `
    import { appendFileSync, existsSync, writeSync } from 'node:fs'
    import { spawnSync } from 'node:child_process'
    import { withLock } from ${JSON.stringify(import.meta.resolve('./lock.js'))}
    import { findOrInstall } from ${JSON.stringify(import.meta.resolve('./tool.ts'))}
    const folder = ${JSON.stringify(folder)}
    `
  const args = ['--input-type=module', '--eval', imports + script]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, output: text(child.stdout) }
}

test('of three processes at once that lack a tool one installs it, and all get it', async () => {
  const folder = emptyFolder()
  const script = `
    const program = folder + '/program'
    const tool = {
      name: 'the tool', help: 'help',
      find: () => existsSync(program) ? program : undefined,
      install: () => { spawnSync('sleep', ['0.3']); appendFileSync(program, 'installed ') },
    }
    console.log(findOrInstall(tool, folder))`
  const outputs = await Promise.all([1, 2, 3].map(() => start(folder, script).output))
  expect(outputs.map((output) => output.trim().split('\n').at(-1))).toEqual(Array(3).fill(join(folder, 'program')))
  expect(readFileSync(join(folder, 'program'), 'utf8')).toBe('installed ')
})

test('a tool that is there is not installed', () => {
  const tool = fileTool(emptyFolder())
  writeFileSync(tool.program, '')
  expect(findOrInstall({ ...tool, install: () => expect.unreachable() }, emptyFolder())).toBe(tool.program)
})

test('a tool that can not be installed is named with the package to install', () => {
  const folder = emptyFolder()
  expect(() => findOrInstall({ ...fileTool(folder), install: () => {} }, folder)).toThrow(
    'The tool was not found: install the package tool',
  )
})

test('the lock of a process that was killed is free', async () => {
  const folder = emptyFolder()
  const { child } = start(
    folder,
    `
    const forever = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    withLock(folder + '/lock', () => {}, () => { writeSync(1, 'held'); forever() })`,
  )
  const [held] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  expect(String(held)).toBe('held')
  child.kill('SIGKILL')
  await once(child, 'exit')
  const onWait = () => expect.unreachable()
  expect(withLock(join(folder, 'lock'), onWait, () => 'locked')).toBe('locked')
})
