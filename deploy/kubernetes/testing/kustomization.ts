import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'

/** The keys of kustomizations in use here; others are refused. */
const Kustomization = z.strictObject({
  apiVersion: z.literal('kustomize.config.k8s.io/v1beta1'),
  kind: z.literal('Kustomization'),
  namespace: z.string().optional(),
  nameSuffix: z.string().optional(),
  labels: z
    .array(z.strictObject({ pairs: z.record(z.string(), z.string()), includeSelectors: z.literal(true) }))
    .default([]),
  resources: z.array(z.string()),
  configMapGenerator: z
    .array(
      z.strictObject({
        name: z.string(),
        namespace: z.string().optional(),
        behavior: z.enum(['create', 'merge']).default('create'),
        literals: z.array(z.string().regex(/^\w+=/)),
      }),
    )
    .default([]),
  images: z.array(z.strictObject({ name: z.string(), newName: z.string(), newTag: z.string() })).default([]),
  patches: z.array(z.strictObject({ path: z.string() })).default([]),
})

const Container = z.looseObject({
  name: z.string(),
  image: z.string().optional(),
  args: z.array(z.string()).default([]),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]),
  env: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
  envFrom: z.array(z.object({ configMapRef: z.object({ name: z.string() }) })).default([]),
  volumeMounts: z.array(z.looseObject({ name: z.string(), mountPath: z.string() })).default([]),
  securityContext: z.unknown().optional(),
  resources: z.looseObject({ limits: z.record(z.string(), z.string()).default({}) }).default({ limits: {} }),
  startupProbe: z.unknown().optional(),
  readinessProbe: z.unknown().optional(),
  livenessProbe: z.unknown().optional(),
})
export type Container = z.output<typeof Container>

const Manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
  spec: z.looseObject({}).optional(),
})
/** A resource as written in its file. */
export type Manifest = z.output<typeof Manifest>

const Volume = z.looseObject({ name: z.string() })

/** The parts of a Deployment that are checked. */
export const Deployment = z.looseObject({
  kind: z.literal('Deployment'),
  metadata: z.looseObject({ name: z.string() }),
  spec: z.looseObject({
    replicas: z.number(),
    selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
    template: z.looseObject({
      metadata: z.looseObject({ labels: z.record(z.string(), z.string()) }),
      spec: z.looseObject({
        serviceAccountName: z.string().optional(),
        containers: z.array(Container),
        volumes: z.array(Volume).default([]),
      }),
    }),
  }),
})

/** The resources of a kustomization and those that it includes, the variables of each ConfigMap, and its patches. */
export type Site = {
  manifests: Manifest[]
  settings: Map<string, Record<string, string>>
  images: string[]
  patches: Manifest[]
}

/** Reads the kustomization in a folder. Throws if a file is missing, or a setting is merged into none. */
export function readSite(folder: string): Site {
  const own = Kustomization.parse(parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')))
  const site: Site = { manifests: [], settings: new Map(), images: own.images.map(({ name }) => name), patches: [] }
  for (const resource of own.resources) {
    if (resource.endsWith('.yaml')) site.manifests.push(readManifest(join(folder, resource)))
    else include(site, readSite(join(folder, resource)))
  }
  for (const { name, behavior, literals } of own.configMapGenerator) {
    const known = site.settings.get(name)
    if ((behavior === 'merge') !== (known !== undefined)) throw new Error(`${folder}: ${behavior} of ConfigMap ${name}`)
    const pairs = literals.map((literal) => [literal.split('=')[0] ?? '', literal.slice(literal.indexOf('=') + 1)])
    site.settings.set(name, { ...known, ...Object.fromEntries(pairs) })
  }
  site.patches.push(...own.patches.map(({ path }) => readManifest(join(folder, path))))
  return site
}

function include(site: Site, { manifests, settings, images, patches }: Site): void {
  site.manifests.push(...manifests)
  site.images.push(...images)
  site.patches.push(...patches)
  for (const [name, values] of settings) site.settings.set(name, values)
}

function readManifest(file: string): Manifest {
  const read = Manifest.safeParse(parse(readFileSync(file, 'utf8')))
  if (!read.success) throw new Error(`${dirname(file)}: ${read.error.message}`)
  return read.data
}
