import { renameSync, writeFileSync } from 'node:fs'
import { readContract } from './contract.ts'
import { openApi } from './openApi.ts'
import { namedSchemas } from './schemas.ts'

// Writes the OpenAPI document of the declared calls. A process of its own, because it loads the whole contract.
const [file = 'server/platform/api-docs/openapi.json'] = process.argv.slice(2)
const { calls, names, descriptions } = await readContract()
const document = openApi(calls, namedSchemas(names, descriptions))
const next = `${file}.${process.pid}`
writeFileSync(next, `${JSON.stringify(document, null, 2)}\n`)
renameSync(next, file)
