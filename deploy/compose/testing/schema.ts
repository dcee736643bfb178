import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'

/** Returns what is wrong with a document according to a JSON schema, or the definition `#/definitions/…` in one. */
export function faultsBySchema(schemaFile: string, document: unknown, definition?: string): string[] {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
  const { $schema: _, $id: __, ...schema } = JSON.parse(readFileSync(schemaFile, 'utf8')) as Record<string, unknown>
  const validate = ajv.compile(definition === undefined ? schema : { ...schema, $ref: `#/definitions/${definition}` })
  if (validate(document)) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath}: ${message} ${JSON.stringify(params)}`,
  )
}
