import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { readConfig as readAgentConfig } from '#agent/config.ts'
import { readConfig } from '#server/platform/config.ts'
import { livenessPath, readinessPath } from '#server/platform/http/probes.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { createSecrets } from '../compose/secrets.ts'
import { productVariables } from '../compose/testing/productVariables.ts'
import { faultsBySchema } from '../compose/testing/schema.ts'
import { type Container, Deployment, type Manifest, readSite, type Site } from './testing/kustomization.ts'

const here = import.meta.dirname
const schema = join(here, 'testing/kubernetes.schema.json')
const sites = globSync('**/kustomization.yaml', { cwd: here }).map((file) => file.replace(/\/kustomization\.yaml$/, ''))
/** Those that are applied; `agents/base` is only included. */
const applied = sites.filter((site) => site !== 'agents/base')
const read = (site: string) => readSite(join(here, site))

const deploymentsOf = ({ manifests }: Site) =>
  manifests.filter(({ kind }) => kind === 'Deployment').map((manifest) => Deployment.parse(manifest))
const containersOf = (site: Site) => deploymentsOf(site).flatMap(({ spec }) => spec.template.spec.containers)
const find = ({ manifests }: Site, kind: string, name: string): Manifest | undefined =>
  manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name)

/** The environment of a container, with its secrets in a folder. */
function environmentOf(site: Site, { env, envFrom }: Container, folder: string): Record<string, string> {
  const settings = envFrom.map(({ configMapRef }) => site.settings.get(configMapRef.name) ?? {})
  const own = env.map(({ name, value }) => [name, value.replace('/run/secrets/dataintell/', `${folder}/`)])
  return Object.assign({}, ...settings, Object.fromEntries(own)) as Record<string, string>
}

test('there are servers, servers of a cluster, and agents of two sites', () => {
  expect(sites.sort()).toEqual(['agents/base', 'agents/denver', 'agents/main', 'base', 'cluster'])
})

test.each(sites)('%s follows the schemas of Kubernetes', (site) => {
  const { manifests, patches } = read(site)
  expect(manifests.length).toBeGreaterThan(2)
  for (const manifest of manifests) {
    const { kind, metadata, apiVersion } = manifest
    expect([metadata.name, faultsBySchema(schema, manifest, kind)]).toEqual([metadata.name, []])
    expect([kind, apiVersion]).toEqual([kind, versions[kind]])
  }
  for (const patch of patches) expect(find({ ...read(site) }, patch.kind, patch.metadata.name)).toBeDefined()
})

const versions: Record<string, string> = {
  Deployment: 'apps/v1',
  Ingress: 'networking.k8s.io/v1',
  NetworkPolicy: 'networking.k8s.io/v1',
  PersistentVolumeClaim: 'v1',
  PodDisruptionBudget: 'policy/v1',
  Service: 'v1',
  ServiceAccount: 'v1',
}

test('the schemas refuse unknown fields and values of another type', () => {
  const [deployment] = read('base').manifests.filter(({ kind }) => kind === 'Deployment')
  const wrong = { ...deployment, spec: { ...deployment?.spec, replica: 2, progressDeadlineSeconds: 'long' } }
  expect(faultsBySchema(schema, wrong, 'Deployment').join('\n')).toMatch(/replica"[^]*progressDeadlineSeconds/)
})

test.each(applied)('%s has only variables that the product reads', (name) => {
  const site = read(name)
  for (const container of containersOf(site)) {
    const known = productVariables[container.args[0] ?? ''] ?? []
    expect(Object.keys(environmentOf(site, container, '')).filter((variable) => !known.includes(variable))).toEqual([])
  }
})

const secrets = testFolder('secrets')
createSecrets(secrets)
const containersFor = (site: Site, word: string) => containersOf(site).filter(({ args }) => args[0] === word)

test.each(['base', 'cluster'])('servers of %s have a complete configuration', (name) => {
  const site = read(name)
  const configs = containersFor(site, 'server').map((container) => readConfig(environmentOf(site, container, secrets)))
  expect(configs).toMatchObject([{ host: '0.0.0.0', port: 8080, agentSeed: undefined }])
  for (const config of configs) {
    const { databaseUrl, clickhouseUrl, natsUrl, natsSeed, secretKey, trustedProxies, clickhouseCluster } = config
    for (const value of [databaseUrl, clickhouseUrl, natsUrl, natsSeed, secretKey, trustedProxies[0]])
      expect(value).toMatch(/.{10}/)
    expect(clickhouseCluster).toBe(name === 'cluster' ? 'dataintell' : undefined)
  }
})

test.each(['agents/main', 'agents/denver'])('%s has a complete configuration', (name) => {
  const site = read(name)
  const configs = containersFor(site, 'agent').map((one) => readAgentConfig(environmentOf(site, one, secrets)))
  const natsUrl = expect.stringMatching(/^(nats|tls):/)
  expect(configs).toMatchObject([{ agentId: expect.any(Number), natsUrl, seed: expect.stringMatching(/^SU/) }])
})

test.each(applied)('%s names only what is there', (name) => {
  const site = read(name)
  const named = (kind: string) => site.manifests.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name)
  for (const { spec } of deploymentsOf(site)) {
    const { containers, volumes, serviceAccountName } = spec.template.spec
    expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels)
    expect([undefined, ...named('ServiceAccount')]).toContain(serviceAccountName)
    expect(named('PersistentVolumeClaim')).toEqual(volumes.flatMap(claimOf))
    for (const { envFrom, volumeMounts, image } of containers) {
      expect([...site.settings.keys()]).toEqual(envFrom.map(({ configMapRef }) => configMapRef.name))
      expect(volumes.map((volume) => volume.name).sort()).toEqual(volumeMounts.map((mount) => mount.name).sort())
      expect(site.images).toContain(image)
    }
  }
})

