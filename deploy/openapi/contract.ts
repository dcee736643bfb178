import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Endpoint } from '#events/contract/endpoint.ts'
import type { Descriptions } from './schemas.ts'

const folder = join(import.meta.dirname, '../../events')

/** The declared calls, the schemas with their exported names, and the comments of the schemas. */
export async function readContract() {
  const files = globSync('**/*.ts', { cwd: folder })
    .filter((file) => !/test|pdf-fonts/.test(file))
    .sort()
  const calls = new Map<string, Endpoint>()
  const names = new Map<z.ZodType, string>()
  for (const file of files) {
    const exported: Record<string, unknown> = await import(join(folder, file))
    for (const [name, value] of Object.entries(exported)) {
      if (value instanceof z.ZodType) addName(names, name, value)
      for (const call of callsIn(value)) calls.set(`${call.method} ${call.path}`, call)
    }
  }
  return { calls: [...calls.values()], names, descriptions: descriptionsIn(files) }
}

/** A schema keeps its first name, and a name belongs to one schema. */
function addName(names: Map<z.ZodType, string>, name: string, schema: z.ZodType): void {
  if (!names.has(schema) && ![...names.values()].includes(name)) names.set(schema, name)
}

function callsIn(value: unknown): Endpoint[] {
  if (typeof value !== 'object' || value === null || value instanceof z.ZodType) return []
  return [value, ...Object.values(value)].filter(isCall)
}

function isCall(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'failure' in value
}

/** The comments of exported schemas and of their fields, by the name of the schema. */
function descriptionsIn(files: readonly string[]): Descriptions {
  const found: Descriptions = {}
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8')
    const declarations = text.matchAll(
      /(?:^\/\*\*((?:(?!\*\/)[^])*)\*\/\n)?^export const (\w+) = ([^]*?)^(?=\S)(?!\s*[)\]}.])/gm,
    )
    for (const [, comment, name = '', code = ''] of declarations) {
      const fields = [...code.matchAll(/^ {2}\/\*\*((?:(?!\*\/)[^])*)\*\/\n {2}(\w+):/gm)]
      found[name] ??= {
        own: comment === undefined ? undefined : plain(comment),
        fields: Object.fromEntries(fields.map(([, comment = '', field = '']) => [field, plain(comment)])),
      }
    }
  }
  return found
}

const plain = (comment: string): string =>
  comment
    .replace(/\n\s*\*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
