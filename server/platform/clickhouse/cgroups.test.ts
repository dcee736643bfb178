import { execFileSync, spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'

const canHideCgroups = spawnSync('unshare', ['--mount', 'true']).status === 0

test('the engine prints nothing on a machine without cgroups', ({ skip }) => {
  skip(!canHideCgroups, 'only root on Linux can hide cgroups from a process')
  const start = `import { openEmbedded } from ${JSON.stringify(import.meta.resolve('./embedded.ts'))}
    await openEmbedded(${JSON.stringify(testFolder('chdb'))}).close()`
  const args = ['-c', 'mount -t tmpfs none /sys && exec "$0" "$@"', process.execPath, '--input-type=module', '--eval']
  const printed = execFileSync('sh', ['-c', 'unshare --mount sh "$@" 2>&1', 'sh', ...args, start], {
    encoding: 'utf8',
  })
  expect(printed).toBe('')
})
