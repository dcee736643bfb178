import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { installPackage } from './installPackage.js'

/** Debian packages of the shared libraries that our programs need beyond the C library. */
const packages = {
  'libatomic.so.1': 'libatomic1',
  'libgcc_s.so.1': 'libgcc-s1',
  'libstdc++.so.6': 'libstdc++6',
  'libz.so.1': 'zlib1g',
}

/** Libraries that official builds of Node 26 need and those of Node 20 don't. */
export const librariesOfNode = ['libatomic.so.1']

/** @type {Partial<Record<NodeJS.Architecture, string>>} */
const loaders = { x64: '/lib64/ld-linux-x86-64.so.2', arm64: '/lib/ld-linux-aarch64.so.1' }

/**
 * Installs the missing ones of these libraries as root on Debian. Throws with the packages to install if some stay missing.
 * @param {string} program what needs them, for the message
 * @param {readonly string[]} libraries
 */
export function installLibraries(program, libraries) {
  const missing = libraries.filter((name) => !isLoadable(name))
  if (missing.length === 0) return
  const names = missing.map((name) => packages[/** @type {keyof typeof packages} */ (name)] ?? name)
  installPackage(`for ${program}`, ...names)
  if (missing.every(isLoadable)) return
  throw new Error(`${program} needs ${missing.join(', ')}: install the package ${names.join(' ')}`)
}

/**
 * The dynamic loader searches for a library by its name alone. One that it finds is no addon of Node, which fails later.
 * @param {string} name
 */
function isLoadable(name) {
  if (process.platform !== 'linux') return true
  try {
    process.dlopen({ exports: {} }, name)
    return true
  } catch (error) {
    return !String(error).includes('cannot open shared object file')
  }
}

/**
 * Returns the libraries that native programs and addons in a folder need and this machine lacks, as far as `packages` knows
 * them. The dynamic loader lists them, so `ldd` isn't needed.
 * @param {string} folder
 * @returns {string[]}
 */
export function missingLibraries(folder) {
  const loader = loaders[process.arch]
  if (process.platform !== 'linux' || !loader) return []
  const missing = nativeFiles(folder).flatMap((file) => {
    const { stdout } = spawnSync(loader, ['--list', file], { encoding: 'utf8' })
    return [...(stdout ?? '').matchAll(/^\s*(\S+) => not found/gm)].map(([, name = '']) => name)
  })
  return [...new Set(missing)].filter((name) => name in packages)
}

/** @param {string} folder */
function nativeFiles(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /[.](node|so)$|(^|\/)bin\/[^./]+$/.test(path))
    .map((path) => join(folder, path))
}
