import { spawnSync } from 'node:child_process'

/** Has Debian install a package, as root; else, and on other systems, nothing happens. */
export function installPackage(name: string): void {
  if (process.getuid?.() !== 0) return
  const apt = (...words: string[]) =>
    spawnSync('apt-get', ['-qq', ...words], { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
  apt('update')
  apt('install', '-y', '--no-install-recommends', name)
}
