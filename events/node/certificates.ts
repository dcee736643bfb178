import { readFileSync, statSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

/** Variables that name further authorities to trust. */
const variables = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'] as const

/** Names of the variables that add authorities. Throws a sentence that names one whose file can't be used. */
export function readCertificates(env: NodeJS.ProcessEnv): string[] {
  return variables.filter((name) => {
    const path = env[name]?.trim()
    if (!path) return false
    if (name === 'SSL_CERT_DIR') checkFolders(path)
    else checkFile(name, path)
    return true
  })
}

/**
 * Trusts the authorities of SSL_CERT_FILE and SSL_CERT_DIR in addition to those built into Node, for all outgoing
 * connections of this process. Node itself reads NODE_EXTRA_CA_CERTS.
 */
export function trustCertificates(names: readonly string[]): void {
  if (!names.some((name) => name.startsWith('SSL_CERT'))) return
  setDefaultCACertificates([...getCACertificates('default'), ...getCACertificates('system')])
}

function checkFile(name: string, path: string): void {
  const text = readText(name, path)
  if (!text.includes('-----BEGIN')) throw new Error(`${name}: ${path} does not contain a certificate`)
}

function checkFolders(paths: string): void {
  if (paths.split(':').some((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory())) return
  throw new Error(`SSL_CERT_DIR: ${paths} is not a folder`)
}

function readText(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`${name}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error })
  }
}
