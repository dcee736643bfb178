import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, symlink, unlink } from 'node:fs/promises'
import { statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { register } from 'prom-client'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openLog } from './logger.ts'

test('log entries are lines of JSON in a file of the day, without secrets', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dataintell-log-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const log = openLog(join(folder, 'logs'))
  log.info(
    { user: 'ana', password: 'pass-1', body: { token: 'pass-2' }, req: { headers: { cookie: 'pass-3' } } },
    'hello',
  )
  log.error({ err: Object.assign(new Error('broken'), { code: 'X1' }) }, 'a call failed')
  const lines = await vi.waitFor(async () => {
    const [file] = await readdir(join(folder, 'logs'))
    expect(file).toMatch(/^server\.\d{4}-\d\d-\d\d\.1\.log$/)
    const text = await readFile(join(folder, 'logs', file!), 'utf8')
    expect(text.split('\n')).toHaveLength(3)
    const modes = [join(folder, 'logs'), join(folder, 'logs', file!)].map((path) => statSync(path).mode & 0o777)
    expect(modes).toEqual([0o700, 0o600])
    return text
  }, 10_000)
  expect(lines).not.toContain('pass-')
  const [hello, failed] = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(hello).toMatchObject({ level: 30, msg: 'hello', user: 'ana', password: '[secret]' })
  expect(failed).toMatchObject({ level: 50, err: { message: 'broken', code: 'X1', stack: expect.any(String) } })
})

test('with LOG_STDOUT lines are also printed, as containers expect', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dataintell-log-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const program = `import { openLog } from ${JSON.stringify(import.meta.resolve('./logger.ts'))}
    openLog(${JSON.stringify(folder)}).info({ password: 'pass-1' }, 'hello')
    setTimeout(() => {}, 1_000)`
  const args = ['--input-type=module', '--eval', program]
  const printed = (LOG_STDOUT: string) =>
    execFileSync(process.execPath, args, { env: { ...process.env, LOG_STDOUT }, encoding: 'utf8' })
  expect(JSON.parse(printed('true'))).toMatchObject({ msg: 'hello', password: '[secret]' })
  expect(printed('')).toBe('')
})

test('a log on a full disk loses lines, counts them, and continues when there is space', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dataintell-log-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, `server.${new Date().toLocaleDateString('sv-SE')}.1.log`)
  await symlink('/dev/full', file)
  const log = openLog(folder, 100)
  const lost = async () => (await register.getSingleMetric('dataintell_log_lines_lost_total')!.get()).values[0]!.value
  await vi.waitFor(async () => {
    log.info('nowhere to go')
    expect(await lost()).toBeGreaterThan(0)
  }, 10_000)
  await unlink(file)
  await vi.waitFor(async () => {
    log.info('space again')
    const lines = (await readFile(file, 'utf8')).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).msg)).toContain('space again')
    expect(JSON.parse(lines[0]!)).toMatchObject({
      level: 40,
      lost: expect.any(Number),
      error: expect.stringMatching(/ENOSPC/),
    })
  }, 10_000)
})
