import { spawn } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type RequestHandler, Router } from 'express'
import { builtInAgent, type Installer } from '#events/agents.ts'
import type { Config } from '#server/platform/config.ts'
import { networkOf } from '#server/platform/callers/guessing.ts'
import type { Platform } from '#server/platform/platform.ts'
import { Problem } from '#server/platform/problem.ts'

const source = join(import.meta.dirname, '../../../deploy/agent-package')
const script = join(source, 'install.sh')
const packageName = /^dataintell-agent-((?:linux|darwin)-(?:x64|arm64))\.tar\.gz$/
const ownPackage = `dataintell-agent-${process.platform}-${process.arch}.tar.gz`

type Services = Pick<Platform, 'config' | 'db' | 'log'>

/** Limits of downloads without a sign-in. Times are milliseconds. */
const defaultLimits = { downloads: 12, ofNetwork: 4, idleMs: 30_000, totalMs: 15 * 60_000 }

/**
 * Files that install an agent on another machine: the installer, the package of a platform, and the certificate to trust.
 * They need no sign-in, because they contain no secret. The package for the server's own platform is built when the command of
 * an agent is shown, or at the first download if there are agents on other machines; those for other platforms are copied to
 * `agent-package/` in the data folder.
 */
export function agentPackage({ config, db, log }: Services, limits = defaultLimits): Router {
  const folder = folderOf(config)
  const router = Router()
  router.use((_, res, next) => void (res.set('Cache-Control', 'no-store'), next()))
  router.get('/install.sh', (_, res) => void res.type('text/x-shellscript').sendFile(script))
  router.get('/ca.pem', (_, res) => {
    const certificate = trustedCertificate(config)
    if (certificate === undefined) throw new Problem(404, 'Agents need no certificate of this server')
    res.type('application/x-pem-file').send(certificate)
  })
  router.get('/:file', limitDownloads(limits), async ({ params: { file } }, res) => {
    const name = String(file)
    if (!packageName.test(name)) throw new Problem(404, 'There is no such file')
    if (name === ownPackage && (await hasOtherAgents(db))) await build(folder, log)
    if (!existsSync(join(folder, name))) throw new Problem(404, `This server has no package ${name}`)
    res.setTimeout(limits.idleMs, () => res.destroy())
    res.sendFile(name, { root: folder, dotfiles: 'allow' })
  })
  return router
}

const folderOf = (config: Config): string => join(config.data, 'agent-package')

/** Answers 429 to more downloads at once, in all or of one network, and ends those that aren't read. */
function limitDownloads({ downloads, ofNetwork, totalMs }: typeof defaultLimits): RequestHandler {
  const open: string[] = []
  return (req, res, next) => {
    const network = networkOf(req.ip ?? '')
    if (open.length >= downloads || open.filter((one) => one === network).length >= ofNetwork)
      throw new Problem(429, 'Too many downloads of the agent package at once. Try again in a minute.', {
        retryAfterSeconds: 60,
      })
    open.push(network)
    const end = setTimeout(() => res.destroy(), totalMs)
    res.once('close', () => {
      clearTimeout(end)
      open.splice(open.indexOf(network), 1)
    })
    next()
  }
}

const hasOtherAgents = async (db: Platform['db']): Promise<boolean> =>
  (await db
    .selectFrom('agents')
    .select('id')
    .where('id', '!=', builtInAgent)
    .where('deletedAt', 'is', null)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** Checksums of the installer and of all packages. Throws 404 without the agent, and 503 if the package can't be built. */
export async function readInstaller({ config, db, log }: Services, id: number): Promise<Installer> {
  const agent = db.selectFrom('agents').select('id').where('id', '=', id).where('deletedAt', 'is', null)
  if (id === builtInAgent || !(await agent.executeTakeFirst()))
    throw new Problem(404, `There is no agent ${id} on another machine`)
  const folder = folderOf(config)
  await build(folder, log)
  const packages = readdirSync(folder).flatMap((file) => {
    const [, platform] = packageName.exec(file) ?? []
    return platform === undefined ? [] : [{ platform, file: join(folder, file) }]
  })
  return {
    script: await hashOf(script),
    packages: await Promise.all(packages.map(async ({ platform, file }) => ({ platform, sha256: await hashOf(file) }))),
  }
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

const builds = new Map<string, Promise<void>>()
const retryDelayMs = 60_000

/** Builds the package once per process, since its sources change with the server only. After a failure, it may be tried again a minute later. */
function build(folder: string, log: Platform['log']): Promise<void> {
  const building = builds.get(folder) ?? runBuild(folder, log)
  builds.set(folder, building)
  building.catch(() => setTimeout(() => builds.delete(folder), retryDelayMs).unref())
  return building
}

async function runBuild(folder: string, log: Platform['log']): Promise<void> {
  const child = spawn(process.execPath, [join(source, 'package.ts'), folder], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (text: Buffer) => (said = (said + text.toString()).slice(-2_000)))
  const [code] = (await once(child, 'exit').catch((error: Error) => [error.message])) as [number | string | null]
  if (code === 0) return
  log.error({ code, said }, 'the agent package could not be built')
  throw new Problem(503, 'The agent package could not be built. See the log of the server.')
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
