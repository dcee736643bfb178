import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { build, type Plugin } from 'vite'
import { readContract } from '#deploy/openapi/contract.ts'
import { commandsOf } from './calls.ts'

/**
 * `npm run cli:package [-- FILE]` builds the command line as one file for Node 22 or newer: its code, what it imports, and the
 * declared calls. Prints the path of the file.
 */
const checkout = join(import.meta.dirname, '../..')
const target = resolve(process.argv[2] ?? join(checkout, 'server/platform/cli/dataintell'))
const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { version: string }
const calls = JSON.stringify(JSON.stringify(commandsOf(await readContract())))

const id = 'virtual:dataintell'
/** The program: the command line with the calls. They are parsed as JSON, which is faster than as code. */
const entry: Plugin = {
  name: 'dataintell',
  resolveId: (source) => (source === id ? `\0${id}` : undefined),
  load: (source) =>
    source === `\0${id}`
      ? `import { main } from '${join(import.meta.dirname, 'main.ts')}'
         const { argv, env, stdin, stdout, stderr } = process
         const built = { calls: JSON.parse(${calls}), version: '${version}' }
         main(argv.slice(2), { env, stdin, stdout, stderr }, built).then((code) => { process.exitCode = code })`
      : undefined,
}

const minNode = 22
const banner = `#!/usr/bin/env node
if (Number.parseInt(process.versions.node) < ${minNode}) {
  console.error('dataintell: Node ' + process.versions.node + ' is too old. Install Node ${minNode} or newer.')
  process.exit(1)
}`

const folder = `${target}.making-${process.pid}`
await build({
  configFile: false,
  root: checkout,
  logLevel: 'error',
  plugins: [entry],
  ssr: { noExternal: true },
  build: {
    ssr: true,
    outDir: folder,
    target: 'node22',
    minify: true,
    rolldownOptions: {
      input: id,
      // A file without an extension is CommonJS.
      output: { format: 'cjs', entryFileNames: basename(target), banner, codeSplitting: false },
    },
  },
})
const file = join(folder, basename(target))
chmodSync(file, 0o755)
mkdirSync(dirname(target), { recursive: true })
renameSync(file, target)
rmSync(folder, { recursive: true })
console.log(target)
