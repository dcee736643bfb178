import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'

const folder = join(import.meta.dirname, '..')

const Secret = z.union([z.string(), z.looseObject({ source: z.string(), target: z.string().optional() })])
const Service = z.looseObject({
  image: z.string().optional(),
  build: z.looseObject({ context: z.string(), dockerfile: z.string(), target: z.string() }).optional(),
  command: z.array(z.string()).optional(),
  user: z.string().optional(),
  restart: z.string().optional(),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).default([]),
  cap_add: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  mem_limit: z.string().optional(),
  environment: z.record(z.string(), z.union([z.string(), z.number()]).transform(String)).default({}),
  secrets: z.array(Secret).default([]),
  volumes: z.array(z.string()).default([]),
  tmpfs: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  networks: z.union([z.array(z.string()), z.record(z.string(), z.unknown()).transform(Object.keys)]).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  healthcheck: z.looseObject({ test: z.array(z.string()) }).optional(),
})
export type Service = z.output<typeof Service>

const Compose = z.looseObject({
  services: z.record(z.string(), Service),
  networks: z.record(z.string(), z.looseObject({ internal: z.boolean().optional() })).default({}),
  volumes: z.record(z.string(), z.unknown()).default({}),
  secrets: z.record(z.string(), z.object({ file: z.string() })).default({}),
})
export type Compose = z.output<typeof Compose>

/** A compose file as compose reads it, with anchors resolved and variables replaced. `raw` is for the schema. */
export function readCompose(name: string, variables: Record<string, string>): { raw: unknown; compose: Compose } {
  const text = readFileSync(join(folder, name), 'utf8')
  const raw = interpolated(parse(text, { merge: true }), variables)
  return { raw, compose: Compose.parse(raw) }
}

/** Replaces variables in all values, after parsing, as compose does. */
function interpolated(value: unknown, variables: Record<string, string>): unknown {
  if (typeof value === 'string') return interpolate(value, variables)
  if (Array.isArray(value)) return value.map((one) => interpolated(one, variables))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, interpolated(one, variables)]))
}

/** Replaces `${NAME}`, `${NAME:-default}` and `${NAME:?message}`. Throws for one without a value. */
function interpolate(text: string, variables: Record<string, string>): string {
  return text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, word = '') => {
    const value = variables[name] || (kind === '-' ? word : undefined)
    if (value === undefined) throw new Error(`${name}: ${word || 'is not set'}`)
    return value
  })
}

/** Name of a secret in the file, and its path in the container. */
export function secretOf(secret: z.output<typeof Secret>): { name: string; path: string } {
  if (typeof secret === 'string') return { name: secret, path: `/run/secrets/${secret}` }
  return { name: secret.source, path: secret.target ?? `/run/secrets/${secret.source}` }
}

/** The environment of a service on this machine, with its secrets in `folder`. */
export function environmentHere({ environment }: Service, folder: string): Record<string, string> {
  const here = (value: string) => value.replace(/^\/run\/secrets\//, `${folder}/`)
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, here(value)]))
}
