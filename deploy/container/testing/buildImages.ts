import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installPackage } from '../../setup/installPackage.js'

const exec = promisify(execFile)
const checkout = join(import.meta.dirname, '../../..')

/** An image: the folder of its files, and what its configuration says about running it. */
export type Image = {
  root: string
  /** Words of the program: the entry point and the command. */
  words: { entry: string[]; command: string[] }
  environment: Record<string, string>
  user: string
  /** Everything that `buildah inspect` shows, as text. */
  description: string
}

/** The reason why this machine can't build images without a daemon; installs the tools if it can. */
export function whyNotBuilt(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'only root on Debian builds images without a daemon'
  const missing = () => ['buildah', 'mmdebstrap'].filter((tool) => spawnSync(tool, ['--version']).status !== 0)
  if (missing().length > 0) installPackage('for the tests of the container images (30 MB to download)', ...missing())
  return missing().length === 0 ? undefined : `${missing().join(' and ')} can't be installed here`
}

/**
 * Builds both images from the files that git knows of this checkout, on a base that Debian's packages make, as an image of that
 * name from a registry would be. `folder` receives everything; remove it with `removeImages`.
 */
export async function buildImages(folder: string): Promise<{ small: Image; server: Image }> {
  const context = join(folder, 'checkout')
  mkdirSync(context, { recursive: true })
  await exec('sh', ['-c', `git ls-files -z | tar -c --null -T - | tar -x -C "${context}"`], { cwd: checkout })
  const base = await makeBase(folder)
  for (const target of ['server', 'small']) await build(folder, context, { base, target })
  return { small: await open(folder, 'small'), server: await open(folder, 'server') }
}

/** Removes what `buildImages` made. */
export async function removeImages(folder: string): Promise<void> {
  await buildah(folder, 'rm', '--all')
  await exec('rm', ['-rf', folder])
}

/** Arguments of all calls: no daemon, no kernel modules, everything in the folder of the test. */
async function buildah(folder: string, ...args: string[]): Promise<string> {
  const places = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs']
  const { stdout } = await exec('buildah', [...places, ...args], { maxBuffer: 2 ** 26 })
  return stdout.trim()
}

/** Files that Debian's own images leave out. */
const leftOut = ['man', 'doc', 'info', 'locale', 'lintian'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`)

async function makeBase(folder: string): Promise<string> {
  const archive = join(folder, 'base.tar')
  await exec('mmdebstrap', ['--quiet', '--variant=minbase', ...leftOut, 'bookworm', archive])
  const container = await buildah(folder, 'from', 'scratch')
  await buildah(folder, 'add', container, archive, '/')
  await buildah(folder, 'commit', '--quiet', '--rm', container, 'localhost/base')
  return 'localhost/base'
}

/** The registry and the certificate authorities of this machine are for the build only. */
async function build(folder: string, context: string, { base, target }: { base: string; target: string }) {
  const { stdout: registry } = await exec('npm', ['config', 'get', 'registry'])
  const ca = process.env['NODE_EXTRA_CA_CERTS'] ?? ''
  const secrets = existsSync(ca) ? ['--secret', `id=ca,src=${ca}`] : []
  const given = [`BASE=${base}`, `NPM_REGISTRY=${registry.trim().replace(/\/$/, '')}`]
  const options = given.flatMap((argument) => ['--build-arg', argument]).concat(secrets)
  const file = join(context, 'deploy/container/Containerfile')
  const how = ['--isolation', 'chroot', '--pull-never', '--layers', '--format', 'docker', '--quiet']
  await buildah(
    folder,
    'build',
    ...how,
    ...options,
    '--file',
    file,
    '--target',
    target,
    '--tag',
    `localhost/${target}`,
    context,
  )
}

type Inspected = { Docker: { config: { Entrypoint: string[]; Cmd: string[]; Env: string[]; User: string } } }

async function open(folder: string, name: string): Promise<Image> {
  const container = await buildah(folder, 'from', '--pull-never', `localhost/${name}`)
  const description = await buildah(folder, 'inspect', '--type', 'image', `localhost/${name}`)
  const { Entrypoint, Cmd, Env, User } = (JSON.parse(description) as Inspected).Docker.config
  return {
    root: await buildah(folder, 'mount', container),
    words: { entry: Entrypoint, command: Cmd },
    environment: Object.fromEntries(Env.map((line) => line.split(/=(.*)/s, 2) as [string, string])),
    user: User,
    description,
  }
}
