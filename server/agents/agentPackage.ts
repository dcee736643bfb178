import { spawn } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Router } from 'express'
import type { Config } from '#server/config.ts'
import type { Platform } from '#server/platform/platform.ts'
import { Problem } from '#server/platform/problem.ts'

const source = join(import.meta.dirname, '../../deploy/agent-package')
const packageName = /^dataintell-agent-(?:linux|darwin)-(?:x64|arm64)\.tar\.gz$/
const ownPackage = `dataintell-agent-${process.platform}-${process.arch}.tar.gz`

/**
 * Files that install an agent on another machine: the installer, the package of a platform, and the certificate to trust.
 * They need no sign-in, because they contain no secret. The package for the server's own platform is built at its first
 * download; those for others are copied to `agent-package/` in the data folder.
 */
export function agentPackage({ config, log }: Pick<Platform, 'config' | 'log'>): Router {
  const folder = join(config.data, 'agent-package')
  const build = buildOnce(folder, log)
  const router = Router()
  router.use((_, res, next) => void (res.set('Cache-Control', 'no-store'), next()))
  router.get('/install.sh', (_, res) => void res.type('text/x-shellscript').sendFile(join(source, 'install.sh')))
  router.get('/ca.pem', (_, res) => {
    const certificate = trustedCertificate(config)
    if (certificate === undefined) throw new Problem(404, 'Agents need no certificate of this server')
    res.type('application/x-pem-file').send(certificate)
  })
  router.get('/:file', async ({ params: { file } }, res) => {
    if (!packageName.test(file)) throw new Problem(404, 'There is no such file')
    if (file === ownPackage) await build()
    if (!existsSync(join(folder, file))) throw new Problem(404, `This server has no package ${file}`)
    res.sendFile(file, { root: folder, dotfiles: 'allow' })
  })
  return router
}

/** Builds the package once per process, since its sources change with the server only. Another try follows a failure. */
function buildOnce(folder: string, log: Platform['log']): () => Promise<void> {
  let building: Promise<void> | undefined
  const build = async () => {
    const child = spawn(process.execPath, [join(source, 'package.ts'), folder], { stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.on('data', (text: Buffer) => (said = (said + text.toString()).slice(-2_000)))
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code === 0) return
    building = undefined
    log.error({ code, said }, 'the agent package could not be built')
    throw new Problem(503, 'The agent package could not be built. See the log of the server.')
  }
  return () => (building ??= build())
}

/**
 * The certificate that agents have to be given, as PEM: a self-signed one. Those of an authority are trusted by the
 * machine, and change with each renewal. Undefined without one.
 */
function trustedCertificate({ agentsListen }: Config): string | undefined {
  if (!agentsListen) return undefined
  const pem = readFileSync(agentsListen.cert, 'utf8')
  const certificate = new X509Certificate(pem)
  return certificate.checkIssued(certificate) ? pem : undefined
}

/** SHA-256 of that certificate file, by which the installer recognizes it. */
export function hashOfTrustedCertificate(config: Config): string | null {
  const pem = trustedCertificate(config)
  return pem === undefined ? null : createHash('sha256').update(pem).digest('hex')
}