const claimOf = (volume: Record<string, unknown>): string[] => {
  const claim = volume['persistentVolumeClaim'] as { claimName: string } | undefined
  return claim ? [claim.claimName] : []
}

test('requests reach the servers: ingress, service, port and selectors fit', () => {
  const site = read('base')
  const [server] = deploymentsOf(site)
  const labels = server?.spec.template.metadata.labels
  const service = find(site, 'Service', 'dataintell')?.spec as {
    selector: object
    ports: { name: string; targetPort: string }[]
  }
  expect(labels).toMatchObject(service.selector)
  expect(service.ports).toMatchObject([{ name: 'http', targetPort: 'http' }])
  expect(server?.spec.template.spec.containers[0]?.ports).toEqual([{ name: 'http', containerPort: 8080 }])
  const backend = { service: { name: 'dataintell', port: { name: 'http' } } }
  expect(find(site, 'Ingress', 'dataintell')?.spec).toMatchObject({ rules: [{ http: { paths: [{ backend }] } }] })
  const selectorOf = (kind: string, key: string) => {
    const spec = find(site, kind, 'dataintell-server')?.spec as Record<string, { matchLabels: object }> | undefined
    return spec?.[key]?.matchLabels
  }
  expect(labels).toMatchObject(selectorOf('PodDisruptionBudget', 'selector') ?? { missing: '' })
  expect(labels).toMatchObject(selectorOf('NetworkPolicy', 'podSelector') ?? { missing: '' })
})

test('a node can be drained with any number of servers, and an upgrade keeps those that serve', () => {
  const site = read('base')
  expect(find(site, 'PodDisruptionBudget', 'dataintell-server')?.spec).toMatchObject({ maxUnavailable: 1 })
  expect(find(site, 'PodDisruptionBudget', 'dataintell-server')?.spec).not.toHaveProperty('minAvailable')
  const [server] = deploymentsOf(site)
  expect(server?.spec).toMatchObject({ replicas: 2, strategy: { rollingUpdate: { maxUnavailable: 0 } } })
})

test('no probe ends a server during a migration or while a store is down', () => {
  const [server] = containersOf(read('base'))
  const get = (path: string) => expect.objectContaining({ httpGet: { path, port: 'http' } })
  expect(server).toMatchObject({
    startupProbe: get(livenessPath),
    livenessProbe: get(livenessPath),
    readinessProbe: get(readinessPath),
  })
})

test.each(['agents/main', 'agents/denver'])('%s is one process with the same state after a restart', (name) => {
  const site = read(name)
  const [agent] = deploymentsOf(site)
  expect(agent?.spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } })
  const [container] = containersOf(site)
  const state = environmentOf(site, container!, '')['AGENT_STATE'] ?? ''
  const mount = container?.volumeMounts.find(({ mountPath }) => state.startsWith(`${mountPath}/`))
  expect(agent?.spec.template.spec.volumes.find((volume) => volume.name === mount?.name)).toHaveProperty(
    'persistentVolumeClaim',
  )
})

test('agents of different sites differ in their number, name and secret', () => {
  const idOf = (name: string) => read(name).settings.get('dataintell-agent')?.['AGENT_ID']
  expect([idOf('agents/main'), idOf('agents/denver')]).toEqual(['1', '2'])
  for (const name of ['main', 'denver']) {
    const text = readFileSync(join(here, 'agents', name, 'storages.yaml'), 'utf8')
    expect(text).toContain(`secretName: dataintell-agent-${name}`)
    expect(readFileSync(join(here, 'agents', name, 'kustomization.yaml'), 'utf8')).toContain(`nameSuffix: -${name}`)
  }
})

test.each(applied)('%s runs with as few rights as it can', (name) => {
  for (const { securityContext, resources, args } of containersOf(read(name))) {
    const capabilities = { drop: ['ALL'], ...(args[0] === 'agent' && { add: ['DAC_READ_SEARCH'] }) }
    expect(securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities,
    })
    expect(resources.limits['memory']).toMatch(/^\d+[MG]i$/)
  }
  for (const { spec } of deploymentsOf(read(name)))
    expect(spec.template.spec).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false })
})

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0

test.runIf(hasKubectl).each(applied)('kustomize renders %s as its parts say', (name) => {
  const rendered = execFileSync('kubectl', ['kustomize', join(here, name)], { encoding: 'utf8' })
  const manifests = parseAllDocuments(rendered).map((document) => document.toJS() as Manifest)
  for (const manifest of manifests) expect(faultsBySchema(schema, manifest, manifest.kind)).toEqual([])
  const { settings } = read(name)
  const data = manifests.flatMap((manifest) => (manifest.kind === 'ConfigMap' ? [manifest['data']] : []))
  expect(data).toEqual([...settings.values()])
  const names = manifests.map(({ metadata }) => metadata.name)
  const used = [...rendered.matchAll(/(?:configMapRef:\n\s+name|claimName|serviceAccountName): (\S+)/g)].map(
    ([, one]) => one,
  )
  expect(names).toEqual(expect.arrayContaining(used))
})
