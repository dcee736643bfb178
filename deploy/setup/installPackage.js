import { spawnSync } from 'node:child_process'
import { withLock } from './lock.js'

/** Only root gets here, so the folder is root's. */
const lockFile = '/var/lib/dataintell/packages.lock'

/**
 * Installs packages with Debian's apt-get, one process of this machine at a time. Only root can: otherwise, and on other
 * systems, it does nothing. Callers check whether what they need is there afterwards.
 * @param {string} why purpose and size, printed before the download
 * @param {...string} names
 */
export function installPackage(why, ...names) {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return
  console.log(`Installing ${names.join(' ')} ${why}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  withLock(
    lockFile,
    () => {},
    (lock) => {
      /** @type {import('node:child_process').StdioOptions} */
      const stdio = ['ignore', 'ignore', 'ignore', lock]
      spawnSync('apt-get', ['-qq', 'update'], { env, stdio })
      const args = ['-qq', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=600', 'install', ...names]
      spawnSync('apt-get', args, { env, stdio })
    },
  )
}
